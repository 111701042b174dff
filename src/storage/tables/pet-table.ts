import { selection, cellsOf, insertInto, updateRow } from './columns.js';
import { type StoredDetails, type StoredPet, listedPet, selectedDetails, singlePet, toPetWithDetails, toPetRow, petFieldColumns } from './pet-columns.js';
import { containing, inCategory, petTables, petJoins, sliceQuery, countQueries } from './pet-query.js';
import type { Slice } from '../../domain/values/pages.js';
import type { PetFilter } from '../../domain/pets/pet-filter.js';
import type { PetWriter } from '../../domain/pets/pet-table.js';
import { fold } from '../../domain/values/text.js';
import type { Queries } from '../queries.js';
import { all, list, sql, queryFor, type Sql, type Value } from '../sql.js';
import { firstAfter } from './ledger-table.js';
import { insertNext } from './ids.js';
import { countRows, mergedSlices, sliceOf } from './slices.js';

// The state of pet `p` before the ledger entry `end`, as parts of a query over the pets. Each part reads a few index entries of the
// pet; none scans the ledger.

/** The last entry that changed its quantity; NULL when the pet was created later. */
function lastMovement(end: number): Sql {
  return sql`(SELECT m.id FROM ledger m WHERE m.pet_id = p.id AND m.id < ${end} AND m.delta IS NOT NULL ORDER BY m.id DESC LIMIT 1)`;
}

/** Whether it was not archived, derived from the first deletion or restoration after `end`. */
function existedBefore(end: number): Sql {
  return sql`(coalesce((SELECT CASE a.kind WHEN 'pet.restored' THEN 1 ELSE 0 END FROM ledger a
    WHERE a.pet_id = p.id AND a.id >= ${end} AND a.kind IN ('pet.archived', 'pet.restored') ORDER BY a.id LIMIT 1), p.archived) = 0)`;
}

/** Whether it was on hold, derived from the first change after `end`. */
function heldBefore(end: number): Sql {
  return sql`coalesce((SELECT CASE h.kind WHEN 'pet.released' THEN 1 ELSE 0 END FROM ledger h
    WHERE h.pet_id = p.id AND h.id >= ${end} AND h.kind IN ('pet.held', 'pet.released') ORDER BY h.id LIMIT 1), p.hold)`;
}

/**
 * The units that open orders reserved. Candidates are orders that are still open and orders that changed since. An
 * order that was edited since counts with its present quantity: the former one is only in the JSON of a ledger entry.
 */
function reservedBefore(end: number): Sql {
  const candidates = sql`SELECT w.id FROM orders w WHERE w.pet_id = p.id AND w.state = 'open'
    UNION ALL SELECT l.order_id FROM ledger l WHERE l.pet_id = p.id AND l.id >= ${end} AND l.order_id IS NOT NULL`;
  // A return of units has current values; the order stays complete.
  const state = sql`(SELECT k.kind FROM ledger k WHERE k.order_id = o.id AND k.id < ${end} AND k.kind <> 'order.updated' AND k.current IS NULL ORDER BY k.id DESC LIMIT 1)`;
  return sql`(SELECT CAST(coalesce(sum(o.quantity), 0) AS BIGINT) FROM orders o
    WHERE o.id IN (${candidates}) AND o.pet_id = p.id AND ${state} IN ('order.placed', 'order.restored', 'return'))`;
}

/** A page of the pets that existed before the ledger entry `end`, with their figures at that time. */
function pastQuery(end: number, { categoryId, q }: PetFilter, slice: Slice<'id'>): Sql {
  const last = sql`q.id = ${lastMovement(end)}`;
  const ofCategory = sql`c.id = p.category_id`;
  const matching = [last, existedBefore(end), containing(q)];
  const pastColumns: typeof listedPet = {
    ...listedPet,
    hold: heldBefore(end),
    quantity: sql`q.quantity_after`,
    lowAt: sql`NULL`,
    reserved: reservedBefore(end),
  };
  const columns = selection(pastColumns);
  const tables = sql`pets p CROSS JOIN categories c CROSS JOIN ledger q`;
  if (categoryId === undefined) return sliceOf(sql`SELECT ${columns} FROM ${tables}`, [ofCategory, ...matching], slice, sql`p.id`);
  // The pets of a category that are live today, and those that are not, follow each other in an index.
  const parts = [...new Set(categoryId)].flatMap((category) =>
    [0, 1].map((archived) => {
      const inIndex = sql`p.category_id = ${category} AND p.archived = ${archived}`;
      return sliceOf(sql`SELECT p.id AS id, p.id AS key FROM pets p CROSS JOIN ledger q`, [inIndex, ...matching], slice, sql`p.id`);
    }),
  );
  return mergedSlices(parts, { columns, tables, where: [sql`p.id = listed.id`, ofCategory, last] }, slice);
}

/** Counts all live pets in `stock`, the narrowest table with one row for each. */
export function countLive(queries: Queries): Promise<number> {
  return countRows(queries, sql`stock`);
}

/** The query for one live pet. */
function selectOne(columns: Sql): (id: Value) => Sql {
  return queryFor((id) => sql`SELECT ${columns} FROM ${petTables(undefined)} WHERE ${all(petJoins(undefined))} AND p.archived = 0 AND p.id = ${id}`);
}

const selectPet = selectOne(selection(singlePet));
const selectFacts = selectOne(selectedDetails);

/** Counts the pets that match a filter, at most `bound` when given. */
async function countPets(queries: Queries, filter: PetFilter, bound: number | undefined): Promise<number> {
  if (Object.values(filter).every((value) => value === undefined || value === false)) return countLive(queries);
  let count = 0;
  for (const { from, where } of countQueries(filter)) count += await countRows(queries, from, where, bound);
  return bound === undefined ? count : Math.min(count, bound);
}

/** The pets of one transaction. */
export function petTable(queries: Queries): PetWriter {
  return {
    get: async (id) => {
      const found = await queries.get<StoredPet>(selectPet(id));
      return found && toPetRow(found);
    },
    withDetails: async (id) => {
      const found = await queries.get<StoredDetails>(selectFacts(id));
      return found && toPetWithDetails(found);
    },
    list: async (filter, slice) => {
      const rows = await queries.all<StoredPet>(sliceQuery(filter, slice));
      return rows.map(toPetRow);
    },
    count: (filter, bound) => countPets(queries, filter, bound),
    names: (ids) => petNames(queries, ids),
    listAt: async (instant, filter, slice) => {
      const rows = await queries.all<StoredPet>(pastQuery(await firstAfter(queries, instant), filter, slice));
      return rows.map(toPetRow);
    },
    countAt: async (instant, { categoryId, q }) => {
      const end = await firstAfter(queries, instant);
      const where = all([sql`${lastMovement(end)} IS NOT NULL`, existedBefore(end), inCategory(categoryId), containing(q)]);
      return countRows(queries, sql`pets p`, where);
    },
    insert: async ({ hold, ...fields }) => {
      const row = { folded: fold(fields.name), hold: hold ? 1 : 0, archived: 0, ...cellsOf(petFieldColumns, fields) };
      return insertNext(queries, 'pets', (id) => insertInto('pets', [{ id, ...row }]));
    },
    update: (id, fields) => queries.run(updateRow('pets', id, { folded: fold(fields.name), ...cellsOf(petFieldColumns, fields) })),
    setHold: (id, hold) => queries.run(updateRow('pets', id, { hold: hold ? 1 : 0 })),
    archive: (id) => queries.run(updateRow('pets', id, { archived: 1 })),
    restore: (id) => queries.run(updateRow('pets', id, { archived: 0 })),
    moveCategory: async (from, to) => {
      const moved = await queries.all<{ readonly id: number }>(sql`SELECT id FROM pets WHERE category_id = ${from} AND archived = 0 ORDER BY id`);
      await queries.run(sql`UPDATE pets SET category_id = ${to} WHERE category_id = ${from} AND archived = 0`);
      return moved.map(({ id }) => id);
    },
  };
}

/** The names of a few pets, archived ones included; unknown ids are left out. */
export async function petNames(queries: Queries, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.all<{ readonly id: number; readonly name: string }>(sql`SELECT id, name FROM pets WHERE id IN ${list(ids)}`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
