import { inventoryItem } from './inventory-item.js';
import { requireInventoryItem } from './require-inventory-item.js';
import * as v from 'valibot';
import { StoreError } from '../errors.js';
import { checkVersion } from '../ledger/check-version.js';
import { deltaNumber } from '../values/numbers.js';
import { idNumber } from '../values/ids.js';
import { writes } from '../operation.js';
import { checkReserved } from './check-reserved.js';
import { move } from './record-movement.js';
import { stockOf } from './require-stock.js';
import { noteText } from '../values/text.js';

/** Adds or takes units away. A delivery is accepted even while it does not cover every reservation yet. */
export const adjustInventory = writes({
  id: 'adjustInventory',
  summary: 'Add units to the stock of a pet or take some away',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/inventory/{petId}/adjustments',
  status: 200,
  input: v.strictObject({
    petId: idNumber,
    allowShortage: v.optional(v.boolean('must be true or false'), false),
    body: v.strictObject({ delta: deltaNumber, note: v.optional(noteText) }),
  }),
  output: inventoryItem,
  run: async (tx, { petId, allowShortage, body: { delta, note } }) => {
    const stock = await stockOf(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    if (stock.quantity + delta < 0) {
      throw new StoreError('out_of_stock', `Pet ${petId} has ${stock.quantity} on hand; ${-delta} cannot be taken away.`, `petstore inventory view ${petId}`);
    }
    if (delta < 0) await checkReserved(tx, stock, stock.quantity + delta, allowShortage);
    await move(tx, stock, delta, { kind: 'adjust', ...(note !== undefined && { note }) });
    return requireInventoryItem(tx, petId);
  },
});
