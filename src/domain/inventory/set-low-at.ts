import { inventoryItem } from './inventory-item.js';
import { requireInventoryItem } from './require-inventory-item.js';
import * as v from 'valibot';
import { checkVersion } from '../ledger/check-version.js';
import { quantityNumber } from '../values/numbers.js';
import { idNumber } from '../values/ids.js';
import { writes } from '../operation.js';
import { levelCrossing } from './stock.js';
import { stockOf } from './require-stock.js';

/** Sets the level at or below which one pet counts as low; without a level the store's applies again. */
export const setLowAt = writes({
  id: 'setLowAt',
  summary: 'Set the low-stock level of a pet',
  tag: 'Store',
  stability: 'beta',
  method: 'PUT',
  path: '/store/inventory/{petId}/low-at',
  status: 200,
  input: v.strictObject({ petId: idNumber, body: v.strictObject({ lowAt: v.optional(quantityNumber) }) }),
  output: inventoryItem,
  run: async (tx, { petId, body: { lowAt } }) => {
    const before = await stockOf(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    if (!(await tx.stock.setLowAt(petId, lowAt))) return requireInventoryItem(tx, petId);
    await tx.ledger.append({ kind: 'pet.updated', petId });
    const crossing = levelCrossing(before, await stockOf(tx, petId));
    if (crossing) await tx.ledger.append(crossing);
    return requireInventoryItem(tx, petId);
  },
});
