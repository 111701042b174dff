import type { Lines, Position, Slice } from '../../domain/values/pages.js';
import type { PetFilter } from '../../domain/pets/pet-filter.js';
import type { PetRow } from '../../domain/pets/pet.js';
import type { PetSort, PetWriter } from '../../domain/pets/pet-table.js';
import { statusOf, type PetStatus } from '../../domain/pets/pet-status.js';
import { fold } from '../../domain/values/text.js';
import type { Queries } from '../engine.js';
import { all, any, join, list, nothing, sql, type Sql } from '../sql.js';
import { firstAfter } from './ledger-table.js';
import { heldBefore, lastMovement, reservedBefore, existedBefore } from './stock-at.js';
import { afterPosition, likePattern, countRows, nextId, orderBy } from './slices.js';

/** A pet as the columns below have it; its version is read with one pet, not with a list. */
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

const reserved = sql`(SELECT CAST(coalesce(sum(o.quantity), 0) AS BIGINT) FROM orders o WHERE o.pet_id = p.id AND o.state = 'open')`;
const columns = sql`p.id, p.name, p.category_id, c.name AS category, p.hold, s.quantity, s.low_at, ${reserved} AS reserved`;

// By their places: an array pattern would walk an iterator, which takes four times as long.
function toRow({ 0: id, 1: name, 2: categoryId, 3: category, 4: held, 5: quantity, 6: lowAt, 7: units, 8: version }: Stored): PetRow {
  const stock = { hold: held === 1, quantity, reserved: units };
  const row = { id, name, categoryId, status: statusOf(stock), category, hold: stock.hold, quantity, reserved: units };
  if (lowAt === null && version === undefined) return row;
  return { ...row, ...(lowAt !== null && { lowAt }), ...(version !== undefined && { version }) };
}

// The status is derived, so a filter by status spells the domain's rule in SQL; a test holds the two together.
const statusConditions: Record<PetStatus, Sql> = {
  available: sql`(p.hold = 0 AND s.quantity > ${reserved})`,
  pending: sql`(p.hold = 1 OR (${reserved} > 0 AND s.quantity <= ${reserved}))`,
  sold: sql`(p.hold = 0 AND s.quantity = 0 AND ${reserved} = 0)`,
};

function inCategory(categoryId: PetFilter['categoryId']): readonly Sql[] {
  return categoryId === undefined ? [] : [sql`p.category_id IN ${list(categoryId)}`];
}

function matching({ status, categoryId, id, q, low, short }: PetFilter): readonly Sql[] {
  return [
    sql`p.archived = 0`,
    ...(status === undefined ? [] : [any(status.map((one) => statusConditions[one]))]),
    ...inCategory(categoryId),
    ...(id === undefined ? [] : [sql`p.id IN ${list(id)}`]),
    ...(q === undefined ? [] : [sql`p.folded LIKE ${likePattern(fold(q))} ESCAPE '\\'`]),
    ...(low === true ? [sql`s.quantity - ${reserved} <= s.low_at`] : []),
    ...(short === true ? [sql`s.quantity < ${reserved}`] : []),
  ];
}

/**
 * The few pets a rare condition can hold for, each found by a partial index: pets sold out, on hold, low or with
 * open orders. A superset of the answer in the order of ids; undefined where most pets may match.
 */
function candidates({ status, low, short }: PetFilter, from: Position | undefined, descending: boolean): Sql | undefined {
  if (short !== true && low !== true && (status === undefined || status.includes('available'))) return undefined;
  const after = (column: Sql): readonly Sql[] => afterPosition(from, column, column, descending);
  const petId = sql`pet_id`;
  const out = sql`SELECT pet_id AS id FROM stock_sold_out WHERE ${all(after(petId))}`;
  const held = sql`SELECT id FROM pets WHERE ${all([sql`hold = 1 AND archived = 0`, ...after(sql`id`)])}`;
  const open = sql`SELECT DISTINCT pet_id AS id FROM orders WHERE ${all([sql`state = 'open' AND pet_id IS NOT NULL`, ...after(petId)])}`;
  const atLevel = sql`SELECT pet_id AS id FROM stock_at_level WHERE ${all(after(petId))}`;
  // The limit leaves nothing out: SQLite only trusts the order of a part that has one, and sorts any other again.
  const union = (parts: readonly Sql[]): Sql => sql`${join(parts, ' UNION ')} ORDER BY 1${descending ? sql` DESC` : nothing} LIMIT 9007199254740991`;
  if (short === true) return union([open]);
  if (low === true) return union([atLevel, open]);
  const rare = [...(status?.includes('sold') ? [out] : []), ...(status?.includes('pending') ? [held, open] : [])];
  return union(rare.length === 0 ? [sql`SELECT 0 AS id WHERE 1 = 0`] : rare);
}

/** The tables of a query over pets; candidates, where there are any, are walked first (CROSS JOIN keeps the order). */
function tables(few: Sql | undefined): Sql {
  const joined = sql`pets p CROSS JOIN stock s CROSS JOIN categories c`;
  return few === undefined ? joined : sql`(${few}) AS few CROSS JOIN ${joined}`;
}

function joins(few: Sql | undefined): readonly Sql[] {
  return [sql`s.pet_id = p.id`, sql`c.id = p.category_id`, ...(few === undefined ? [] : [sql`p.id = few.id`])];
}

function listQuery(filter: PetFilter, { sort, descending, from, limit }: Slice<PetSort>): Sql {
  const byId = sort === 'id';
  const few = byId ? candidates(filter, from, descending) : undefined;
  const id = few === undefined ? sql`p.id` : sql`few.id`;
  const key = byId ? id : sql`p.folded`;
  // PostgreSQL does not conclude from the pet where its stock begins, and would read the stock from its first row on.
  const stockBeyond = byId && few === undefined ? afterPosition(from, sql`s.pet_id`, sql`s.pet_id`, descending) : [];
  const where = all([...joins(few), ...matching(filter), ...afterPosition(from, key, id, descending), ...stockBeyond]);
  return sql`SELECT ${columns} FROM ${tables(few)} WHERE ${where} ${orderBy(key, id, descending)} LIMIT ${limit}`;
}

// The backslash first: the others bring new ones.
const escapes = [
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
] as const;

/** A text as a cell of TSV. */
function escaped(text: Sql): Sql {
  return escapes.reduce((inner, [character, escape]) => sql`replace(${inner}, ${character}, ${escape})`, text);
}

/** The same in less time, for texts without a NUL: looking for something to escape is quicker than four replacements. */
function escapedWhere({ containsAnyOf }: Queries): (text: Sql) => Sql {
  const characters = escapes.map(([character]) => character).join('');
  return (text) => sql`CASE WHEN ${containsAnyOf(text, characters)} THEN ${escaped(text)} ELSE ${text} END`;
}

function asText(number: Sql): Sql {
  return sql`CAST(${number} AS TEXT)`;
}

/** The columns of a listed pet and of its inventory as cells of TSV, spelt as src/formats/writer.ts spells them; a test holds the two together. */
function cellsOf(escape: (text: Sql) => Sql): Readonly<Record<string, Sql>> {
  const id = asText(sql`id`);
  return {
    id,
    petId: id,
    name: escape(sql`name`),
    category: escape(sql`category`),
    categoryId: asText(sql`category_id`),
    status: sql`CASE WHEN hold = 1 THEN 'pending' WHEN quantity > reserved THEN 'available' WHEN reserved > 0 THEN 'pending' ELSE 'sold' END`,
    quantity: asText(sql`quantity`),
    reserved: asText(sql`reserved`),
    available: asText(sql`quantity - reserved`),
    hold: sql`CASE hold WHEN 1 THEN 'true' ELSE 'false' END`,
    lowAt: sql`coalesce(${asText(sql`low_at`)}, '')`,
  };
}

/** How many columns a line may have: SQLite takes no expression deeper than a thousand. */
const mostCells = 100;

/** A line of these columns; undefined where one is none of a pet's. */
function lineOf(names: readonly string[], escape: (text: Sql) => Sql): Sql | undefined {
  const cells = cellsOf(escape);
  const found = names.flatMap((name) => cells[name] ?? []);
  return found.length < names.length ? undefined : join(found, ` || '\t' || `);
}

interface Piece extends Lines {
  readonly last: number;
}

/** The lines of a query for pets. */
async function pieceOf(queries: Queries, line: Sql, rows: Sql, descending: boolean): Promise<Piece | undefined> {
  // No manual guarantees the order of string_agg here. SQLite and PostgreSQL keep that of a subquery with a limit, in
  // parallel plans too; to ask for it inside string_agg takes SQLite a third longer. A test holds it. The subquery
  // also sums the orders of a pet once for all cells, and not at all where none asks for them.
  const found = await queries.get<Piece>(
    sql`SELECT count(*) AS count, ${descending ? sql`min` : sql`max`}(id) AS last, string_agg(${line}, ${'\n'}) || ${'\n'} AS text FROM (${rows}) AS listed`,
  );
  return found?.count === 0 ? undefined : found;
}

/** How many lines are read at a time: few enough for little memory, 13 MB with the longest names, and enough that the query itself is not felt. */
const linesAtOnce = 16_000;

/** A list as lines that the database writes: of the time that long lists take, most goes into handing over their values one by one. */
async function* linesOf(
  queries: Queries,
  filter: PetFilter,
  { line, careful }: { readonly line: Sql; readonly careful: () => Sql },
  { descending, limit }: Pick<Slice<'id'>, 'descending' | 'limit'>,
): AsyncGenerator<Lines, void> {
  let from: Position | undefined;
  for (let left = limit; left > 0; left -= linesAtOnce) {
    const most = Math.min(left, linesAtOnce);
    const rows = listQuery(filter, { sort: 'id', descending, from, limit: most });
    const quick = await pieceOf(queries, line, rows, descending);
    const piece = quick?.text.includes('\0') === true ? await pieceOf(queries, careful(), rows, descending) : quick;
    if (piece === undefined) return;
    yield piece;
    if (piece.count < most) return;
    from = { key: piece.last, id: piece.last };
  }
}

/** What a count looks through: the pets alone where nothing but their own columns is asked for. */
function counting(filter: PetFilter): { readonly from: Sql; readonly where: Sql } {
  const { status, low, short } = filter;
  if (status === undefined && low !== true && short !== true) return { from: sql`pets p`, where: all(matching(filter)) };
  const few = candidates(filter, undefined, false);
  return { from: tables(few), where: all([...joins(few), ...matching(filter)]) };
}

/** A page of the pets that stood before the ledger row `end`, with the figures of then; a page looks only at its own pets. */
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

/** All live pets: each has a row in the stock, and nothing is as quick to count as that narrow table. */
async function countLive(queries: Queries): Promise<number> {
  return (await queries.get<{ readonly live: number }>(sql`SELECT count(*) AS live FROM stock`))?.live ?? 0;
}

/** The pets of one transaction. */
export function petTable(queries: Queries): PetWriter {
  return {
    get: async (id) => {
      const version = sql`(SELECT max(l.id) FROM ledger l WHERE l.pet_id = p.id)`;
      const [found] = await queries.rows<Stored>(
        sql`SELECT ${columns}, ${version} FROM ${tables(undefined)} WHERE p.id = ${id} AND p.archived = 0 AND ${all(joins(undefined))}`,
      );
      return found && toRow(found);
    },
    list: async (filter, slice) => {
      const rows = await queries.rows<Stored>(listQuery(filter, slice));
      return rows.map(toRow);
    },
    count: async (filter, bound) => {
      if (Object.values(filter).every((value) => value === undefined || value === false)) return countLive(queries);
      const { from, where } = counting(filter);
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
    lines: (filter, names, slice) => {
      const line = lineOf(names, escapedWhere(queries));
      if (names.length > mostCells || line === undefined) return undefined;
      return linesOf(queries, filter, { line, careful: () => lineOf(names, escaped) ?? line }, slice);
    },
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

/** The names of a few pets, archived ones too. */
export async function petNames(queries: Queries, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.all<{ readonly id: number; readonly name: string }>(sql`SELECT id, name FROM pets WHERE id IN ${list(ids)}`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
