import { wholeNumber } from './numbers.js';
import { field, optional, flag } from './schemas.js';
import { StoreError } from '../errors.js';
import { isStorable } from './text.js';
import * as v from 'valibot';

/** Some lines of a list, each with its line end, and how many they are. */
export interface Lines {
  readonly text: string;
  readonly count: number;
}

/** One page of a list, with cursors to its neighbours and, where asked for, the total. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
  readonly previous?: string;
  readonly total?: number;
}

/** The most records of one page. */
export const maximumPage = 500;

/** A place in a sorted list: the sort key and the id of the row to go on from. */
export interface Position {
  readonly key: string | number;
  readonly id: number;
}

/** One page asked of a table: at most `limit` rows beyond `from` in the order of `sort`. */
export interface Slice<Sort extends string> {
  readonly sort: Sort;
  readonly descending: boolean;
  readonly from: Position | undefined;
  readonly limit: number;
}

/** The paging parameters every list takes; `sort` is one of the keys, with a leading `-` for descending. */
export function pageParameters<const Sorts extends readonly [string, ...string[]]>(sorts: Sorts) {
  const choices = sorts.flatMap((sort) => [sort, `-${sort}`]);
  const pageLimit = v.pipe(wholeNumber, v.minValue(1, 'must be at least 1'), v.maxValue(maximumPage, `must be at most ${maximumPage}`));
  return {
    limit: v.optional(field(pageLimit, 'The most records of one page.'), 50),
    cursor: optional(v.string(), 'The place to go on from, as the `Link` header of another page of the same list has it.'),
    sort: v.optional(field(v.picklist(choices, `must be one of ${choices.join(', ')}`), 'What to sort by; a leading `-` turns the order round.'), sorts[0]),
    count: flag('Whether to count all records that meet the filters, in `X-Total-Count`.'),
  };
}

const maximumValues = 100;

/** The values a filter accepts, any of which may hold; none of them finds nothing. */
export function valueList<const Item extends v.GenericSchema>(item: Item) {
  return v.pipe(v.array(item), v.maxLength(maximumValues, `must be at most ${maximumValues} values`));
}

interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly sort: string;
  readonly count: boolean;
}

type Cursor = readonly [query: string, back: 0 | 1, key: string | number, id: number];

const cursorSchema = v.strictTuple([v.string(), v.picklist([0, 1]), v.union([v.number(), v.string()]), v.pipe(v.number(), v.safeInteger(), v.minValue(1))]);

/** What a list is sorted by: the id of its rows, another whole number, or a stored text. */
export type SortKey = 'id' | 'number' | 'text';

/** Whether a row of a list can have this position. A cursor comes back from the client, who may have changed it. */
function isPosition(kind: SortKey, { key, id }: Position): boolean {
  if (kind === 'text') return typeof key === 'string' && isStorable(key);
  return kind === 'id' ? key === id : Number.isSafeInteger(key);
}

// A cursor belongs to its query; a short digest of the filter tells one query from another (FNV-1a, not a secret).
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

function encode(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function decode(text: string, query: string, kind: SortKey): Cursor {
  const refusal = new StoreError('invalid_cursor', 'The cursor does not belong to this query; start again without one.');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw refusal;
  }
  const parsed = v.safeParse(cursorSchema, value);
  if (!parsed.success || parsed.output[0] !== query) throw refusal;
  const [, , key, id] = parsed.output;
  if (!isPosition(kind, { key, id })) throw refusal;
  return parsed.output;
}

/**
 * One page of a list by key, never by offset: a walk neither skips nor repeats a row that stands throughout. A cursor
 * belongs to the list `name`, its filter and its sort. `list` answers rows in the asked order; `position` tells a row's place; `total` is asked only on `count`.
 */
export async function page<Sort extends string, Row>(
  name: string,
  asked: PageRequest,
  filter: object,
  source: {
    /** What each sort compares. */
    readonly keys: Readonly<Record<Sort, SortKey>>;
    readonly list: (slice: Slice<Sort>) => Promise<readonly Row[]>;
    readonly position: (row: Row, sort: Sort) => Position;
    readonly total: () => Promise<number>;
  },
): Promise<Page<Row>> {
  const query = digest(JSON.stringify([name, asked.sort, filter]));
  const sort = asked.sort.replace('-', '') as Sort;
  const cursor = asked.cursor === undefined ? undefined : decode(asked.cursor, query, source.keys[sort]);
  const back = cursor?.[1] === 1;
  const descending = asked.sort.startsWith('-') !== back;
  const from = cursor && { key: cursor[2], id: cursor[3] };
  const rows = await source.list({ sort, descending, from, limit: asked.limit + 1 });
  const more = rows.length > asked.limit;
  const items = back ? rows.slice(0, asked.limit).toReversed() : rows.slice(0, asked.limit);
  const [first, last] = [items[0], items.at(-1)];
  const mark = (row: Row, direction: 0 | 1): string => {
    const { key, id } = source.position(row, sort);
    return encode([query, direction, key, id]);
  };
  return {
    items,
    ...(last !== undefined && (back || more) && { next: mark(last, 0) }),
    ...(first !== undefined && (back ? more : cursor !== undefined) && { previous: mark(first, 1) }),
    ...(asked.count && { total: await source.total() }),
  };
}
