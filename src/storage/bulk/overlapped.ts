/**
 * Sends the statements of each block and prepares those of the next one while the database runs them; at most those of two blocks are
 * on their way. They are sent in the order of the blocks, and none succeeds after one has failed.
 */
export async function overlapped<Block>(blocks: Iterable<Block>, send: (block: Block) => readonly Promise<void>[]): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  for (const block of blocks) {
    const before = last;
    last = Promise.all(send(block));
    // When an earlier one has failed, nothing waits for these.
    last.catch(() => undefined);
    await before;
  }
  await last;
}
