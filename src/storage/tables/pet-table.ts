import { inCategory, petColumns, petTables, petJoins, listQuery, countQuery } from './pet-query.js';
import { versionOf } from './fragments.js';
import { petLines } from './pet-lines.js';
import type { Slice } from '../../domain/values/pages.js';
import type { PetFilter } from '../../domain/pets/pet-filter.js';
import type { PetRow } from '../../domain/pets/pet.js';
import type { PetWriter } from '../../domain/pets/pet-table.js';
import { statusOf } from '../../domain/pets/pet-status.js';
import { fold } from '../../domain/values/text.js';
import type { Queries } from '../engine.js';
import { all, list, sql, type Sql } from '../sql.js';
import { firstAfter } from './ledger-table.js';
import { heldBefore, lastMovement, reservedBefore, existedBefore } from './stock-at.js';
import { afterPosition, countRows, nextId, orderBy } from './slices.js';

/** A row of `petColumns`; the version is read for one pet, not for a list. */
type Stored = readonly [
  id: number,
  name: string,
  categoryId: number,
  category: string,
  hold: 0 | 1,
  quantity: number,
  lowAt: number | null,
  reserved: number,
  version?: number,
];

// An object pattern: an array pattern walks an iterator and takes four times as long.
function toRow({ 0: id, 1: name, 2: categoryId, 3: category, 4: held, 5: quantity, 6: lowAt, 7: units, 8: version }: Stored): PetRow {
  const stock = { hold: held === 1, quantity, reserved: units };
  const row = { id, name, categoryId, status: statusOf(stock), category, hold: stock.hold, quantity, reserved: units };
  if (lowAt === null && version === undefined) return row;
  return { ...row, ...(lowAt !== null && { lowAt }), ...(version !== undefined && { version }) };
}

/** A page of the pets that existed before the ledger entry `end`, with their figures at that time. */
function pastQuery(end: number, { categoryId }: PetFilter, { descending, from, limit }: Slice<'id'>): Sql {
  const id = sql`p.id`;
  const where = all([
    sql`c.id = p.category_id`,
    sql`q.id = ${lastMovement(end)}`,
    existedBefore(end),
    ...inCategory(categoryId),
    ...afterPosition(from, id, id, descending),
  ]);
  return sql`SELECT p.id, p.name, p.category_id, c.name AS category, ${heldBefore(end)} AS hold, q.quantity_after,
    NULL AS low_at, ${reservedBefore(end)} AS reserved
    FROM pets p CROSS JOIN categories c CROSS JOIN ledger q WHERE ${where} ${orderBy(id, id, descending)} LIMIT ${limit}`;
}

/** Counts all live pets in `stock`, the narrowest table with one row for each. */
async function countLive(queries: Queries): Promise<number> {
  return (await queries.get<{ readonly live: number }>(sql`SELECT count(*) AS live FROM stock`))?.live ?? 0;
}

/** The pets of one transaction. */
export function petTable(queries: Queries): PetWriter {
  return {
    get: async (id) => {
      const version = versionOf(sql`l.pet_id`, sql`p.id`);
      const [found] = await queries.rows<Stored>(
        sql`SELECT ${petColumns}, ${version} FROM ${petTables(undefined)} WHERE p.id = ${id} AND p.archived = 0 AND ${all(petJoins(undefined))}`,
      );
      return found && toRow(found);
    },
    list: async (filter, slice) => {
      const rows = await queries.rows<Stored>(listQuery(filter, slice));
      return rows.map(toRow);
    },
    count: async (filter, bound) => {
      if (Object.values(filter).every((value) => value === undefined || value === false)) return countLive(queries);
      const { from, where } = countQuery(filter);
      return countRows(queries, from, where, bound);
    },
    listAt: async (instant, filter, slice) => {
      const rows = await queries.rows<Stored>(pastQuery(await firstAfter(queries, instant), filter, slice));
      return rows.map(toRow);
    },
    countAt: async (instant, { categoryId }) => {
      const end = await firstAfter(queries, instant);
      const where = all([sql`${lastMovement(end)} IS NOT NULL`, existedBefore(end), ...inCategory(categoryId)]);
      return countRows(queries, sql`pets p`, where, undefined);
    },
    lines: (filter, names, slice) => petLines(queries, filter, names, slice),
    insert: async ({ name, categoryId, hold }) => {
      const inserted = await queries.get<{ readonly id: number }>(
        sql`INSERT INTO pets (id, name, folded, category_id, hold) VALUES (${nextId('pets')}, ${name}, ${fold(name)}, ${categoryId}, ${hold ? 1 : 0}) RETURNING id`,
      );
      return inserted?.id ?? 0;
    },
    update: async (id, { name, categoryId }) => {
      await queries.run(sql`UPDATE pets SET name = ${name}, folded = ${fold(name)}, category_id = ${categoryId} WHERE id = ${id}`);
    },
    setHold: async (id, hold) => {
      await queries.run(sql`UPDATE pets SET hold = ${hold ? 1 : 0} WHERE id = ${id}`);
    },
    archive: async (id) => {
      await queries.run(sql`UPDATE pets SET archived = 1 WHERE id = ${id}`);
    },
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
