import type { Cell, Queries, WriteOptions } from '../queries.js';
import { join, list, raw, sql, type Sql } from '../sql.js';
import { highestId } from '../tables/ids.js';
import { settingValue } from '../tables/setting-table.js';
import type { PetCreation, StagedCategory, StagedPet, StagedPets, StagedPosition } from './bulk-port.js';
import type { BulkPort } from './bulk-stock.js';
import { newPetColumns, stagedPetCells, stagedPetColumns } from './staged-pets.js';

/** What an engine does for a bulk import of pets. Inside `write` the rows are in the table `staged_pets`. */
export interface PetPort extends BulkPort {
  /** Stages rows: a number, and the cells of `stagedPetColumns`. */
  readonly add: (rows: readonly (readonly Cell[])[]) => Promise<void>;
}

/** Rows per DELETE, to bound the memory for any number of rows. */
const rowsPerDelete = 2000;

const names = stagedPetColumns.map(([name]) => name).join(', ');

/** What was staged. */
interface Staged {
  rows: number;
  /** How many of the pets are on hold. */
  held: number;
  /** The categories as written in the file, and the first line of each. */
  readonly categories: Map<string, number>;
}

/** Groups of at most `size` numbers. */
function* groupsOf(numbers: Iterable<number>, size: number): Generator<readonly number[], void> {
  let group: number[] = [];
  for (const number of numbers) {
    group.push(number);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** The staged pets, inside the transaction that creates them; `removed` counts the rows that were removed in it. */
function stagedPets(queries: Queries, staged: Staged): StagedPets & { readonly removed: () => number } {
  let removed = 0;
  const deleteWhere = async (condition: Sql): Promise<number> => {
    const count = await queries.runAndCount(sql`DELETE FROM staged_pets WHERE ${condition}`);
    removed += count;
    return count;
  };
  return {
    removed: () => removed,
    keepOnly: async (rowIndexes) => {
      let [count, from] = [0, 0];
      for (const wanted of groupsOf(rowIndexes, rowsPerDelete)) {
        const last = wanted.at(-1) ?? from;
        count += await deleteWhere(sql`place BETWEEN ${from} AND ${last} AND place NOT IN ${list(wanted)}`);
        from = last + 1;
      }
      return count + (await deleteWhere(sql`place >= ${from}`));
    },
    remove: async (rowIndexes) => {
      for (const unwanted of groupsOf(rowIndexes, rowsPerDelete)) await deleteWhere(sql`place IN ${list(unwanted)}`);
    },
    categories: async () => {
      if (removed === 0) return [...staged.categories].map(([category, line]) => ({ category, line }));
      return queries.all<StagedCategory>(sql`SELECT category, min(line) AS line FROM staged_pets GROUP BY category ORDER BY min(place)`);
    },
    removeCategory: async (category, onRemoved) => {
      for (let from = 0; ;) {
        const next = sql`SELECT place FROM staged_pets WHERE category = ${category} AND place >= ${from} ORDER BY place LIMIT ${rowsPerDelete}`;
        const gone = await queries.all<StagedPosition>(sql`DELETE FROM staged_pets WHERE place IN (${next}) RETURNING place AS "rowIndex", line`);
        removed += gone.length;
        for (const position of gone) onRemoved(position);
        if (gone.length < rowsPerDelete) return;
        from = gone.reduce((last, { rowIndex }) => Math.max(last, rowIndex), from);
      }
    },
    count: async () => {
      const ofHeld = sql`SELECT count(*) AS held FROM staged_pets WHERE hold = 1`;
      const held = removed === 0 ? staged.held : ((await queries.get<{ readonly held: number }>(ofHeld))?.held ?? 0);
      return { pets: staged.rows - removed, held };
    },
  };
}

/** Inserts pets whose ids follow `last`, and their stock. `categories` are the ids by spelling in the file. */
async function insertPets(queries: Queries, rows: Sql, last: number, categories: ReadonlyMap<string, number>): Promise<void> {
  if (categories.size === 0) return;
  const spellings = [...categories].map(([category, id]) => sql`(CAST(${category} AS TEXT), CAST(${id} AS BIGINT))`);
  const columns = newPetColumns(`${last} + d.number`);
  // SQLite reads the tables of a CROSS JOIN in this order, so that the ids ascend.
  const insert = sql`WITH c (category, id) AS (VALUES ${join(spellings, ', ')})
    INSERT INTO pets (${raw(Object.keys(columns).join(', '))})
    SELECT ${raw(Object.values(columns).join(', '))} FROM ${rows} CROSS JOIN c WHERE c.category = d.category`;
  await queries.run(insert);
  await queries.run(sql`INSERT INTO stock (pet_id, quantity, low_at)
    SELECT ${last} + d.number, d.opening, ${settingValue('lowAt')} FROM ${rows}`);
}

/** Inserts the ledger entries of new pets. One on hold has a second entry after its opening. */
async function insertOpenings(queries: Queries, rows: Sql, last: number, { batchId, hasHeld }: { readonly batchId: number; readonly hasHeld: boolean }) {
  const entries = hasHeld
    ? sql`${rows} CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 1) AS k WHERE k.n = 0 OR d.hold = 1`
    : sql`${rows} CROSS JOIN (SELECT 0 AS n) AS k`;
  const number = hasHeld ? sql`row_number() OVER (ORDER BY d.number, k.n)` : sql`d.number`;
  await queries.run(sql`INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, line)
    SELECT (SELECT coalesce(max(id), 0) FROM ledger) + ${number}, CASE k.n WHEN 0 THEN 'opening' ELSE 'pet.held' END, ${last} + d.number,
    CASE k.n WHEN 0 THEN d.opening END, CASE k.n WHEN 0 THEN d.opening END, CAST(${batchId} AS BIGINT), d.line
    FROM ${entries} ORDER BY d.number, k.n`);
}

/** Creates the pets that are left of the staged ones, their stock and their ledger entries, each with one statement. */
async function createPets(queries: Queries, held: number, removed: number, { batchId, categories, next }: PetCreation): Promise<void> {
  // The numbers of the rows are consecutive: those they were staged with, or new ones where rows were removed.
  const number = removed === 0 ? 'number' : 'row_number() OVER (ORDER BY place) AS number';
  const rows = sql`(SELECT ${raw(`${number}, ${names}`)} FROM staged_pets) AS d`;
  const last = await highestId(queries, 'pets');
  await insertPets(queries, rows, last, categories);
  await insertOpenings(queries, rows, last, { batchId, hasHeld: held > 0 });
  await next(queries, last);
}

/** Many new pets, staged privately without a lock on the shop, then created in one write transaction. */
export function bulkPets(port: PetPort) {
  const staged: Staged = { rows: 0, held: 0, categories: new Map() };
  return {
    /** Stages pets. Refuses with `store_full` when there is no room. */
    add: async (pets: readonly StagedPet[]): Promise<void> => {
      const rows = pets.map((pet) => {
        const { category, line } = pet.draft;
        staged.rows += 1;
        staged.held += pet.hold;
        // Copied: `category` may be a slice that keeps a much longer string in memory.
        if (!staged.categories.has(category)) staged.categories.set(Buffer.from(category).toString(), line);
        return [staged.rows, ...stagedPetCells(pet)];
      });
      await port.add(rows);
    },
    /**
     * Creates the pets that `decide` leaves staged under the lock, none when it returns undefined, and rolls that back with `dryRun`. Refuses
     * with `store_busy` when the lock is not released in time.
     */
    create: (decide: (queries: Queries, pets: StagedPets) => Promise<PetCreation | undefined>, options?: Pick<WriteOptions, 'dryRun'>): Promise<void> =>
      port.write(async (queries) => {
        const pets = stagedPets(queries, staged);
        const creation = await decide(queries, pets);
        if (creation) await createPets(queries, staged.held, pets.removed(), creation);
      }, options),
    close: port.close,
  };
}

/** A bulk import of pets that an engine has opened. */
export type BulkPets = ReturnType<typeof bulkPets>;
