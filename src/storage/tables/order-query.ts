import type { OrderFilter, OrderSort } from '../../domain/orders/order-table.js';
import type { Slice } from '../../domain/values/pages.js';
import { parseDateTime } from '../../domain/values/time.js';
import type { Queries } from '../queries.js';
import { all, any, list, raw, sql, unindexed, type OptionalCondition, type Sql } from '../sql.js';
import { isOverdue, shipDateOf } from './fragments.js';
import { countRows, mergedSlices, sliceOf } from './slices.js';

/** The orders `o` with their pets `p`. */
export const orderTables = sql`orders o LEFT JOIN pets p ON p.id = o.pet_id`;

const shipDate = shipDateOf(sql`o.ship_date`);
const id = sql`o.id`;
const lastDate = 8_999_999_999_999_999;

function instant(text: string): number {
  return parseDateTime(text) ?? 0;
}

/** The states of the orders that match a filter; only an open order is a draft or overdue. */
function statesOf({ complete, draft, overdue }: OrderFilter): readonly ('open' | 'complete')[] {
  const isOpen = complete === false || draft === true || overdue?.is === true;
  if (complete === true) return isOpen ? [] : ['complete'];
  return isOpen ? ['open'] : ['open', 'complete'];
}

/** The conditions of a filter besides the state. An index of the state or of the pet has the ship dates too; both ends are in the range. */
function conditionsOf({ petId, draft, overdue, shipDateFrom, shipDateTo }: OrderFilter): readonly OptionalCondition[] {
  return [
    sql`o.state <> 'cancelled'`,
    petId && (petId.length === 1 ? sql`o.pet_id = ${petId[0] ?? 0}` : sql`o.pet_id IN ${list(petId)}`),
    draft === true && unindexed(sql`o.pet_id IS NULL`),
    draft === false && unindexed(sql`o.pet_id IS NOT NULL`),
    overdue && unindexed(overdue.is ? isOverdue(overdue.now) : sql`NOT (${isOverdue(overdue.now)})`),
    shipDateFrom !== undefined && sql`${shipDate} >= ${instant(shipDateFrom)}`,
    // Orders without a date come after all dates.
    (shipDateFrom !== undefined || shipDateTo !== undefined) && sql`${shipDate} <= ${shipDateTo === undefined ? lastDate : instant(shipDateTo)}`,
  ];
}

const isOfState = (state: 'open' | 'complete'): Sql => sql`o.state = ${raw(`'${state}'`)}`;

/** The query for a slice of the orders that match a filter. */
export function orderQuery(filter: OrderFilter, slice: Slice<OrderSort>, columns: Sql): Sql {
  const states = statesOf(filter);
  const conditions = conditionsOf(filter);
  const select = sql`SELECT ${columns} FROM ${orderTables}`;
  const ofStates = states.length < 2 && any(states.map(isOfState));
  if (filter.petId !== undefined) return sliceOf(select, [...conditions, ofStates && unindexed(ofStates)], slice, id, slice.sort === 'id' ? id : shipDate);
  const hasDates = filter.shipDateFrom !== undefined || filter.shipDateTo !== undefined;
  if (slice.sort === 'id' && !hasDates) return sliceOf(select, [...conditions, ofStates], slice, id);
  // An index has the orders of each state by their dates. No index has a sum: those of some dates are found by these, and sorted before
  // their pets are looked up.
  const last = slice.sort === 'id' ? sql`(o.id + 0)` : id;
  const key = slice.sort === 'id' ? last : shipDate;
  if (ofStates && (slice.sort === 'shipDate' || states.length === 0)) return sliceOf(select, [...conditions, ofStates], slice, last, key);
  const each = states.map((state) => sliceOf(sql`SELECT o.id AS id, ${key} AS key FROM orders o`, [...conditions, isOfState(state)], slice, last, key));
  return mergedSlices(each, { columns, tables: orderTables, where: [sql`o.id = listed.id`] }, slice);
}

/** Counts the orders that match a filter. */
export async function countOrders(queries: Queries, filter: OrderFilter): Promise<number> {
  let count = 0;
  for (const state of statesOf(filter)) count += await countRows(queries, sql`orders o`, all([...conditionsOf(filter), isOfState(state)]));
  return count;
}
