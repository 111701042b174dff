import { wholeNumber } from './numbers.js';
import { field, optional, flag } from './schemas.js';
import { StoreError } from '../errors.js';
import { shortHash } from './short-hash.js';
import { fold, isStorable } from './text.js';
import * as v from 'valibot';

/** One page of a list, with cursors to the next and the previous page, and the total if requested. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
  readonly previous?: string;
  readonly total?: number;
}

/** The most records of one page. */
export const maximumPage = 500;

/** A position in a sorted list: the sort key and the id of a row. */
export interface Position {
  readonly key: string | number;
  readonly id: number;
}

/** A range of rows of a table: at most `limit` rows after `from` in the order of `sort`. */
export interface Slice<Sort extends string> {
  readonly sort: Sort;
  readonly descending: boolean;
  readonly from: Position | undefined;
  readonly limit: number;
}

/** The first rows of a table by id. */
export function oldestRows(limit: number): Slice<'id'> {
  return { sort: 'id', descending: false, from: undefined, limit };
}

/** The last rows of a table by id, the newest first. */
export function newestRows(limit: number): Slice<'id'> {
  return { sort: 'id', descending: true, from: undefined, limit };
}

/** The paging parameters of every list. `sort` is one of `sorts`, with a leading `-` for descending order. */
export function pageParameters<const Sorts extends readonly [string, ...string[]]>(sorts: Sorts) {
  const choices = sorts.flatMap((sort) => [sort, `-${sort}`]);
  const pageLimit = v.pipe(wholeNumber, v.minValue(1, 'must be at least 1'), v.maxValue(maximumPage, `must be at most ${maximumPage}`));
  return {
    limit: v.optional(field(pageLimit, 'The most records of one page.'), 50),
    cursor: optional(v.string(), 'The position of the page, from the `Link` header of another page of the same list.'),
    sort: v.optional(field(v.picklist(choices, `must be one of ${choices.join(', ')}`), 'The sort order; a leading `-` reverses it.'), sorts[0]),
    count: flag('Whether to return the number of all matching records in `X-Total-Count`.'),
  };
}

const maximumValues = 100;

/** A list of up to 100 values of a filter: a record matches one of them; an empty list matches nothing. */
export function valueList<const Item extends v.GenericSchema>(item: Item) {
  return v.pipe(v.array(item), v.maxLength(maximumValues, `must be at most ${maximumValues} values`));
}

interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly sort: string;
  readonly count: boolean;
}

/** A position in a list, valid only for the query with this hash, and the mark of its row in a list with marks. */
type Cursor = readonly [query: string, back: 0 | 1, key: string | number, id: number, mark?: string | undefined];

const cursorSchema = v.strictTuple([
  v.string(),
  v.picklist([0, 1]),
  v.union([v.number(), v.string()]),
  v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  v.optional(v.string()),
]);

/** The kind of a sort key: the id of the rows, another whole number, or a stored text. */
export type SortKey = 'id' | 'number' | 'text';

/** Whether a position is possible in a list: a client may have changed the cursor. */
function isPosition(kind: SortKey, { key, id }: Position): boolean {
  if (kind === 'text') return typeof key === 'string' && isStorable(key);
  return kind === 'id' ? key === id : Number.isSafeInteger(key);
}

function encode(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function invalidCursor(): StoreError {
  return new StoreError('invalid_cursor', 'The cursor does not belong to this query; start again without one.');
}

function decode(text: string, query: string, kind: SortKey, hasMarks: boolean): Cursor {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw invalidCursor();
  }
  const parsed = v.safeParse(cursorSchema, value);
  if (!parsed.success || parsed.output[0] !== query) throw invalidCursor();
  const [, , key, id, mark] = parsed.output;
  if (!isPosition(kind, { key, id }) || (mark !== undefined && !hasMarks)) throw invalidCursor();
  return parsed.output;
}

/** The order of a list that is sorted by nothing but the ids of its rows, for `page`. */
export const byId = { keys: { id: 'id' }, position: ({ id }: { readonly id: number }): Position => ({ key: id, id }) } as const;

/** The order of a list that is sorted by the ids or the folded names of its rows, for `page`. */
export const byIdOrName = {
  keys: { id: 'id', name: 'text' },
  position: ({ id, name }: { readonly id: number; readonly name: string }, sort: 'id' | 'name'): Position => ({ key: sort === 'name' ? fold(name) : id, id }),
} as const;

/** The order of a list of one row for each pet, for `page`. */
export const byPetId = {
  keys: { petId: 'id' },
  position: ({ petId }: { readonly petId: number }): Position => ({ key: petId, id: petId }),
} as const;

/**
 * Reads one page of a list by key, not by offset: rows that exist during the whole iteration are neither skipped nor
 * repeated. A cursor is valid for the list `name` with the same filter and sort; refuses others with `invalid_cursor`.
 */
export async function page<Sort extends string, Row>(
  name: string,
  request: PageRequest,
  filter: object,
  source: {
    /** The kind of key of each sort order. */
    readonly keys: Readonly<Record<Sort, SortKey>>;
    readonly list: (slice: Slice<Sort>) => Promise<readonly Row[]>;
    readonly position: (row: Row, sort: Sort) => Position;
    readonly total: () => Promise<number>;
    /** For rows whose ids another row may get: the mark of a row, and a check that refuses a cursor of another row. */
    readonly marks?: { readonly of: (row: Row) => string; readonly check: (id: number, mark: string | undefined) => Promise<void> };
  },
): Promise<Page<Row>> {
  const query = shortHash(JSON.stringify([name, request.sort, filter]));
  const sort = request.sort.replace('-', '') as Sort;
  const cursor = request.cursor === undefined ? undefined : decode(request.cursor, query, source.keys[sort], source.marks !== undefined);
  if (cursor) await source.marks?.check(cursor[3], cursor[4]);
  const back = cursor?.[1] === 1;
  const descending = request.sort.startsWith('-') !== back;
  const from = cursor && { key: cursor[2], id: cursor[3] };
  const rows = await source.list({ sort, descending, from, limit: request.limit + 1 });
  const more = rows.length > request.limit;
  const items = back ? rows.slice(0, request.limit).toReversed() : rows.slice(0, request.limit);
  const [first, last] = [items[0], items.at(-1)];
  const cursorAt = (row: Row, direction: 0 | 1): string => {
    const { key, id } = source.position(row, sort);
    const mark = source.marks?.of(row);
    return encode(mark === undefined ? [query, direction, key, id] : [query, direction, key, id, mark]);
  };
  return {
    items,
    ...(last !== undefined && (back || more) && { next: cursorAt(last, 0) }),
    ...(first !== undefined && (back ? more : cursor !== undefined) && { previous: cursorAt(first, 1) }),
    ...(request.count && { total: await source.total() }),
  };
}
