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

/** Ends a turn. */
export type EndTurn = () => void;

/** Lets the users of one thing take turns, first come, first served: each call waits for a turn. */
export function takingTurns(): () => Promise<EndTurn> {
  let last: Promise<void> = Promise.resolve();
  return () =>
    new Promise((begin) => {
      const previous = last;
      last = new Promise((end) => void previous.then(() => begin(end)));
    });
}
