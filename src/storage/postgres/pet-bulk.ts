import type { PetCreation, StagedCategory, StagedPosition, StagedPets, Engine, BulkPets, Queries, StagedPet } from '../engine.js';
import { stagedRowsLost } from '../errors.js';
import { newPetColumns, stagedCells, stagedColumns } from '../bulk/staged-pets.js';
import { raw, sql, type Sql } from '../sql.js';
import { numbersText, textsText } from './arrays.js';
import { copyLine } from './copy-rows.js';
import type { Staging } from './staging.js';

/** Rows per DELETE, to bound the memory for any number of rows. */
const rowsPerDelete = 10_000;
/** Characters of rows that are sent together. */
const textTogether = 1 << 19;

const names = stagedColumns.map(([name]) => name);

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

/** The staged pets of a run, inside the transaction that creates them; `removed` counts the rows that were removed in it. */
function stagedPets(queries: Queries, run: string, staged: Staged): StagedPets & { readonly removed: () => number } {
  let removed = 0;
  const deleteWhere = async (condition: Sql): Promise<number> => {
    const count = await queries.run(sql`DELETE FROM staged_pets WHERE run = ${run} AND ${condition}`);
    removed += count;
    return count;
  };
  return {
    removed: () => removed,
    keepOnly: async (rowIndexes) => {
      let [count, from] = [0, 0];
      for (const wanted of groupsOf(rowIndexes, rowsPerDelete)) {
        const last = wanted.at(-1) ?? from;
        count += await deleteWhere(sql`place BETWEEN ${from} AND ${last} AND place NOT IN (SELECT unnest(CAST(${numbersText(wanted)} AS BIGINT[])))`);
        from = last + 1;
      }
      return count + (await deleteWhere(sql`place >= ${from}`));
    },
    categories: async () => {
      if (removed === 0) return [...staged.categories].map(([category, line]) => ({ category, line }));
      return queries.all<StagedCategory>(sql`SELECT category, min(line) AS line FROM staged_pets WHERE run = ${run} GROUP BY category ORDER BY min(place)`);
    },
    removeCategory: async (category, onRemoved) => {
      for (let from = 0; ;) {
        const next = sql`SELECT place FROM staged_pets WHERE run = ${run} AND category = ${category} AND place >= ${from} ORDER BY place LIMIT ${rowsPerDelete}`;
        const gone = await queries.all<StagedPosition>(
          sql`DELETE FROM staged_pets WHERE run = ${run} AND place IN (${next}) RETURNING place AS "rowIndex", line`,
        );
        removed += gone.length;
        for (const position of gone) onRemoved(position);
        if (gone.length < rowsPerDelete) return;
        from = gone.reduce((last, { rowIndex }) => Math.max(last, rowIndex), from);
      }
    },
    count: async () => staged.rows - removed,
  };
}

/** The staged rows with consecutive numbers. A sort of many rows takes long, so they keep those they were staged with unless some were removed. */
function numberedRows(run: string, isComplete: boolean): Sql {
  const number = isComplete ? 'number' : 'row_number() OVER (ORDER BY place) AS number';
  return sql`(SELECT ${raw([number, ...names].join(', '))} FROM staged_pets WHERE run = ${run}) AS d`;
}

/** Creates the pets, their stock and their ledger entries, each with one statement. */
async function create(queries: Queries, where: string, rows: Sql, hasHeld: boolean, { batchId, categories, pets }: PetCreation): Promise<void> {
  const found = await queries.get<{ readonly id: number }>(sql`SELECT coalesce(max(id), 0) AS id FROM pets`);
  const last = found?.id ?? 0;
  const spellings = sql`unnest(CAST(${textsText([...categories.keys()])} AS TEXT[]), CAST(${numbersText([...categories.values()])} AS BIGINT[])) AS c (category, id)`;
  const columns = newPetColumns(`${last} + d.number`);
  const created = await queries.run(sql`INSERT INTO pets (${raw(Object.keys(columns).join(', '))})
    SELECT ${raw(Object.values(columns).join(', '))} FROM ${rows} JOIN ${spellings} ON c.category = d.category`);
  const stocked = await queries.run(sql`INSERT INTO stock (pet_id, quantity, low_at)
    SELECT ${last} + d.number, d.opening, (SELECT CAST(value AS BIGINT) FROM settings WHERE name = 'low-at') FROM ${rows}`);
  if (created !== pets || stocked !== pets) throw stagedRowsLost(where, pets, Math.min(created, stocked));
  // A pet on hold has a second entry after its opening.
  const entries = hasHeld
    ? sql`${rows} CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 1) AS k WHERE k.n = 0 OR d.hold = 1`
    : sql`${rows} CROSS JOIN (SELECT 0 AS n) AS k`;
  const number = hasHeld ? sql`row_number() OVER (ORDER BY d.number, k.n)` : sql`d.number`;
  await queries.run(sql`INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, line)
    SELECT (SELECT coalesce(max(id), 0) FROM ledger) + ${number}, CASE k.n WHEN 0 THEN 'opening' ELSE 'pet.held' END, ${last} + d.number,
    CASE k.n WHEN 0 THEN d.opening END, CASE k.n WHEN 0 THEN d.opening END, CAST(${batchId} AS BIGINT), d.line
    FROM ${entries}`);
}

/** Sends rows to the staging table. Each part is stored as a whole; after a lost connection it is sent again unless it was stored. */
function sender(staging: Staging): (lines: string) => Promise<void> {
  const run = staging.run();
  let stored = 0;
  let isUncertain = false;
  return (lines) =>
    staging.untilConnected(() =>
      staging.connected(async ({ queries, copy }) => {
        if (isUncertain) {
          const found = (await queries.get<{ readonly rows: number }>(sql`SELECT count(*) AS rows FROM staged_pets WHERE run = ${run}`))?.rows ?? 0;
          if (found < stored) throw stagedRowsLost(staging.where, stored, found);
          isUncertain = false;
          if (found > stored) {
            stored = found;
            return;
          }
        }
        isUncertain = true;
        const { write, end } = copy(['run', 'number', ...names]);
        await write(lines);
        stored += await end();
        isUncertain = false;
      }),
    );
}

/** Stages pets as private rows of a table; one part is sent while the next is read. */
function stager(staging: Staging): { readonly staged: Staged; readonly add: (pets: readonly StagedPet[]) => Promise<void>; readonly end: () => Promise<void> } {
  const staged: Staged = { rows: 0, held: 0, categories: new Map() };
  const send = sender(staging);
  const run = staging.run();
  let sending: Promise<void> = Promise.resolve();
  let lines = '';
  const flush = async (): Promise<void> => {
    await sending;
    if (lines === '') return;
    sending = send(lines);
    // The next await reports a failure.
    sending.catch(() => undefined);
    lines = '';
  };
  return {
    staged,
    add: async (pets) => {
      for (const pet of pets) {
        const { category, line } = pet.draft;
        staged.rows += 1;
        staged.held += pet.hold;
        // Copied: `category` may be a slice that keeps a much longer string in memory.
        if (!staged.categories.has(category)) staged.categories.set(Buffer.from(category).toString(), line);
        lines += copyLine([run, staged.rows, ...stagedCells(pet)]);
      }
      if (lines.length >= textTogether) await flush();
    },
    end: async () => {
      await flush();
      await sending;
    },
  };
}

/** Many new pets, staged as private rows of a table. */
export function bulkPets(engine: Pick<Engine, 'write'>, staging: Staging): BulkPets {
  const { staged, add, end } = stager(staging);
  const explained = async (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      throw staging.explain(error);
    });
  return {
    add: (pets) => explained(add(pets)),
    create: async (decide, keep) => {
      await explained(end());
      await engine.write(async (queries) => {
        const drafts = stagedPets(queries, staging.run(), staged);
        const creation = await decide(queries, drafts);
        if (creation) await create(queries, staging.where, numberedRows(staging.run(), drafts.removed() === 0), staged.held > 0, creation);
      }, keep);
      if (keep) await staging.updateStatistics(staged.rows);
    },
    close: staging.close,
  };
}
