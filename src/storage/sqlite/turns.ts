/** Lets the users of one connection take turns, first come, first served. */
export interface Turns {
  /** Waits for a turn; the caller ends it by calling the result. */
  readonly take: () => Promise<() => void>;
}

/** The turns of one connection. */
export function connectionTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  return {
    take: () =>
      new Promise((begin) => {
        const previous = last;
        last = new Promise((end) => void previous.then(() => begin(end)));
      }),
  };
}
