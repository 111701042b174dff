/** Where keys come from: standard input. */
type Keys = NodeJS.ReadStream;

/** Runs a function after a time in ms. */
type RunAfter = (ms: number, then: () => void) => void;

/** Keys that are given to a prompt no faster than it can take them. */
export interface PacedInput {
  /** Gives the next keys to the prompt if it can take them. */
  readonly continue: () => void;
  /** To be called whenever the prompt draws itself; it takes keys from the first time on, until it is done. */
  readonly drawn: (isDone: boolean) => void;
  /** Stops; keys that were not given yet stay in the input for the next prompt. */
  readonly stop: () => void;
}

const endOfLine = /[\r\n]/;

/** How long a prompt that draws nothing after a Return can take to end, in ms; the next key waits, because it may be for the next prompt. */
const endMs = 500;

/**
 * Gives keys to a prompt line by line: a scanner or a paste sends text, Return and more text in one burst, and the packages for
 * prompts lose keys before they have drawn the question, a Return while they search, and what follows a Return. A Return waits
 * while `isBusy`.
 */
export function pacedInput(stdin: Keys, isBusy: () => boolean, runAfter: RunAfter): PacedInput {
  let held = '';
  let state: 'starting' | 'open' | 'returning' | 'over' = 'starting';
  let isWaiting = false;
  const emit = stdin.emit.bind(stdin);
  const later = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    runAfter(0, () => {
      isWaiting = false;
      give();
    });
  };
  const open = (from: 'starting' | 'returning'): void => {
    if (state !== from) return;
    state = 'open';
    give();
  };
  const give = (): void => {
    if (state !== 'open' || isWaiting || held === '') return;
    const end = endOfLine.exec(held)?.index ?? held.length;
    if (end === 0 && isBusy()) return;
    const next = held.slice(0, Math.max(end, 1));
    held = held.slice(next.length);
    if (end === 0) {
      state = 'returning';
      runAfter(endMs, () => open('returning'));
    }
    emit('data', Buffer.from(next, 'latin1'));
    // After the prompt has drawn the text.
    if (end > 0) later();
  };
  stdin.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    const [chunk] = values;
    if (event !== 'data' || !(chunk instanceof Uint8Array)) return emit(event, ...values);
    const isIdle = held === '';
    // latin1 keeps the bytes of UTF-8.
    held += Buffer.from(chunk).toString('latin1');
    if (isIdle) give();
    return true;
  };
  return {
    continue: later,
    drawn: (isDone) => {
      if (isDone) state = 'over';
      // The prompt listens to keys once it has drawn itself.
      const drawnIn = state;
      if (drawnIn === 'starting' || drawnIn === 'returning') runAfter(0, () => open(drawnIn));
    },
    stop: () => {
      state = 'over';
      stdin.emit = emit;
      if (held !== '' && !stdin.readableEnded && !stdin.destroyed) stdin.unshift(Buffer.from(held, 'latin1'));
    },
  };
}
