/** Where keys come from: standard input. */
type Keys = NodeJS.ReadStream;

/** Runs a function after a time in ms. */
type RunAfter = (ms: number, then: () => void) => void;

/** Keys that are given to a prompt no faster than it can take them. */
export interface PacedInput {
  /** Gives the next keys to the prompt if it can take them. */
  readonly continue: () => void;
  /** Stops; keys that were not given yet stay in the input for the next prompt. */
  readonly stop: () => void;
}

const endOfLine = /[\r\n]/;

/** How long a prompt can take to end after a Return, in ms; the next key waits, because it may be for the next prompt. */
const endMs = 100;

/** How long a prompt drops keys at its start, in ms: the package takes them for keys that were meant for something else. */
const startMs = 60;

/**
 * Gives keys to a prompt line by line: a scanner or a paste sends text, Return and more text in one burst, and the packages for
 * prompts lose a Return while they search, and what follows a Return. A Return waits while `isBusy`.
 */
export function pacedInput(stdin: Keys, isBusy: () => boolean, runAfter: RunAfter): PacedInput {
  let held = '';
  let isStopped = false;
  let isWaiting = false;
  const emit = stdin.emit.bind(stdin);
  const later = (afterMs = 0): void => {
    if (isWaiting) return;
    isWaiting = true;
    runAfter(afterMs, () => {
      isWaiting = false;
      give();
    });
  };
  const give = (): void => {
    if (isStopped || isWaiting || held === '') return;
    const end = endOfLine.exec(held)?.index ?? held.length;
    if (end === 0 && isBusy()) return;
    const next = held.slice(0, Math.max(end, 1));
    held = held.slice(next.length);
    emit('data', Buffer.from(next, 'latin1'));
    // After the prompt has drawn the text, or has ended by the Return.
    later(end === 0 ? endMs : 0);
  };
  stdin.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    const [chunk] = values;
    if (event !== 'data' || !(chunk instanceof Uint8Array)) return emit(event, ...values);
    const text = Buffer.from(chunk).toString('latin1');
    // Single keys need no pace; latin1 keeps the bytes of UTF-8.
    if (held === '' && !isWaiting && !isBusy() && !endOfLine.test(text.slice(0, -1)) && (text.length === 1 || !endOfLine.test(text)))
      return emit(event, ...values);
    const isIdle = held === '';
    held += text;
    if (isIdle) give();
    return true;
  };
  later(startMs);
  return {
    continue: () => later(),
    stop: () => {
      isStopped = true;
      stdin.emit = emit;
      if (held !== '' && !stdin.readableEnded && !stdin.destroyed) stdin.unshift(Buffer.from(held, 'latin1'));
    },
  };
}
