/**
 * Begins work in the next turn of the loop, which finds all that arrived together. The first time it begins at once:
 * whoever asks once, as a command does, would wait longer for the turn than for the work.
 */
export function coalesce(work: () => void): () => void {
  let isFirst = true;
  return () => {
    if (!isFirst) return void setImmediate(work);
    isFirst = false;
    work();
  };
}
