import type { PetCreation, StagedCategory, StagedPosition, StagedPets, Engine, BulkPets, Queries, StagedPet } from '../engine.js';
import { stagedRowsLost } from '../errors.js';
import { newPetColumns, stagedCells, stagedColumns } from '../bulk/staged-pets.js';
import { join, raw, sql, type Sql } from '../sql.js';
import { arrayOf, elementType, numbersText, textsText, type Staging } from './staging.js';

/** Rows per DELETE, to bound the memory for any number of rows. */
const rowsPerDelete = 10_000;

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

/** The staged pets of a run, inside the transaction that creates them. */
function stagedPets(queries: Queries, run: string): StagedPets {
  const deleteWhere = (condition: Sql): Promise<number> => queries.run(sql`DELETE FROM staged_pets WHERE run = ${run} AND ${condition}`);
  return {
    keepOnly: async (rowIndexes) => {
      let [count, from] = [0, 0];
      for (const wanted of groupsOf(rowIndexes, rowsPerDelete)) {
        const last = wanted.at(-1) ?? from;
        count += await deleteWhere(sql`place BETWEEN ${from} AND ${last} AND place NOT IN (SELECT unnest(CAST(${numbersText(wanted)} AS BIGINT[])))`);
        from = last + 1;
      }
      return count + (await deleteWhere(sql`place >= ${from}`));
    },
    categories: () =>
      queries.all<StagedCategory>(sql`SELECT category, min(line) AS line FROM staged_pets WHERE run = ${run} GROUP BY category ORDER BY min(place)`),
    removeCategory: async (category, onRemoved) => {
      for (let from = 0; ;) {
        const next = sql`SELECT place FROM staged_pets WHERE run = ${run} AND category = ${category} AND place >= ${from} ORDER BY place LIMIT ${rowsPerDelete}`;
        const removed = await queries.all<StagedPosition>(
          sql`DELETE FROM staged_pets WHERE run = ${run} AND place IN (${next}) RETURNING place AS "rowIndex", line`,
        );
        for (const position of removed) onRemoved(position);
        if (removed.length < rowsPerDelete) return;
        from = removed.reduce((last, { rowIndex }) => Math.max(last, rowIndex), from);
      }
    },
    count: async () => (await queries.get<{ readonly count: number }>(sql`SELECT count(*) AS count FROM staged_pets WHERE run = ${run}`))?.count ?? 0,
  };
}

/** Creates the pets, their stock and their ledger entries, each with one statement. */
async function create(queries: Queries, { run, where }: Staging, { batchId, categories, pets }: PetCreation): Promise<void> {
  const found = await queries.get<{ readonly id: number }>(sql`SELECT coalesce(max(id), 0) AS id FROM pets`);
  const last = found?.id ?? 0;
  const numbered = sql`(SELECT row_number() OVER (ORDER BY place) AS number, s.* FROM staged_pets s WHERE run = ${run}) AS d`;
  const spellings = sql`unnest(CAST(${textsText([...categories.keys()])} AS TEXT[]), CAST(${numbersText([...categories.values()])} AS BIGINT[])) AS c (category, id)`;
  const columns = newPetColumns(`${last} + d.number`);
  const created = await queries.run(sql`INSERT INTO pets (${raw(Object.keys(columns).join(', '))})
    SELECT ${raw(Object.values(columns).join(', '))} FROM ${numbered} JOIN ${spellings} ON c.category = d.category`);
  const stocked = await queries.run(sql`INSERT INTO stock (pet_id, quantity, low_at)
    SELECT ${last} + d.number, d.opening, (SELECT CAST(value AS BIGINT) FROM settings WHERE name = 'low-at') FROM ${numbered}`);
  if (created !== pets || stocked !== pets) throw stagedRowsLost(where, pets, Math.min(created, stocked));
  // A pet on hold has a second entry after its opening.
  await queries.run(sql`INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, line)
    SELECT m.id + row_number() OVER (ORDER BY d.number, k.n), CASE k.n WHEN 0 THEN 'opening' ELSE 'pet.held' END, ${last} + d.number,
    CASE k.n WHEN 0 THEN d.opening END, CASE k.n WHEN 0 THEN d.opening END, CAST(${batchId} AS BIGINT), d.line
    FROM (SELECT coalesce(max(id), 0) AS id FROM ledger) AS m CROSS JOIN ${numbered} CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 1) AS k
    WHERE k.n = 0 OR d.hold = 1`);
}

async function insert({ run, queries }: Staging, pets: readonly StagedPet[]): Promise<void> {
  const rows = pets.map(stagedCells);
  const arrays = stagedColumns.map(
    ([, type], index) =>
      sql`CAST(${arrayOf(
        type,
        rows.map((row) => row[index]),
      )} AS ${raw(elementType[type])}[])`,
  );
  await queries.run(sql`INSERT INTO staged_pets (run, ${raw(stagedColumns.map(([name]) => name).join(', '))})
    SELECT CAST(${run} AS TEXT), u.* FROM unnest(${join(arrays, ', ')}) AS u`);
}

/** Stages pets in a private section of the staging table. */
export function bulkPets(engine: Pick<Engine, 'write'>, staging: Staging): BulkPets {
  const { run, where, explain, close } = staging;
  let added = 0;
  return {
    add: async (pets) => {
      if (pets.length === 0) return;
      try {
        await insert(staging, pets);
      } catch (error) {
        throw explain(error);
      }
      added += pets.length;
    },
    create: (decide, keep) =>
      engine.write(async (queries) => {
        const drafts = stagedPets(queries, run);
        const found = await drafts.count();
        if (found !== added) throw stagedRowsLost(where, added, found);
        const creation = await decide(queries, drafts);
        if (creation) await create(queries, staging, creation);
      }, keep),
    close,
  };
}
