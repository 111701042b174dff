import { bulkStock, type BulkStock, type StockPort } from '../bulk/bulk-stock.js';
import type { Connection } from './connection.js';
import { ledgerInsert } from './ledger-insert.js';

/** The transactions of an engine, and the connection of those that write. */
interface Transactions extends Pick<StockPort, 'read' | 'write'> {
  readonly openWriter: () => Promise<Connection>;
}

/** Bulk stock changes in transactions of the engine. */
export function bulkStockOn({ read, write, openWriter }: Transactions): BulkStock {
  return bulkStock({
    read,
    write,
    insert: async (_, { kind, notes, blocks }, batch) => {
      const { database } = await openWriter();
      const insert = ledgerInsert(database, kind, batch, notes);
      const newestRow = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM ledger').pluck();
      // Every pet has a row, so this only updates; it is faster than UPDATE … FROM. Of several movements of a pet the last one totals.
      const updateStock = database.prepare<[number]>(
        `INSERT INTO stock (pet_id, quantity) SELECT pet_id, quantity_after FROM ledger WHERE id > ? AND quantity_after IS NOT NULL ORDER BY id
         ON CONFLICT (pet_id) DO UPDATE SET quantity = excluded.quantity`,
      );
      for (const block of blocks()) {
        const newest = newestRow.get() ?? 0;
        insert(block);
        // While the entries of the block are still in the page cache.
        updateStock.run(newest);
      }
    },
    close: async () => undefined,
  });
}
