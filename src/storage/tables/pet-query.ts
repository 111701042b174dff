import { selection } from './columns.js';
import { listedPet } from './pet-columns.js';
import { isNotCountedSince, statusConditions } from './fragments.js';
import { all, any, join, list, given, raw, sql, type Sql } from '../sql.js';
import type { PetFilter } from '../../domain/pets/pet-filter.js';
import { likePattern, afterPosition, mergedSlices, sliceOf } from './slices.js';
import { codeKey } from '../../domain/codes/code.js';
import { petOfOwnNumber, scannedText } from '../../domain/codes/gtin.js';
import { isIdText } from '../../domain/values/ids.js';
import { fold } from '../../domain/values/text.js';
import { parseDateTime } from '../../domain/values/time.js';
import type { Slice } from '../../domain/values/pages.js';
import type { PetSort } from '../../domain/pets/pet-table.js';

const isStatus = statusConditions(listedPet);
const columns = selection(listedPet);

/** The condition of a category filter; undefined without one. */
export function inCategory(categoryId: PetFilter['categoryId']): Sql | undefined {
  return categoryId && sql`p.category_id IN ${list(categoryId)}`;
}

/** The condition for the pet with a code. */
const withCode = (code: string): Sql => sql`p.id = (SELECT k.pet_id FROM codes k WHERE k.key = ${codeKey(code)})`;

/** The ids that a text may be: as it is, and as the shop's own number of a pet. */
function idsIn(text: string): readonly number[] {
  const id = isIdText(text) ? Number(text) : undefined;
  return [id, petOfOwnNumber(codeKey(text))].filter((one) => one !== undefined).filter(Number.isSafeInteger);
}

/** The condition of a search in names, which also finds the pets with an id and a code; undefined without one. */
export function containing(q: PetFilter['q']): Sql | undefined {
  if (q === undefined) return undefined;
  const text = scannedText(q);
  const ids = idsIn(text);
  return any([sql`p.folded LIKE ${likePattern(fold(q))} ESCAPE '\\'`, withCode(text), ids.length > 0 && sql`p.id IN ${list(ids)}`]);
}

function matching({ status, categoryId, id, code, name, q, low, short, notCountedSince }: PetFilter): readonly Sql[] {
  return given([
    sql`p.archived = 0`,
    status && any(status.map((one) => isStatus[one])),
    inCategory(categoryId),
    id && sql`p.id IN ${list(id)}`,
    code !== undefined && withCode(code),
    name !== undefined && sql`p.folded = ${fold(name.trim())}`,
    containing(q),
    low === true && sql`s.quantity - s.reserved <= s.low_at`,
    short === true && sql`s.quantity < s.reserved`,
    notCountedSince !== undefined && isNotCountedSince(sql`p.id`, parseDateTime(notCountedSince) ?? 0),
  ]);
}

/** The pets that one partial index finds for a part of a filter. */
interface Source {
  /** That part of the filter, which all of them meet. Repeated as a condition, it would make PostgreSQL expect hardly any rows. */
  readonly part: 'status' | 'low' | 'short';
  /** A query for their ids (id). */
  readonly candidates: Sql;
  /** A condition for those that no other source of the filter has. */
  readonly notElsewhere?: Sql;
}

/** The pets without units of which more than on hand (2), all (1) or none (0) are reserved. */
function withoutUnits(shortage: 0 | 1 | 2): Sql {
  return sql`SELECT pet_id AS id FROM stock_without_units WHERE shortage = ${raw(String(shortage))}`;
}

const held = sql`SELECT id FROM pets WHERE hold = 1 AND archived = 0`;
const atLevel = sql`SELECT pet_id AS id FROM stock_at_level WHERE low = 1`;

/** The pets that a rare condition can match (sold, pending, low or short); undefined when most pets may match. */
function sourcesOf({ status, low, short }: PetFilter): readonly Source[] | undefined {
  // A pet with more units reserved than on hand is pending.
  if (short === true && status?.includes('pending') === false) return [];
  if (short === true) return [{ part: 'short', candidates: withoutUnits(2) }];
  if (low === true) return [{ part: 'low', candidates: atLevel }];
  if (status === undefined || status.includes('available')) return undefined;
  const outOf = (shortage: 0 | 1 | 2): Source => ({ part: 'status', candidates: withoutUnits(shortage), notElsewhere: sql`p.hold = 0` });
  return [
    ...(status.includes('sold') ? [outOf(0)] : []),
    ...(status.includes('pending') ? [{ part: 'status', candidates: held } as const, outOf(1), outOf(2)] : []),
  ];
}

/** The conditions that are left of a filter for the pets of a source. */
function restOf(filter: PetFilter, source: Source | undefined): readonly Sql[] {
  return source === undefined ? matching(filter) : given([...matching({ ...filter, [source.part]: undefined }), source.notElsewhere]);
}

/** The tables of a query over pets. Candidates are scanned first (CROSS JOIN keeps the order in SQLite). */
export function petTables(candidates: Sql | undefined): Sql {
  const joined = sql`pets p CROSS JOIN stock s CROSS JOIN categories c`;
  return candidates === undefined ? joined : sql`(${candidates}) AS candidates CROSS JOIN ${joined}`;
}

/** The join conditions of `petTables`. */
export function petJoins(candidates: Sql | undefined): readonly Sql[] {
  return given([sql`s.pet_id = p.id`, sql`c.id = p.category_id`, candidates && sql`p.id = candidates.id`]);
}

/** The rows of one source, or of all pets, in the order of the slice. */
function ordered(selected: (id: Sql, key: Sql) => Sql, filter: PetFilter, slice: Slice<PetSort>, source?: Source): Sql {
  const { sort, descending, from } = slice;
  const byId = sort === 'id';
  const id = source === undefined ? sql`p.id` : sql`candidates.id`;
  const key = byId ? id : sql`p.folded`;
  // Repeated for PostgreSQL, which would otherwise scan the stock from its first row.
  const stockAfter = byId && source === undefined && afterPosition(from, sql`s.pet_id`, sql`s.pet_id`, descending);
  const where = [...petJoins(source?.candidates), ...restOf(filter, source), stockAfter];
  return sliceOf(sql`SELECT ${selected(id, key)} FROM ${petTables(source?.candidates)}`, where, slice, id, key);
}

const position = (id: Sql, key: Sql): Sql => sql`${id} AS id, ${key} AS key`;

/** The query for a slice of the pets that match a filter, searched in the order of the slice. */
export function sliceQuery(filter: PetFilter, slice: Slice<PetSort>): Sql {
  const sources = slice.sort === 'id' ? sourcesOf(filter) : undefined;
  if (sources?.length === 0) return ordered(() => columns, { id: [] }, slice);
  if (sources !== undefined && sources.length > 1) {
    const parts = sources.map((source) => ordered(position, filter, slice, source));
    return mergedSlices(parts, { columns, tables: petTables(undefined), where: [...petJoins(undefined), sql`p.id = listed.id`] }, slice);
  }
  return ordered(() => columns, filter, slice, sources?.[0]);
}

/** The ids of the pets that match a filter, each once. */
export function idsQuery(filter: PetFilter): Sql {
  return join(
    countQueries(filter).map(({ from, where }) => sql`SELECT p.id FROM ${from} WHERE ${where}`),
    ' UNION ALL ',
  );
}

/** The tables and conditions of the counts that add up to that of a filter; only `pets` when no other table is needed. */
export function countQueries(filter: PetFilter): readonly { readonly from: Sql; readonly where: Sql }[] {
  const { status, low, short } = filter;
  if (status === undefined && low !== true && short !== true) return [{ from: sql`pets p`, where: all(matching(filter)) }];
  const sources = sourcesOf(filter) ?? [undefined];
  return sources.map((source) => ({ from: petTables(source?.candidates), where: all([...petJoins(source?.candidates), ...restOf(filter, source)]) }));
}
