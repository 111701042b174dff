import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { writeTransaction } from '../../src/storage/transactions.js';
import type { Caller } from '../../src/domain/caller.js';
import { sql } from '../../src/storage/sql.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';

/**
 * Works on a shop until it is stopped: `write 7` changes the stock of pet 7 and returns the ids of its ledger entries;
 * `read` returns the units of the stock and of the ledger, each pair from one snapshot.
 */
export async function workUntil(
  store: string,
  task: string,
  isOver: () => boolean,
  sleep: (milliseconds: number) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const engine = await openSqlite(store, { waitSeconds: 30 });
  const worker: Caller = { actor: 'worker', source: 'cli', clock: () => Date.now() };
  const petId = Number(task.split(' ')[1]);
  const seen: unknown[] = [];
  try {
    while (!isOver()) {
      if (task === 'read')
        seen.push(await engine.read((queries) => queries.rows(sql`SELECT (SELECT sum(quantity) FROM stock), (SELECT sum(delta) FROM ledger)`)));
      else {
        const id = await engine.write(async (queries) => {
          const tx = writeTransaction(queries, worker, {});
          await adjustInventory.run(tx, { petId, allowShortage: false, body: { delta: 1 } });
          return tx.ledger.version({ petId });
        });
        seen.push(id);
      }
      await sleep(5);
    }
  } finally {
    await engine.close();
  }
  return seen.flat();
}
