import { bulkStock, type BulkStock, type StockPort } from '../bulk/bulk-stock.js';
import { sql } from '../sql.js';
import { highestId } from '../tables/ids.js';
import { ledgerInsert } from './ledger-insert.js';

/** Bulk stock changes in transactions of the engine. */
export function bulkStockOn({ read, write }: Pick<StockPort, 'read' | 'write'>): BulkStock {
  return bulkStock({
    read,
    write,
    insert: async (queries, { kind, notes, blocks }, batch) => {
      const insert = ledgerInsert(queries, kind, batch, notes);
      for (const block of blocks()) {
        const newest = await highestId(queries, 'ledger');
        await insert(block);
        // While the entries of the block are still in the page cache. Every pet has a row, so this only updates; it is faster than
        // UPDATE … FROM. Of several movements of a pet the last one totals.
        await queries.run(
          sql`INSERT INTO stock (pet_id, quantity) SELECT pet_id, quantity_after FROM ledger WHERE id > ${newest} AND quantity_after IS NOT NULL ORDER BY id
            ON CONFLICT (pet_id) DO UPDATE SET quantity = excluded.quantity`,
        );
      }
    },
  });
}
