import { type OrderRow, order, orderRow, exampleOrder } from './order.js';
import { optional, trueOrFalse } from '../values/schemas.js';
import type { OrderSort } from './order-table.js';
import { idNumber } from '../values/ids.js';
import { listOperation } from '../operation.js';
import { valueList, page, pageParameters, type Position, type Slice } from '../values/pages.js';
import { rangeIn } from '../reports/range.js';
import { dayOrTime, parseDateTime, timeZone } from '../values/time.js';
import * as v from 'valibot';

// After the year 9999, so that orders without a ship date come last.
const noShipDate = 9e15;

function orderPosition({ id, shipDate }: OrderRow, sort: OrderSort): Position {
  if (sort === 'id') return { key: id, id };
  return { key: shipDate === undefined ? noShipDate : (parseDateTime(shipDate) ?? noShipDate), id };
}

/** Lists orders that are not cancelled. Refuses a range that ends before it starts with `validation_failed`. */
export const listOrders = listOperation({
  id: 'listOrders',
  summary: 'List orders',
  description: 'Lists the orders of the shop that are not cancelled.',
  tag: 'Store',
  path: '/store/orders',
  input: v.strictObject({
    ...pageParameters(['id', 'shipDate']),
    petId: optional(valueList(idNumber), 'Only orders for one of these pets.'),
    complete: optional(trueOrFalse, 'Only complete orders, or only those that are not complete.'),
    draft: optional(trueOrFalse, 'Only orders without a pet, or only those with one.'),
    overdue: optional(trueOrFalse, 'Only open orders with a ship date in the past, or only the others.'),
    shipDateFrom: optional(dayOrTime, 'Only orders with a ship date at or after this: a date-time, or a day in the time zone `tz`.'),
    shipDateTo: optional(dayOrTime, 'Only orders with a ship date at or before this: a date-time, or a day in the time zone `tz`, to its end.'),
    tz: timeZone,
  }),
  output: order,
  refuses: ['validation_failed'],
  example: { answer: [exampleOrder] },
  cost: ({ count }) => (count ? 'shop' : 'page'),
  run: async (tx, { limit, cursor, sort, count, shipDateFrom, shipDateTo, tz, ...others }) => {
    const { from, to } = rangeIn(tz, shipDateFrom, shipDateTo, ['shipDateFrom', 'shipDateTo']);
    const filter = { ...others, shipDateFrom: from, shipDateTo: to };
    const stored = { ...filter, overdue: filter.overdue === undefined ? undefined : { is: filter.overdue, now: tx.now } };
    // A cursor is bound to `filter`, not to `stored`: the present instant is another one at the next page.
    return page('orders', { limit, cursor, sort, count }, filter, {
      keys: { id: 'id', shipDate: 'number' },
      list: async (slice: Slice<OrderSort>) => (await tx.orders.list(stored, slice)).map((found) => orderRow(found, tx)),
      position: orderPosition,
      total: () => tx.orders.count(stored),
    });
  },
});
