import { isOptional } from '../../domain/values/fields.js';
import type { Versioned } from '../../domain/values/version.js';
import { fieldsIn } from './columns.js';
import { listedPet, petFieldColumns } from './pet-columns.js';
import { type PetFields, petFields, type PetRow } from '../../domain/pets/pet.js';
import { columnsOf } from '../migrations/migrations.js';
import { type Sql, sql, join } from '../sql.js';
import { tsvEscapes } from '../../formats/tsv.js';
import type { Queries } from '../queries.js';
import { statusText } from './fragments.js';
import type { Lines, Slice, Position } from '../../domain/values/pages.js';
import type { PetFilter } from '../../domain/pets/pet-filter.js';
import { listQuery } from './pet-query.js';

/** A text as a cell of TSV. */
function escaped(text: Sql): Sql {
  return tsvEscapes.reduce((inner, [character, escape]) => sql`replace(${inner}, ${character}, ${escape})`, text);
}

/** Escapes a text only if it has a character to escape: the search is faster than four replacements. In SQLite it stops at a NUL, see `LineExpressions`. */
function escapedWhere({ containsAnyOf }: Queries): (text: Sql) => Sql {
  const characters = tsvEscapes.map(([character]) => character).join('');
  return (text) => sql`CASE WHEN ${containsAnyOf(text, characters)} THEN ${escaped(text)} ELSE ${text} END`;
}

function asText(number: Sql): Sql {
  return sql`CAST(${number} AS TEXT)`;
}

function orEmpty(text: Sql): Sql {
  return sql`coalesce(${text}, '')`;
}

/** The fields of a listed pet in the subquery that the cells are computed from. */
const listed = fieldsIn('listed', listedPet);

type Escape = (text: Sql) => Sql;

/** The fields that requests set. */
function fieldCells(escape: Escape): Readonly<Record<keyof PetFields, Sql>> {
  const types = columnsOf('pets');
  const cells = Object.entries(petFieldColumns).map(([field, column]) => {
    const value = listed[field as keyof PetFields];
    const text = types[column] === 'text' ? escape(value) : asText(value);
    return [field, isOptional(petFields[field as keyof PetFields]) ? orEmpty(text) : text];
  });
  return Object.fromEntries(cells) as Record<keyof PetFields, Sql>;
}

/** The columns of a pet and of its inventory as TSV cells; a test compares them with src/formats/writer.ts. */
function cellsOf(escape: Escape): Readonly<Record<keyof Omit<PetRow, keyof Versioned> | 'petId' | 'available', Sql>> {
  const { id, category, quantity, reserved, hold, lowAt } = listed;
  return {
    ...fieldCells(escape),
    id: asText(id),
    petId: asText(id),
    category: escape(category),
    status: statusText(listed),
    quantity: asText(quantity),
    reserved: asText(reserved),
    available: asText(sql`${quantity} - ${reserved}`),
    hold: sql`CASE ${hold} WHEN 1 THEN 'true' ELSE 'false' END`,
    lowAt: orEmpty(asText(lowAt)),
  };
}

/** Limits the expression depth; SQLite allows 1,000 levels. */
const maximumCells = 100;

/** The expression for a line; undefined when a column is not one of a pet's. */
function lineOf(names: readonly string[], escape: (text: Sql) => Sql): Sql | undefined {
  const cells: Readonly<Record<string, Sql>> = cellsOf(escape);
  const found = names.flatMap((name) => cells[name] ?? []);
  return found.length < names.length ? undefined : join(found, ` || '\t' || `);
}

/** Lines that were read together. */
interface LineBlock extends Lines {
  readonly lastId: number;
}

/** Reads the lines of a query; undefined when there are none. */
async function lineBlockOf(queries: Queries, line: Sql, rows: Sql, descending: boolean): Promise<LineBlock | undefined> {
  // The order of string_agg is not documented. SQLite and PostgreSQL keep the order of a subquery with a limit, also in parallel plans; ORDER BY
  // inside string_agg makes SQLite a third slower. A test checks the order.
  const found = await queries.get<LineBlock>(
    sql`SELECT count(*) AS count, ${descending ? sql`min` : sql`max`}(id) AS "lastId", string_agg(${line}, ${'\n'}) || ${'\n'} AS text FROM (${rows}) AS listed`,
  );
  return found?.count === 0 ? undefined : found;
}

/** Lines per query: up to 13 MB with the longest names, and enough to hide the cost of a query. */
const linesAtOnce = 16_000;

/** The expressions for a line. */
interface LineExpressions {
  readonly line: Sql;
  /** The slower one for lines with a NUL, which escapes every text. */
  readonly lineWithNul: () => Sql;
}

/** Streams a list as lines that the database builds; fetching single values would take most of the time. */
async function* linesOf(
  queries: Queries,
  filter: PetFilter,
  { line, lineWithNul }: LineExpressions,
  { descending, limit }: Pick<Slice<'id'>, 'descending' | 'limit'>,
): AsyncGenerator<Lines, void> {
  let from: Position | undefined;
  for (let left = limit; left > 0; left -= linesAtOnce) {
    const lineLimit = Math.min(left, linesAtOnce);
    const rows = listQuery(filter, { sort: 'id', descending, from, limit: lineLimit });
    const found = await lineBlockOf(queries, line, rows, descending);
    const block = found?.text.includes('\0') === true ? await lineBlockOf(queries, lineWithNul(), rows, descending) : found;
    if (block === undefined) return;
    yield block;
    if (block.count < lineLimit) return;
    from = { key: block.lastId, id: block.lastId };
  }
}

/** The pets that match a filter as lines of TSV in the order of ids; undefined when a column is not one of a pet's, or there are too many columns. */
export function petLines(
  queries: Queries,
  filter: PetFilter,
  names: readonly string[],
  slice: Pick<Slice<'id'>, 'descending' | 'limit'>,
): AsyncGenerator<Lines, void> | undefined {
  const line = lineOf(names, escapedWhere(queries));
  if (names.length > maximumCells || line === undefined) return undefined;
  return linesOf(queries, filter, { line, lineWithNul: () => lineOf(names, escaped) ?? line }, slice);
}
