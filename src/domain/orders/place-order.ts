import { newOrder, order, orderFields, orderRow, exampleOrder } from './order.js';
import { StoreError } from '../errors.js';
import { available } from '../inventory/stock.js';
import { checkAvailable, requireNamedStock } from './reserve-units.js';
import { fulfilOrder } from './fulfil-order.js';
import { writeOperation } from '../operation.js';
import { recordStockChange } from '../inventory/record-movement.js';
import { pickFields } from '../values/fields.js';
import * as v from 'valibot';

/** Places an order and reserves its units; with `complete`, fulfils it at once (a sale over the counter). */
export const placeOrder = writeOperation({
  id: 'placeOrder',
  summary: 'Place an order',
  description:
    'Places an order and reserves its units. An order without a pet is a draft and reserves nothing. With `complete` true, the order is fulfilled at once, as for a sale over the counter.',
  tag: 'Store',
  method: 'POST',
  path: '/store/orders',
  status: 201,
  input: v.strictObject({ body: newOrder }),
  output: order,
  refuses: ['unknown_pet', 'pet_on_hold', 'insufficient_stock', 'order_incomplete'],
  example: { body: { petId: 7, quantity: 1, shipDate: '2026-12-24T09:00:00Z' }, answer: exampleOrder },
  cost: 'row',
  records: ({ body: { petId } }) => (petId === undefined ? [] : [`pet ${petId}`]),
  run: async (tx, { body }) => {
    const { petId, quantity, complete } = body;
    // Checked first: `fulfilOrder` would refuse with the id of an order that is then rolled back.
    if (complete === true && petId === undefined) {
      throw new StoreError('order_incomplete', 'An order without a pet cannot be completed.');
    }
    const wanted = petId === undefined ? quantity : (quantity ?? 1);
    const stock = petId === undefined ? undefined : await requireNamedStock(tx, petId);
    if (stock && wanted !== undefined) await checkAvailable(tx, stock, { quantity: wanted });
    const fields = { ...pickFields(orderFields, body), quantity: wanted, state: 'open' } as const;
    const id = await tx.orders.insert(fields);
    const placed = { id, ...fields };
    const entry = { kind: 'order.placed', orderId: id } as const;
    const reservedStock = stock && (await recordStockChange(tx, stock, { ...stock, reserved: stock.reserved + (wanted ?? 0) }, entry));
    if (stock === undefined) await tx.ledger.append(entry);
    const written = complete === true ? await fulfilOrder(tx, placed, { stock: reservedStock }) : placed;
    // All of it is known: reading the order again would take a round trip on PostgreSQL. A sale takes reserved units, so as many are available.
    const ofPet = reservedStock && { pet: reservedStock.name, available: available(reservedStock) };
    return orderRow({ ...written, ...ofPet, version: await tx.ledger.version({ orderId: id }) }, tx);
  },
});
