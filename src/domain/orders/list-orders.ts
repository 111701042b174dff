import { type OrderRow, order, orderRow } from './order.js';
import type { OrderSort } from './order-table.js';
import { idNumber } from '../values/ids.js';
import { lists } from '../operation.js';
import { fewOf, page, pageParameters, type Position, type Slice } from '../values/pages.js';
import { checkRange, parseDateTime, rangeEndText, rangeStartText } from '../values/time.js';
import * as v from 'valibot';

// Far beyond the year 9999: orders without a ship date come last.
const noShipDate = 9e15;

function orderPosition({ id, shipDate }: OrderRow, sort: OrderSort): Position {
  if (sort === 'id') return { key: id, id };
  return { key: shipDate === undefined ? noShipDate : (parseDateTime(shipDate) ?? noShipDate), id };
}

/** Lists orders that are not cancelled. Refuses a range that ends before it starts with `invalid_parameter`. */
export const listOrders = lists({
  id: 'listOrders',
  summary: 'List orders',
  tag: 'Store',
  path: '/store/orders',
  input: v.strictObject({
    ...pageParameters(['id', 'shipDate']),
    petId: v.optional(fewOf(idNumber)),
    complete: v.optional(v.boolean('must be true or false')),
    draft: v.optional(v.boolean('must be true or false')),
    shipDateFrom: v.optional(rangeStartText),
    shipDateTo: v.optional(rangeEndText),
  }),
  output: order,
  run: async (tx, { limit, cursor, sort, count, ...filter }) => {
    checkRange('shipDateFrom', filter.shipDateFrom, 'shipDateTo', filter.shipDateTo);
    return page('orders', { limit, cursor, sort, count }, filter, {
      keys: { id: 'id', shipDate: 'number' },
      list: async (slice: Slice<OrderSort>) => (await tx.orders.list(filter, slice)).map(orderRow),
      position: orderPosition,
      total: () => tx.orders.count(filter),
    });
  },
});
