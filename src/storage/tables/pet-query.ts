import { selection } from './columns.js';
import { listedPet } from './pet-columns.js';
import { statusConditions } from './fragments.js';
import { any, sql, type Sql, list, all, join, nothing } from '../sql.js';
import type { PetFilter } from '../../domain/pets/pet-filter.js';
import { likePattern, afterPosition, orderBy } from './slices.js';
import { fold } from '../../domain/values/text.js';
import type { Position, Slice } from '../../domain/values/pages.js';
import type { PetSort } from '../../domain/pets/pet-table.js';

const { reserved } = listedPet;
const isStatus = statusConditions(listedPet);
const columns = selection(listedPet);

/** The condition of a category filter. */
export function inCategory(categoryId: PetFilter['categoryId']): readonly Sql[] {
  return categoryId === undefined ? [] : [sql`p.category_id IN ${list(categoryId)}`];
}

/** The condition of a search in names. */
export function containing(q: PetFilter['q']): readonly Sql[] {
  return q === undefined ? [] : [sql`p.folded LIKE ${likePattern(fold(q))} ESCAPE '\\'`];
}

function matching({ status, categoryId, id, name, q, low, short }: PetFilter): readonly Sql[] {
  return [
    sql`p.archived = 0`,
    ...(status === undefined ? [] : [any(status.map((one) => isStatus[one]))]),
    ...inCategory(categoryId),
    ...(id === undefined ? [] : [sql`p.id IN ${list(id)}`]),
    ...(name === undefined ? [] : [sql`p.folded = ${fold(name.trim())}`]),
    ...containing(q),
    ...(low === true ? [sql`s.quantity - ${reserved} <= s.low_at`] : []),
    ...(short === true ? [sql`s.quantity < ${reserved}`] : []),
  ];
}

/**
 * The pets that a rare condition can match (sold out, on hold, low, or with open orders), from partial indexes. A
 * superset of the result, ordered by id; undefined when most pets may match.
 */
function candidates({ status, low, short }: PetFilter, from: Position | undefined, descending: boolean): Sql | undefined {
  if (short !== true && low !== true && (status === undefined || status.includes('available'))) return undefined;
  const after = (column: Sql): readonly Sql[] => afterPosition(from, column, column, descending);
  const petId = sql`pet_id`;
  const out = sql`SELECT pet_id AS id FROM stock_sold_out WHERE ${all(after(petId))}`;
  const held = sql`SELECT id FROM pets WHERE ${all([sql`hold = 1 AND archived = 0`, ...after(sql`id`)])}`;
  const open = sql`SELECT DISTINCT pet_id AS id FROM orders WHERE ${all([sql`state = 'open' AND pet_id IS NOT NULL`, ...after(petId)])}`;
  const atLevel = sql`SELECT pet_id AS id FROM stock_at_level WHERE ${all(after(petId))}`;
  // The limit excludes nothing: SQLite trusts the order of a subquery only when it has one, and sorts it again otherwise.
  const union = (parts: readonly Sql[]): Sql => sql`${join(parts, ' UNION ')} ORDER BY 1${descending ? sql` DESC` : nothing} LIMIT 9007199254740991`;
  if (short === true) return union([open]);
  if (low === true) return union([atLevel, open]);
  const rare = [...(status?.includes('sold') ? [out] : []), ...(status?.includes('pending') ? [held, open] : [])];
  return union(rare.length === 0 ? [sql`SELECT 0 AS id WHERE 1 = 0`] : rare);
}

/** The tables of a query over pets. Candidates are scanned first (CROSS JOIN keeps the order in SQLite). */
export function petTables(few: Sql | undefined): Sql {
  const joined = sql`pets p CROSS JOIN stock s CROSS JOIN categories c`;
  return few === undefined ? joined : sql`(${few}) AS few CROSS JOIN ${joined}`;
}

/** The join conditions of `petTables`. */
export function petJoins(few: Sql | undefined): readonly Sql[] {
  return [sql`s.pet_id = p.id`, sql`c.id = p.category_id`, ...(few === undefined ? [] : [sql`p.id = few.id`])];
}

/** The query for a slice of the pets that match a filter. */
export function listQuery(filter: PetFilter, { sort, descending, from, limit }: Slice<PetSort>): Sql {
  const byId = sort === 'id';
  const few = byId ? candidates(filter, from, descending) : undefined;
  const id = few === undefined ? sql`p.id` : sql`few.id`;
  const key = byId ? id : sql`p.folded`;
  // Repeated for PostgreSQL, which would otherwise scan the stock from its first row.
  const stockBeyond = byId && few === undefined ? afterPosition(from, sql`s.pet_id`, sql`s.pet_id`, descending) : [];
  const where = all([...petJoins(few), ...matching(filter), ...afterPosition(from, key, id, descending), ...stockBeyond]);
  return sql`SELECT ${columns} FROM ${petTables(few)} WHERE ${where} ${orderBy(key, id, descending)} LIMIT ${limit}`;
}

/** The tables and conditions of a count; only `pets` when no other table is needed. */
export function countQuery(filter: PetFilter): { readonly from: Sql; readonly where: Sql } {
  const { status, low, short } = filter;
  if (status === undefined && low !== true && short !== true) return { from: sql`pets p`, where: all(matching(filter)) };
  const few = candidates(filter, undefined, false);
  return { from: petTables(few), where: all([...petJoins(few), ...matching(filter)]) };
}
