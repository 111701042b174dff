import { orderFields, orderPatch, order, type OrderFields, type OrderRecord, orderIdParameter, exampleOrder } from './order.js';
import { withPathId, checkBodyId } from '../values/ids.js';
import { readOrderRow, requireOrder } from './require-order.js';
import { StoreError } from '../errors.js';
import { checkVersion } from '../ledger/check-version.js';
import { editOrder } from './edit-order.js';
import { fulfilOrder } from './fulfil-order.js';
import { reopenOrder } from './reopen-order.js';
import { afterWrite } from '../values/version.js';
import { writeOperation } from '../operation.js';
import { applyPatch, haveSameValues, type Patch, pickFields } from '../values/fields.js';
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
      return afterWrite(before, await readOrderRow(tx, orderId));
    }
    const open = before.state === 'complete' ? await reopenOrder(tx, before) : before;
    const edited = await editOrder(tx, open, patched(open, patch));
    if (complete === true) await fulfilOrder(tx, edited);
    return afterWrite(before, await readOrderRow(tx, orderId));
  },
});

function patched(before: OrderRecord, patch: Patch<OrderFields>): OrderRecord {
  const after = applyPatch<OrderRecord>(before, patch);
  return after.petId === undefined ? after : { ...after, quantity: after.quantity ?? 1 };
}

function checkUnchanged(before: OrderRecord, wanted: OrderRecord): void {
  if (haveSameValues(pickFields(orderFields, before), pickFields(orderFields, wanted))) return;
  throw new StoreError('order_complete', `Order ${before.id} is complete and cannot be changed.`, { details: { orderId: before.id } });
}
