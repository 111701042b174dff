import type { BulkPets, PetCreation, StagedCategory, StagedPets, StagedPosition } from '../bulk/bulk-port.js';
import { settingValue } from '../tables/setting-table.js';
import { newPetColumns, stagedPetCells, stagedPetColumns } from '../bulk/staged-pets.js';
import { batchedInsert } from './insert.js';
import type { BulkConnection } from './bulk.js';
import type Database from 'better-sqlite3';

const names = stagedPetColumns.map(([name]) => name);

const schema = `
  CREATE TEMP TABLE staged_pets (${stagedPetColumns.map(([name, type]) => `"${name}" ${type === 'number' ? 'INTEGER' : 'TEXT'}`).join(', ')});
  CREATE TEMP TABLE staged_categories (category TEXT PRIMARY KEY, id INTEGER NOT NULL);`;

/** Renumbers the rows without gaps, because new ids are derived from the row number. */
function closeGaps(database: Database.Database): void {
  database.exec(`CREATE TEMP TABLE kept AS SELECT ${names.join(', ')} FROM temp.staged_pets ORDER BY rowid; DELETE FROM temp.staged_pets;
    INSERT INTO temp.staged_pets SELECT * FROM temp.kept ORDER BY rowid; DROP TABLE temp.kept;`);
}

/** Creates the pets, their stock and their ledger entries, each with one statement. */
function create(database: Database.Database, { batchId, categories }: PetCreation): void {
  const categoryId = database.prepare('INSERT INTO temp.staged_categories (category, id) VALUES (?, ?)');
  for (const entry of categories) categoryId.run(...entry);
  const last = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM pets').pluck().get() ?? 0;
  const columns = newPetColumns('? + d.rowid');
  database
    .prepare(
      `INSERT INTO pets (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')}
       FROM temp.staged_pets d CROSS JOIN temp.staged_categories c WHERE c.category = d.category ORDER BY d.rowid`,
    )
    .run(last);
  database
    .prepare(
      `INSERT INTO stock (pet_id, quantity, low_at) SELECT ? + rowid, opening, ${settingValue('lowAt').text}
       FROM temp.staged_pets ORDER BY rowid`,
    )
    .run(last);
  // A pet on hold has a second entry after its opening.
  database
    .prepare(
      `INSERT INTO ledger (kind, pet_id, delta, quantity_after, batch_id, line)
       SELECT CASE k.n WHEN 0 THEN 'opening' ELSE 'pet.held' END, ? + d.rowid, CASE k.n WHEN 0 THEN d.opening END, CASE k.n WHEN 0 THEN d.opening END, ?, d.line
       FROM temp.staged_pets d CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 1) k WHERE k.n = 0 OR d.hold = 1 ORDER BY d.rowid, k.n`,
    )
    .run(last, batchId);
}

/** Removes matching rows and reports each; returns their number. */
function removeStaged(database: Database.Database, condition: string, values: readonly string[], onRemoved: (position: StagedPosition) => void): number {
  const removed = database.prepare<string[], StagedPosition>(`SELECT place AS rowIndex, line FROM temp.staged_pets WHERE ${condition} ORDER BY rowid`);
  for (const position of removed.iterate(...values)) onRemoved(position);
  return database.prepare<string[]>(`DELETE FROM temp.staged_pets WHERE ${condition}`).run(...values).changes;
}

/** Stages pets in a temporary table of a private connection. */
export function bulkPets({ database, queries, begin, explain, close }: BulkConnection): BulkPets {
  database.exec(schema);
  const { add, flush } = batchedInsert(database, 'temp.staged_pets', names);
  let hasNoGaps = true;
  const remove = (condition: string, values: readonly string[], onRemoved: (position: StagedPosition) => void): number => {
    const count = removeStaged(database, condition, values, onRemoved);
    hasNoGaps &&= count === 0;
    return count;
  };
  return {
    add: async (pets) => {
      for (const pet of pets) add(stagedPetCells(pet));
    },
    create: async (decide, { dryRun = false } = {}) => {
      flush();
      await begin();
      const scope = queries();
      try {
        const drafts: StagedPets = {
          keepOnly: async (rowIndexes) => {
            database.exec('CREATE TEMP TABLE wanted (place INTEGER PRIMARY KEY)');
            const want = database.prepare('INSERT INTO temp.wanted (place) VALUES (?)');
            for (const rowIndex of rowIndexes) want.run(rowIndex);
            return remove('place NOT IN (SELECT place FROM temp.wanted)', [], () => undefined);
          },
          categories: async () =>
            database.prepare<[], StagedCategory>('SELECT category, min(line) AS line FROM temp.staged_pets GROUP BY category ORDER BY min(rowid)').all(),
          removeCategory: async (category, onRemoved) => void remove('category = ?', [category], onRemoved),
          count: async () => database.prepare<[], number>('SELECT count(*) FROM temp.staged_pets').pluck().get() ?? 0,
        };
        const decision = await decide(scope.queries, drafts);
        if (decision && !hasNoGaps) closeGaps(database);
        if (decision) create(database, decision);
        database.exec(dryRun ? 'ROLLBACK' : 'COMMIT');
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
