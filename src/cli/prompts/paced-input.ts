import { Transform, type Readable } from 'node:stream';

const endOfLine = /[\r\n]/;

/** Where keys come from: standard input. */
type Keys = Readable & Partial<Pick<NodeJS.ReadStream, 'setRawMode'>>;

type RunAfter = (ms: number, then: () => void) => void;

/** Keys that are given to a prompt no faster than it can take them. */
export interface PacedInput {
  /** The input of the prompt, with the raw mode of the terminal. */
  readonly keys: Readable;
  /** Gives the next keys to the prompt if it can take them. */
  readonly continue: () => void;
  /** To be called whenever the prompt draws itself; it takes keys from the first time on, until it is done. */
  readonly drawn: (isDone: boolean) => void;
  /** Stops; keys that were not given yet stay in the input for the next prompt. */
  readonly stop: () => void;
}

/** How long keys wait after a Return for a prompt that draws nothing, in ms: they may be for the next prompt. */
const submitMs = 500;

/**
 * Gives keys to a prompt line by line: a scanner or a paste sends text, Return and more text in one burst, and the packages for
 * prompts lose keys before they have drawn the question, a Return while they search, and what follows a Return. A Return waits
 * while `isBusy`.
 */
export function pacedInput(stdin: Keys, isBusy: () => boolean, runAfter: RunAfter): PacedInput {
  let held = '';
  /** `submitting` is the time after a Return, until the prompt asks again or ends. */
  let state: 'starting' | 'ready' | 'submitting' | 'ended' = 'starting';
  let isWaiting = false;
  const giveLater = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    runAfter(0, () => {
      isWaiting = false;
      give();
    });
  };
  const becomeReady = (from: 'starting' | 'submitting'): void => {
    if (state !== from) return;
    state = 'ready';
    give();
  };
  const give = (): void => {
    if (state !== 'ready' || isWaiting || held === '') return;
    const end = endOfLine.exec(held)?.index ?? held.length;
    if (end === 0 && isBusy()) return;
    const next = held.slice(0, Math.max(end, 1));
    held = held.slice(next.length);
    if (end === 0) {
      state = 'submitting';
      runAfter(submitMs, () => becomeReady('submitting'));
    }
    keys.push(next, 'latin1');
    // The rest follows when the prompt has drawn this text.
    if (end > 0) giveLater();
  };
  const keys = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const isIdle = held === '';
      // latin1 keeps the bytes of UTF-8.
      held += chunk.toString('latin1');
      if (isIdle) give();
      done();
    },
  });
  stdin.pipe(Object.assign(keys, { isTTY: true, setRawMode: (isRaw: boolean) => void stdin.setRawMode?.(isRaw) }), { end: false });
  return {
    keys,
    continue: giveLater,
    drawn: (isDone) => {
      if (isDone) state = 'ended';
      // The prompt listens to keys once it has drawn itself.
      const drawnIn = state;
      if (drawnIn === 'starting' || drawnIn === 'submitting') runAfter(0, () => becomeReady(drawnIn));
    },
    stop: () => {
      state = 'ended';
      stdin.unpipe(keys);
      if (held !== '' && !stdin.readableEnded && !stdin.destroyed) stdin.unshift(Buffer.from(held, 'latin1'));
    },
  };
}
