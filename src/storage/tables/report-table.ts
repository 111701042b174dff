import { freeUnits, statusText, entryTime, ledgerWithBatches } from './fragments.js';
import type {
  UnsoldPet,
  CategoryMovement,
  CategoryStock,
  DayMovement,
  PetChoice,
  PetMovement,
  ReportReader,
  StatusStock,
} from '../../domain/reports/report-table.js';
import type { Range } from '../../domain/reports/range.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { OffsetSpan } from '../../domain/values/time-zone.js';
import type { Queries } from '../queries.js';
import { all, join, nothing, sql, type Sql } from '../sql.js';
import { firstAfter, firstSince } from './ledger-table.js';

const status = statusText({ hold: sql`p.hold`, quantity: sql`s.quantity`, reserved: sql`s.reserved` });
const ofBatch = sql`LEFT JOIN batches b ON b.id = l.batch_id`;
// With an inner join SQLite would scan the pets instead of a range of entries.
const ofPet = sql`LEFT JOIN pets p ON p.id = l.pet_id`;

/** Groups with the names of their categories, in the order of the categories. */
function named(groups: Sql, column: Sql): Sql {
  return sql`SELECT g.*, c.name AS category FROM (${groups}) AS g JOIN categories c ON c.id = g."categoryId" ORDER BY g."categoryId", ${column}`;
}

const stockNow = named(
  sql`SELECT p.category_id AS "categoryId", ${status} AS status, count(*) AS pets, CAST(sum(s.quantity) AS BIGINT) AS "onHand",
    CAST(sum(s.reserved) AS BIGINT) AS reserved, CAST(sum(${freeUnits} * p.hold) AS BIGINT) AS held,
    CAST(sum(${freeUnits} * (1 - p.hold)) AS BIGINT) AS available
    FROM stock s JOIN pets p ON p.id = s.pet_id GROUP BY 1, 2`,
  sql`g.status`,
);

/**
 * The stock before entry `end`: that of now without what the entries since have changed, which is cheaper than to look up
 * every pet in the ledger.
 */
function stockBefore(end: number): Sql {
  const now = sql`SELECT p.category_id, count(*) AS pets, sum(s.quantity) AS units FROM stock s JOIN pets p ON p.id = s.pet_id GROUP BY 1`;
  const added = sql`sum(CASE WHEN l.kind IN ('opening', 'pet.restored') THEN 1 WHEN l.kind = 'pet.archived' THEN -1 ELSE 0 END)`;
  const since = sql`SELECT p.category_id, -${added} AS pets, -sum(coalesce(l.delta, 0)) AS units FROM ledger l ${ofPet}
    WHERE l.id >= ${end} AND (l.delta IS NOT NULL OR l.kind IN ('pet.restored', 'pet.archived')) GROUP BY 1`;
  return named(
    sql`SELECT category_id AS "categoryId", CAST(sum(pets) AS BIGINT) AS pets, CAST(sum(units) AS BIGINT) AS "onHand"
      FROM (${now} UNION ALL ${since}) AS changes GROUP BY 1 HAVING sum(pets) > 0`,
    sql`g.pets`,
  );
}

/** The units that entries moved, by their kind, whether they added them, and `group`; an undo counts as the kind it reverses, with the opposite sign. */
export function movements(where: Sql, joined = nothing, group?: Sql): Sql {
  return sql`SELECT coalesce(u.kind, l.kind) AS kind, CASE WHEN coalesce(u.delta, l.delta) > 0 THEN 1 ELSE 0 END AS gain,
    CAST(sum(l.delta) AS BIGINT) AS units${group ? sql`, ${group}` : nothing} FROM ledger l ${joined} LEFT JOIN ledger u ON u.id = l.reverses
    WHERE l.delta IS NOT NULL AND ${where} GROUP BY 1, 2${group ? sql`, 4` : nothing}`;
}

/** The entries that changed quantities in a range, summed. */
async function moved(queries: Queries, { from, to }: Range, group: Sql, joined: Sql): Promise<Sql> {
  const range = all([from !== undefined && sql`l.id >= ${await firstSince(queries, from)}`, to !== undefined && sql`l.id < ${await firstAfter(queries, to)}`]);
  return movements(range, joined, group);
}

/** The movements of the chosen pets, with their names and their units on hand before entry `start`. */
function movedPets(groups: Sql, start: number, { bestSold, limit }: PetChoice): Sql {
  const net = sql`sum(CASE WHEN kind IN ('sale', 'return') THEN units ELSE 0 END)`;
  const order = bestSold ? sql`${net}, "petId"` : sql`"petId"`;
  const sold = bestSold ? sql`HAVING ${net} < 0` : nothing;
  const ranked = sql`SELECT "petId", row_number() OVER (ORDER BY ${order}) AS place FROM g GROUP BY "petId" ${sold} ORDER BY place LIMIT ${limit}`;
  const opening = sql`(SELECT m.quantity_after FROM ledger m WHERE m.pet_id = p.id AND m.id < ${start} AND m.delta IS NOT NULL ORDER BY m.id DESC LIMIT 1)`;
  return sql`WITH g AS (${groups}) SELECT g."petId", p.name AS pet, g.kind, g.gain, g.units, coalesce(${opening}, 0) AS opening
    FROM (${ranked}) AS t JOIN g ON g."petId" = t."petId" JOIN pets p ON p.id = g."petId" ORDER BY t.place`;
}

/** The pets that were not sold since an instant. One scan of the ledger, which is faster than to look up the last sale of each pet. */
function unsold(instant: number, limit: number): Sql {
  // A sale does not count once its order was reopened, unless that was undone, nor one without an order once it was undone. The undo of a
  // return or of a reopening is no sale.
  const isReopened = sql`EXISTS (SELECT 1 FROM ledger r WHERE r.order_id = l.order_id AND r.kind = 'return' AND r.current IS NULL AND r.id > l.id
    AND NOT EXISTS (SELECT 1 FROM ledger u WHERE u.reverses = r.id))`;
  const isReversed = sql`(${isReopened} OR (l.order_id IS NULL AND EXISTS (SELECT 1 FROM ledger r WHERE r.reverses = l.id))
    OR EXISTS (SELECT 1 FROM ledger r WHERE r.id = l.reverses AND r.kind = 'return'))`;
  const times = sql`SELECT l.pet_id, max(CASE l.kind WHEN 'sale' THEN ${entryTime} END) AS last_sold, max(${entryTime}) AS since
    FROM ${ledgerWithBatches} WHERE l.kind = 'opening' OR (l.kind = 'sale' AND NOT ${isReversed}) GROUP BY l.pet_id`;
  return sql`SELECT t.pet_id AS "petId", p.name AS pet, c.name AS category, s.quantity AS "onHand", t.last_sold AS "lastSold", t.since
    FROM (${times}) AS t CROSS JOIN pets p CROSS JOIN stock s CROSS JOIN categories c
    WHERE t.since <= ${instant} AND p.id = t.pet_id AND p.archived = 0 AND s.pet_id = p.id AND s.quantity > 0 AND c.id = p.category_id
    ORDER BY t.since, t.pet_id LIMIT ${limit}`;
}

/** The local time of an entry as if it were UTC, in ms since 1970. The cast is for PostgreSQL, which treats a number parameter as text. */
function localTime(offsets: readonly OffsetSpan[]): Sql {
  const last = sql`CAST(${offsets.at(-1)?.offset ?? 0} AS BIGINT)`;
  const others = offsets.slice(0, -1).map(({ until, offset }) => sql`WHEN ${entryTime} < ${until} THEN CAST(${offset} AS BIGINT)`);
  return others.length === 0 ? sql`(${entryTime} + ${last})` : sql`(${entryTime} + CASE ${join(others, ' ')} ELSE ${last} END)`;
}

type Stored<Row> = Omit<Row, 'gain'> & { readonly gain: 0 | 1 };

/** The reports of one transaction. */
export function reportTable(queries: Queries): ReportReader {
  const edge = async (direction: Sql): Promise<string> => {
    const found = await queries.get<{ readonly at: number }>(sql`SELECT ${entryTime} AS at FROM ${ledgerWithBatches} ORDER BY l.id ${direction} LIMIT 1`);
    return formatDateTime(found?.at ?? 0);
  };
  return {
    stock: () => queries.all<StatusStock>(stockNow),
    stockAt: async (instant) => queries.all<CategoryStock>(stockBefore(await firstAfter(queries, instant))),
    unitsBefore: async (time) => {
      // Every change of a quantity is an entry, so no pet has to be looked up in the ledger.
      const since = sql`SELECT CAST(coalesce(sum(delta), 0) AS BIGINT) FROM ledger WHERE id >= ${await firstSince(queries, time)}`;
      const units = sql`SELECT CAST(coalesce(sum(quantity), 0) AS BIGINT) - (${since}) AS units FROM stock`;
      return (await queries.get<{ readonly units: number }>(units))?.units ?? 0;
    },
    categoryMovements: async (range) => {
      const groups = await moved(queries, range, sql`p.category_id AS "categoryId"`, ofPet);
      const rows = await queries.all<Stored<CategoryMovement>>(named(groups, sql`g.kind`));
      return rows.map((row) => ({ ...row, gain: row.gain === 1 }));
    },
    petMovements: async (range, choice) => {
      const start = range.from === undefined ? 0 : await firstSince(queries, range.from);
      const groups = await moved(queries, range, sql`l.pet_id AS "petId"`, sql``);
      const rows = await queries.all<Stored<PetMovement>>(movedPets(groups, start, choice));
      return rows.map((row) => ({ ...row, gain: row.gain === 1 }));
    },
    dayMovements: async (range, offsets) => {
      const local = localTime(offsets);
      // Uses the remainder: integer division differs between engines.
      const groups = await moved(queries, range, sql`${local} - ${local} % 86400000 AS day`, ofBatch);
      const rows = await queries.all<Stored<Omit<DayMovement, 'day'>> & { readonly day: number }>(sql`${groups} ORDER BY day`);
      return rows.map((row) => ({ ...row, day: formatDateTime(row.day).slice(0, 10), gain: row.gain === 1 }));
    },
    unsoldSince: (instant, limit) => queries.all<UnsoldPet>(unsold(instant, limit)),
    span: async () => ({ from: await edge(sql`ASC`), to: await edge(sql`DESC`) }),
  };
}
