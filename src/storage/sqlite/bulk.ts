import type Database from 'better-sqlite3';
import { bulkStock, type BulkStock, type StockPort } from '../bulk/bulk-stock.js';
import type { Queries } from '../queries.js';
import { ledgerInsert } from './ledger-insert.js';

/** A private connection. */
export interface BulkConnection {
  readonly database: Database.Database;
  readonly queries: () => { readonly queries: Queries; readonly end: () => void };
  /** Takes the write lock; refuses with `store_busy`. */
  readonly begin: () => Promise<void>;
  readonly explain: (error: unknown) => unknown;
  readonly close: () => Promise<void>;
}

/** The transactions of a private connection. */
function transactionsOn({ database, queries, begin, explain, close }: BulkConnection): Omit<StockPort, 'insert'> {
  const run = async <T>(start: () => Promise<void>, work: (queries: Queries) => Promise<T>, end: 'COMMIT' | 'ROLLBACK'): Promise<T> => {
    const scope = queries();
    try {
      await start();
      const result = await work(scope.queries);
      database.exec(end);
      return result;
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw explain(error);
    } finally {
      scope.end();
    }
  };
  return {
    // The first read takes the snapshot.
    read: (work) => run(async () => void database.exec('BEGIN'), work, 'COMMIT'),
    write: (work, { dryRun = false } = {}) => run(begin, work, dryRun ? 'ROLLBACK' : 'COMMIT'),
    close,
  };
}

/** Bulk stock changes on a private connection. */
export function bulkStockOn(connection: BulkConnection): BulkStock {
  const { database } = connection;
  // In KiB. Rows are sorted by pet, so a small cache is enough.
  database.pragma('cache_size = -8192');
  // The former pages of each statement, which SQLite keeps to undo it, are few: in a file they take a tenth of the time.
  database.pragma('temp_store = MEMORY');
  return bulkStock({
    ...transactionsOn(connection),
    insert: async (_, { kind, notes, blocks }, batch) => {
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
  });
}
