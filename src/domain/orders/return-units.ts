import { StoreError } from '../errors.js';
import { available, type ShortagePolicy } from '../inventory/stock.js';
import { checkReserved } from '../inventory/check-reserved.js';
import { recordMovement } from '../inventory/record-movement.js';
import { tooFewOnHand } from '../inventory/too-few-units.js';
import type { LedgerEntry } from '../ledger/ledger-entry.js';
import { writeOperation } from '../operation.js';
import type { ReadTransaction, WriteTransaction } from '../transaction.js';
import { idNumber, idOf } from '../values/ids.js';
import { orderedNumber, wholeNumber } from '../values/numbers.js';
import { newestRows } from '../values/pages.js';
import { field, optional, record, requestRecord } from '../values/schemas.js';
import { nameText } from '../values/text.js';
import type { OrderRecord } from './order.js';
import { requireNamedStock } from './reserve-units.js';
import { requireOrder } from './require-order.js';
import * as v from 'valibot';

/** How many of the last sales of a pet are searched for one with enough units to return. */
const searchedOrders = 100;

const newReturn = requestRecord('NewReturn', 'Units of a sale that come back.', {
  petId: field(idOf('pet'), 'ID of the animal.'),
  quantity: v.optional(field(orderedNumber, 'Number of units that come back.'), 1),
  orderId: optional(idOf('order'), 'ID of the completed order; without it, the last sale of the pet with enough units that were not returned yet.'),
});

const returnedUnits = record('ReturnedUnits', 'Units of a sale that came back.', {
  orderId: field(idNumber, 'ID of the completed order.'),
  petId: field(idNumber, 'ID of the animal.'),
  name: field(nameText, 'Name of the animal.'),
  quantity: field(orderedNumber, 'Number of units that came back.'),
  returned: field(orderedNumber, 'Units of the order that were returned so far, with these.'),
  available: field(wholeNumber, 'Units of the animal that are available for sale now.'),
});

/** Units of a sale that came back. */
export type ReturnedUnits = v.InferOutput<typeof returnedUnits>;

const exampleReturn: ReturnedUnits = { orderId: 12, petId: 7, name: 'Rex', quantity: 1, returned: 1, available: 3 };

/** The units of a completed order that were not returned yet. */
const leftOf = ({ quantity = 0, returned = 0 }: OrderRecord): number => quantity - returned;

/** The completed order that units come back from. Refuses with `order_not_found`, `order_incomplete` or `validation_failed`. */
async function saleOf(tx: ReadTransaction, { petId, quantity, orderId }: v.InferOutput<typeof newReturn>): Promise<OrderRecord> {
  if (orderId === undefined) {
    const sales = await tx.orders.list({ petId: [petId], complete: true }, newestRows(searchedOrders));
    const found = sales.find((one) => leftOf(one) >= quantity);
    if (found !== undefined) return found;
    const most = Math.max(0, ...sales.map(leftOf));
    const none = sales.length < searchedOrders ? `No sale of pet ${petId} has` : `None of the last ${searchedOrders} sales of pet ${petId} has`;
    const sentence = most === 0 ? `${none} units to return.` : `${none} ${quantity} units to return; the largest has ${most}.`;
    throw new StoreError('validation_failed', sentence, { details: { petId, field: 'quantity' } });
  }
  const sale = await requireOrder(tx, orderId);
  const details = { orderId, petId };
  if (sale.petId !== petId) throw new StoreError('validation_failed', `Order ${orderId} is not for pet ${petId}.`, { details });
  if (sale.state !== 'complete') throw new StoreError('order_incomplete', `Order ${orderId} is not complete; nothing of it was sold.`, { details });
  if (leftOf(sale) >= quantity) return sale;
  const earlier = sale.returned === undefined ? '' : `, and ${sale.returned} were returned`;
  throw new StoreError('validation_failed', `Order ${orderId} sold ${sale.quantity}${earlier}; ${quantity} cannot be returned.`, {
    details: { ...details, field: 'quantity' },
  });
}

/** Returns units of a completed order to the stock. */
export const returnUnits = writeOperation({
  id: 'returnUnits',
  summary: 'Return units of a sale',
  description:
    'Returns units of a completed order to the stock, all or part of them. The order stays complete. Without `orderId`, the units come back from the last sale of the pet that has as many.',
  tag: 'Store',
  alsoRequires: 'pets:read',
  stability: 'beta',
  method: 'POST',
  path: '/store/returns',
  status: 200,
  input: v.strictObject({ body: newReturn }),
  output: returnedUnits,
  refuses: ['unknown_pet', 'order_not_found', 'order_incomplete'],
  example: { body: { petId: 7, quantity: 1 }, answer: exampleReturn },
  cost: 'row',
  run: async (tx, { body }): Promise<ReturnedUnits> => {
    const { petId, quantity } = body;
    const stock = await requireNamedStock(tx, petId);
    const sale = await saleOf(tx, body);
    const returned = (sale.returned ?? 0) + quantity;
    await tx.orders.update({ ...sale, returned });
    const values = { previous: { returned: sale.returned ?? null }, current: { returned } };
    const after = await recordMovement(tx, stock, { kind: 'return', delta: quantity, orderId: sale.id, ...values });
    return { orderId: sale.id, petId, name: stock.name, quantity, returned, available: available(after) };
  },
});

/** Undoes a return: its units are sold again. Refuses with `out_of_stock` or `stock_reserved`. */
export async function undoReturn(
  tx: WriteTransaction,
  { id, petId = 0, orderId = 0, delta = 0, previous }: LedgerEntry,
  policy: ShortagePolicy,
): Promise<void> {
  const [stock, sale] = [await requireNamedStock(tx, petId), await requireOrder(tx, orderId)];
  if (stock.quantity < delta) throw tooFewOnHand(stock, `the return of ${delta} (order ${orderId}) cannot be undone`, { orderId });
  await checkReserved(tx, stock, stock.quantity - delta, policy);
  await tx.orders.update({ ...sale, returned: previous?.returned ?? undefined });
  await recordMovement(tx, stock, { kind: 'sale', delta: -delta, orderId, reverses: id });
}
