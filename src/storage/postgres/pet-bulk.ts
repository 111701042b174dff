import type { BulkPets, PetCreation, StagedCategory, StagedPet, StagedPets, StagedPosition } from '../bulk/bulk-port.js';
import type { Engine } from '../engine.js';
import type { Queries } from '../queries.js';
import { stagedRowsLost } from '../errors.js';
import { stagedPetCells, stagedPetColumns } from '../bulk/staged-pets.js';
import { sql, type Sql } from '../sql.js';
import { highestId } from '../tables/ids.js';
import { numbersText } from './arrays.js';
import { copyLine } from './copy-rows.js';
import { insertOpenings, insertPets, rowsOfRun } from './new-pets.js';
import type { Staging } from './staging.js';

/** Rows per DELETE, to bound the memory for any number of rows. */
const rowsPerDelete = 10_000;
/** Characters of rows that are sent together. */
const textTogether = 1 << 19;

const names = stagedPetColumns.map(([name]) => name);

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
    const count = await queries.runAndCount(sql`DELETE FROM staged_pets WHERE run = ${run} AND ${condition}`);
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

/** Creates the pets that are left of the staged ones, their stock and their ledger entries, each with one statement. */
async function createAll(
  queries: Queries,
  staging: Staging,
  { removed, held }: Pick<Staged, 'held'> & { readonly removed: number },
  { batchId, categories, pets }: PetCreation,
): Promise<void> {
  const rows = rowsOfRun(staging.run(), removed === 0);
  const last = await highestId(queries, 'pets');
  const created = await insertPets(queries, rows, last, categories);
  if (created !== pets) throw stagedRowsLost(staging.where, pets, created);
  await insertOpenings(queries, { rows, last, batchId, hasHeld: held > 0 });
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
        lines += copyLine([run, staged.rows, ...stagedPetCells(pet)]);
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
  let created = 0;
  const explained = async (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      throw staging.explain(error);
    });
  return {
    add: (pets) => explained(add(pets)),
    create: async (decide, { dryRun = false } = {}) => {
      await explained(end());
      await engine.write(
        async (queries) => {
          const drafts = stagedPets(queries, staging.run(), staged);
          const creation = await decide(queries, drafts);
          if (creation) await createAll(queries, staging, { removed: drafts.removed(), held: staged.held }, creation);
        },
        { dryRun },
      );
      created = dryRun ? 0 : staged.rows;
    },
    close: () => staging.close(created),
  };
}
