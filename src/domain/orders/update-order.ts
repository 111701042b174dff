import { orderPatch, order, type OrderRecord } from './order.js';
import { readOrder, orderOf } from './require-order.js';
import { StoreError } from '../errors.js';
import { checkVersion } from '../ledger/check-version.js';
import { edit } from './edit-order.js';
import { fulfil } from './fulfil-order.js';
import { reopen } from './reopen-order.js';
import { checkBodyId, idNumber } from '../values/ids.js';
import { writes } from '../operation.js';
import * as v from 'valibot';

/** Changes an open order, fulfils it (`complete` true) or reopens a complete one (`complete` false). */
export const updateOrder = writes({
  id: 'updateOrder',
  summary: 'Change, fulfil or reopen an order',
  tag: 'Store',
  method: 'PATCH',
  path: '/store/orders/{orderId}',
  status: 200,
  input: v.strictObject({ orderId: idNumber, body: orderPatch }),
  output: order,
  run: async (tx, { orderId, body: { id, complete, ...patch } }) => {
    checkBodyId(id, orderId);
    const before = await orderOf(tx, orderId);
    await checkVersion(tx, `Order ${orderId}`, { orderId });
    if (before.state === 'complete' && complete !== false) {
      checkUnchanged(before, patched(before, patch));
      return readOrder(tx, orderId);
    }
    const open = before.state === 'complete' ? await reopen(tx, before) : before;
    const edited = await edit(tx, open, patched(open, patch));
    if (complete === true) await fulfil(tx, edited);
    return readOrder(tx, orderId);
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
  throw new StoreError('order_complete', `Order ${before.id} is complete and can no longer change.`, `petstore order reopen ${before.id}`);
}
