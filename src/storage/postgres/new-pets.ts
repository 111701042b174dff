import type { Queries } from '../queries.js';
import { newPetColumns, stagedPetColumns } from '../bulk/staged-pets.js';
import { settingValue } from '../tables/setting-table.js';
import { raw, sql, type Sql } from '../sql.js';
import { numbersText, textsText } from './arrays.js';
import { withPlanner } from './statements.js';

const names = stagedPetColumns.map(([name]) => name).join(', ');

/** The staged rows of a run. Their numbers are consecutive: those they were staged with, or new ones where rows were removed, which sorts all of them. */
export function rowsOfRun(run: string, isComplete: boolean): Sql {
  const number = isComplete ? 'number' : 'row_number() OVER (ORDER BY place) AS number';
  return sql`(SELECT ${raw(`${number}, ${names}`)} FROM staged_pets WHERE run = ${run}) AS d`;
}

/** Inserts pets whose ids follow `last`, and their stock; returns their number. `categories` are the ids by spelling in the file. */
export async function insertPets(queries: Queries, rows: Sql, last: number, categories: ReadonlyMap<string, number>): Promise<number> {
  const spellings = sql`unnest(CAST(${textsText([...categories.keys()])} AS TEXT[]), CAST(${numbersText([...categories.values()])} AS BIGINT[])) AS c (category, id)`;
  const columns = newPetColumns(`${last} + d.number`);
  let created = 0;
  // The planner expects few staged rows, and would search the list of categories for each.
  await withPlanner(queries, ['enable_nestloop'], async () => {
    created = await queries.runAndCount(sql`INSERT INTO pets (${raw(Object.keys(columns).join(', '))})
      SELECT ${raw(Object.values(columns).join(', '))} FROM ${rows} JOIN ${spellings} ON c.category = d.category`);
  });
  const stocked = await queries.runAndCount(sql`INSERT INTO stock (pet_id, quantity, low_at)
    SELECT ${last} + d.number, d.opening, ${settingValue('lowAt')} FROM ${rows}`);
  return Math.min(created, stocked);
}

/** The pets of a batch whose openings are recorded. */
interface OpenedPets {
  /** The staged rows of the pets. */
  readonly rows: Sql;
  /** The last pet before them: their ids follow it. */
  readonly last: number;
  readonly batchId: number;
  /** Whether some of them are on hold, so that they have a second entry after their opening. */
  readonly hasHeld: boolean;
}

/** Inserts the ledger entries of new pets. */
export async function insertOpenings(queries: Queries, { rows, last, batchId, hasHeld }: OpenedPets): Promise<void> {
  const entries = hasHeld
    ? sql`${rows} CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 1) AS k WHERE k.n = 0 OR d.hold = 1`
    : sql`${rows} CROSS JOIN (SELECT 0 AS n) AS k`;
  const number = hasHeld ? sql`row_number() OVER (ORDER BY d.number, k.n)` : sql`d.number`;
  await queries.run(sql`INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, line)
    SELECT (SELECT coalesce(max(id), 0) FROM ledger) + ${number}, CASE k.n WHEN 0 THEN 'opening' ELSE 'pet.held' END, ${last} + d.number,
    CASE k.n WHEN 0 THEN d.opening END, CASE k.n WHEN 0 THEN d.opening END, CAST(${batchId} AS BIGINT), d.line
    FROM ${entries}`);
}
