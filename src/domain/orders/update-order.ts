import { orderPatch, order, type OrderRecord, orderIdParameter, exampleOrder } from './order.js';
import { withPathId, checkBodyId } from '../values/ids.js';
import { readOrderRow, requireOrder } from './require-order.js';
import { StoreError } from '../errors.js';
import { checkVersion } from '../ledger/check-version.js';
import { editOrder } from './edit-order.js';
import { fulfilOrder } from './fulfil-order.js';
import { reopenOrder } from './reopen-order.js';
import { writeOperation } from '../operation.js';
import * as v from 'valibot';

/** Changes an open order, fulfils it (`complete` true) or reopens a complete order (`complete` false). */
export const updateOrder = writeOperation({
  id: 'updateOrder',
  summary: 'Change, fulfil or reopen an order',
  description:
    'Changes an open order. `complete` true fulfils it and removes its units from stock. `complete` false reopens a complete order and returns its units to stock. Other fields of a complete order cannot change. An `id` in the body must be the one of the path.',
  tag: 'Store',
  method: 'PATCH',
  path: '/store/orders/{orderId}',
  status: 200,
  input: v.strictObject({ orderId: orderIdParameter, body: withPathId(orderPatch) }),
  output: order,
  refuses: ['unknown_pet', 'pet_on_hold', 'insufficient_stock', 'order_incomplete', 'out_of_stock', 'order_complete'],
  example: { body: { complete: true }, answer: { ...exampleOrder, complete: true } },
  cost: 'row',
  run: async (tx, { orderId, body: { id, complete, ...patch } }) => {
    checkBodyId(id, orderId);
    const before = await requireOrder(tx, orderId);
    await checkVersion(tx, `Order ${orderId}`, { orderId });
    if (before.state === 'complete' && complete !== false) {
      checkUnchanged(before, patched(before, patch));
      return readOrderRow(tx, orderId);
    }
    const open = before.state === 'complete' ? await reopenOrder(tx, before) : before;
    const edited = await editOrder(tx, open, patched(open, patch));
    if (complete === true) await fulfilOrder(tx, edited);
    return readOrderRow(tx, orderId);
  },
});

type OrderEdits = Pick<v.InferOutput<typeof orderPatch>, 'petId' | 'quantity' | 'shipDate'>;

function patched(before: OrderRecord, { petId, quantity, shipDate }: OrderEdits): OrderRecord {
  const pet = petId === undefined ? before.petId : (petId ?? undefined);
  const units = quantity === undefined ? before.quantity : (quantity ?? undefined);
  return {
    ...before,
    petId: pet,
    quantity: pet === undefined ? units : (units ?? 1),
    shipDate: shipDate === undefined ? before.shipDate : (shipDate ?? undefined),
  };
}

function checkUnchanged(before: OrderRecord, wanted: OrderRecord): void {
  if (wanted.petId === before.petId && wanted.quantity === before.quantity && wanted.shipDate === before.shipDate) return;
  throw new StoreError('order_complete', `Order ${before.id} is complete and cannot be changed.`, { details: { orderId: before.id } });
}
