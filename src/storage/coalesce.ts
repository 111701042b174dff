/**
 * Delays work to the next event-loop turn, so that it handles all calls of this turn together. The first call runs
 * immediately: for a single call, as in a command, the delay would take longer than the work.
 */
export function coalesce(work: () => void): () => void {
  let isFirst = true;
  return () => {
    if (!isFirst) return void setImmediate(work);
    isFirst = false;
    work();
  };
}
