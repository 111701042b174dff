/**
 * Delays work to the next event-loop turn, to handle all calls of this turn at once. The very first call runs the work
 * immediately: a command makes a single call, and the delay would take longer than the work.
 */
export function coalesce(work: () => void): () => void {
  let isFirst = true;
  return () => {
    if (!isFirst) return void setImmediate(work);
    isFirst = false;
    work();
  };
}

/** Lets the users of one thing take turns, first come, first served. */
export interface Turns {
  /** Waits for a turn; the caller ends it by calling the result. */
  readonly take: () => Promise<() => void>;
}

/** Turns in the order of the calls of `take`. */
export function takingTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  return {
    take: () =>
      new Promise((begin) => {
        const previous = last;
        last = new Promise((end) => void previous.then(() => begin(end)));
      }),
  };
}
