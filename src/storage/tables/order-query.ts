import type { OrderFilter, OrderSort } from '../../domain/orders/order-table.js';
import type { Slice } from '../../domain/values/pages.js';
import { parseDateTime } from '../../domain/values/time.js';
import type { Queries } from '../queries.js';
import { all, list, present, raw, sql, unindexed, type Sql } from '../sql.js';
import { isOverdue, shipDateOf } from './fragments.js';
import { countRows, mergedSlices, sliceOf } from './slices.js';

/** The orders `o` with their pets `p`. */
export const orderTables = sql`orders o LEFT JOIN pets p ON p.id = o.pet_id`;

const shipDate = shipDateOf(sql`o.ship_date`);
const id = sql`o.id`;
const lastDate = 8_999_999_999_999_999;
const notCancelled = sql`o.state <> 'cancelled'`;

/** Orders of one state, or drafts, within some ship dates: rows that follow each other in an index. */
interface Part {
  readonly rows: 'open' | 'complete' | 'draft';
  readonly dates: readonly Sql[];
}

function instant(text: string): number {
  return parseDateTime(text) ?? 0;
}

/** The condition of a range of ship dates; both ends are in it. One condition for each end, because SQLite looks up only one. */
function within(from: number | undefined, to: number | undefined): readonly Sql[] {
  return present([from !== undefined && sql`${shipDate} >= ${from}`, to !== undefined && sql`${shipDate} <= ${to}`]);
}

/** The parts that a filter without pets consists of; only an open order is a draft or overdue. */
function partsOf({ complete, draft, overdue, shipDateFrom, shipDateTo }: OrderFilter): readonly Part[] {
  const start = shipDateFrom === undefined ? undefined : instant(shipDateFrom);
  // Orders without a date come after all dates.
  const end = shipDateTo === undefined ? (start === undefined ? undefined : lastDate) : instant(shipDateTo);
  const before = (now: number): readonly Sql[] => within(start, Math.min(end ?? now - 1, now - 1));
  const dates = within(start, end);
  const open = (): readonly Part[] => {
    if (draft === true) return overdue?.is === true ? [] : [{ rows: 'draft', dates }];
    if (overdue === undefined) return [{ rows: 'open', dates }];
    if (overdue.is) return [{ rows: 'open', dates: before(overdue.now) }];
    const later: Part = { rows: 'open', dates: within(Math.max(start ?? overdue.now, overdue.now), end) };
    return draft === false ? [later] : [later, { rows: 'draft', dates: before(overdue.now) }];
  };
  const isOpen = complete === false || draft === true || overdue?.is === true;
  return [...(complete === true ? [] : open()), ...(isOpen ? [] : [{ rows: 'complete', dates } as const])];
}

/** The condition of the rows of a part, for the index that has them, and whether they must have a pet. */
function rowsOf({ rows }: Part, { draft, overdue }: OrderFilter): Sql {
  if (rows === 'draft') return sql`o.state = 'open' AND o.pet_id IS NULL`;
  const withPet = draft === false || overdue?.is === true;
  return all([sql`o.state = ${raw(`'${rows}'`)}`, notCancelled, withPet && unindexed(sql`o.pet_id IS NOT NULL`)]);
}

/** Whether rows of a part are read by an index in the order of the slice. Those of some ship dates are found by these, and sorted by their ids. */
function isInOrder(part: Part, sort: OrderSort): boolean {
  return sort === 'shipDate' || part.rows === 'draft' || part.dates.length === 0;
}

/** The rows of a part in the order of the slice. `selected` is the query for rows of `orders o`, its columns and its tables. */
function orderedRows(selected: (key: Sql) => Sql, part: Part, filter: OrderFilter, slice: Slice<OrderSort>): Sql {
  // No index has a sum.
  const last = isInOrder(part, slice.sort) ? id : sql`(o.id + 0)`;
  const key = slice.sort === 'id' ? last : shipDate;
  return sliceOf(selected(key), [rowsOf(part, filter), ...(part.rows === 'draft' ? part.dates.map(unindexed) : part.dates)], slice, last, key);
}

/** The conditions of a filter for the orders of some pets, which are found by their pets. */
function ofPets(petId: readonly number[], filter: OrderFilter): Sql {
  const { complete, draft, overdue, shipDateFrom, shipDateTo } = filter;
  const [only] = petId;
  return all([
    only !== undefined && petId.length === 1 ? sql`o.pet_id = ${only}` : sql`o.pet_id IN ${list(petId)}`,
    notCancelled,
    complete !== undefined && unindexed(complete ? sql`o.state = 'complete'` : sql`o.state = 'open'`),
    draft === true && sql`1 = 0`,
    overdue && unindexed(overdue.is ? isOverdue(overdue.now) : sql`NOT (${isOverdue(overdue.now)})`),
    shipDateFrom !== undefined && unindexed(sql`o.ship_date >= ${instant(shipDateFrom)}`),
    shipDateTo !== undefined && unindexed(sql`o.ship_date <= ${instant(shipDateTo)}`),
  ]);
}

/** The query for a slice of the orders that match a filter. */
export function orderQuery(filter: OrderFilter, slice: Slice<OrderSort>, columns: Sql): Sql {
  const select = sql`SELECT ${columns} FROM ${orderTables}`;
  const ordered = (conditions: Sql): Sql => sliceOf(select, [conditions], slice, id, slice.sort === 'id' ? id : shipDate);
  if (filter.petId !== undefined) return ordered(ofPets(filter.petId, filter));
  if (slice.sort === 'id' && Object.values(filter).every((value) => value === undefined)) return ordered(notCancelled);
  const [part, ...others] = partsOf(filter);
  if (part === undefined) return ordered(sql`1 = 0`);
  // Of orders that are sorted the pets are looked up after the limit.
  if (others.length === 0 && isInOrder(part, slice.sort)) return orderedRows(() => select, part, filter, slice);
  const each = [part, ...others].map((one) => orderedRows((key) => sql`SELECT o.id AS id, ${key} AS key FROM orders o`, one, filter, slice));
  return mergedSlices(each, { columns, tables: orderTables, where: [sql`o.id = listed.id`] }, slice);
}

/** Counts the orders that match a filter. */
export async function countOrders(queries: Queries, filter: OrderFilter): Promise<number> {
  if (filter.petId !== undefined) return countRows(queries, sql`orders o`, ofPets(filter.petId, filter));
  let count = 0;
  for (const part of partsOf(filter)) count += await countRows(queries, sql`orders o`, all([rowsOf(part, filter), ...part.dates]));
  return count;
}
