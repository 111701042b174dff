import type Database from 'better-sqlite3';
import type { StagedCategory, StagedPosition, BulkPets } from '../engine.js';
import { batchedInsert } from './insert.js';
import type { BulkConnection } from './bulk.js';

const schema = `
  CREATE TEMP TABLE drafts (row_index INTEGER NOT NULL, line INTEGER NOT NULL, name TEXT NOT NULL, folded TEXT NOT NULL, category TEXT NOT NULL,
    hold INTEGER NOT NULL, opening INTEGER NOT NULL);
  CREATE TEMP TABLE draft_categories (category TEXT PRIMARY KEY, id INTEGER NOT NULL);`;

const columns = ['row_index', 'line', 'name', 'folded', 'category', 'hold', 'opening'] as const;

/** Renumbers the rows without gaps, because new ids are derived from the row number. */
function closeGaps(database: Database.Database): void {
  database.exec(`CREATE TEMP TABLE kept AS SELECT ${columns.join(', ')} FROM temp.drafts ORDER BY rowid; DELETE FROM temp.drafts;
    INSERT INTO temp.drafts SELECT * FROM temp.kept ORDER BY rowid; DROP TABLE temp.kept;`);
}

/** Creates the pets, their stock and their ledger entries, each with one statement. */
function create(database: Database.Database, batchId: number, categories: ReadonlyMap<string, number>): void {
  const categoryId = database.prepare('INSERT INTO temp.draft_categories (category, id) VALUES (?, ?)');
  for (const entry of categories) categoryId.run(...entry);
  const last = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM pets').pluck().get() ?? 0;
  database
    .prepare(
      `INSERT INTO pets (id, name, folded, category_id, hold) SELECT ? + d.rowid, d.name, d.folded, c.id, d.hold
       FROM temp.drafts d CROSS JOIN temp.draft_categories c WHERE c.category = d.category ORDER BY d.rowid`,
    )
    .run(last);
  database
    .prepare(
      `INSERT INTO stock (pet_id, quantity, low_at) SELECT ? + rowid, opening, (SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'low-at')
       FROM temp.drafts ORDER BY rowid`,
    )
    .run(last);
  // A pet on hold has a second entry after its opening.
  database
    .prepare(
      `INSERT INTO ledger (kind, pet_id, delta, quantity_after, batch_id, line)
       SELECT CASE k.n WHEN 0 THEN 'opening' ELSE 'pet.held' END, ? + d.rowid, CASE k.n WHEN 0 THEN d.opening END, CASE k.n WHEN 0 THEN d.opening END, ?, d.line
       FROM temp.drafts d CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 1) k WHERE k.n = 0 OR d.hold = 1 ORDER BY d.rowid, k.n`,
    )
    .run(last, batchId);
}

/** Removes matching rows and reports each; returns their number. */
function removeStaged(database: Database.Database, condition: string, values: readonly string[], onRemoved: (position: StagedPosition) => void): number {
  const removed = database.prepare<string[], StagedPosition>(`SELECT row_index AS rowIndex, line FROM temp.drafts WHERE ${condition} ORDER BY rowid`);
  for (const position of removed.iterate(...values)) onRemoved(position);
  return database.prepare<string[]>(`DELETE FROM temp.drafts WHERE ${condition}`).run(...values).changes;
}

/** Stages pets in a temporary table of a private connection. */
export function bulkPets({ database, queries, begin, explain, close }: BulkConnection): BulkPets {
  database.exec(schema);
  const { add, flush } = batchedInsert(database, 'temp.drafts', columns);
  let whole = true;
  const remove = (condition: string, values: readonly string[], onRemoved: (position: StagedPosition) => void): number => {
    const count = removeStaged(database, condition, values, onRemoved);
    whole &&= count === 0;
    return count;
  };
  return {
    add: async (pets) => {
      for (const { rowIndex, line, name, folded, category, hold, opening } of pets) add([rowIndex, line, name, folded, category, hold ? 1 : 0, opening]);
    },
    create: async (decide, keep) => {
      flush();
      await begin();
      const scope = queries();
      try {
        const decision = await decide(scope.queries, {
          keepOnly: async (rowIndexes) => {
            database.exec('CREATE TEMP TABLE wanted (row_index INTEGER PRIMARY KEY)');
            const want = database.prepare('INSERT INTO temp.wanted (row_index) VALUES (?)');
            for (const rowIndex of rowIndexes) want.run(rowIndex);
            return remove('row_index NOT IN (SELECT row_index FROM temp.wanted)', [], () => undefined);
          },
          categories: async () =>
            database.prepare<[], StagedCategory>('SELECT category, min(line) AS line FROM temp.drafts GROUP BY category ORDER BY min(rowid)').all(),
          removeCategory: async (category, onRemoved) => void remove('category = ?', [category], onRemoved),
          count: async () => database.prepare<[], number>('SELECT count(*) FROM temp.drafts').pluck().get() ?? 0,
        });
        if (decision && !whole) closeGaps(database);
        if (decision) create(database, decision.batchId, decision.categories);
        database.exec(keep ? 'COMMIT' : 'ROLLBACK');
      } catch (error) {
        throw explain(error);
      } finally {
        scope.end();
        if (database.inTransaction) database.exec('ROLLBACK');
      }
    },
    close,
  };
}
