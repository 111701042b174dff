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
