/**
 * Statements that the database runs while the next ones are prepared; at most those of two calls of `add` are on their way. For
 * statements that are sent in the order of their calls, and of which none succeeds after one has failed.
 */
export function overlapped() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Waits for the statements of the call before. */
    add: async (...statements: readonly Promise<void>[]): Promise<void> => {
      const before = last;
      last = Promise.all(statements);
      // When an earlier one has failed, nothing waits for these.
      last.catch(() => undefined);
      await before;
    },
    end: async (): Promise<void> => void (await last),
  };
}
