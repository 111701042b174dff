import { petIdParameter } from '../pets/pet.js';
import { lowLevel, levelCrossing } from './stock.js';
import { exampleItem, inventoryItem } from './inventory-item.js';
import { requireInventoryItem } from './require-inventory-item.js';
import { checkVersion } from '../ledger/check-version.js';
import { writeOperation } from '../operation.js';
import { requireStock } from './require-stock.js';
import * as v from 'valibot';

/** Sets the low-stock level of one pet; without a level, the shop's applies again. */
export const setLowAt = writeOperation({
  id: 'setLowAt',
  summary: 'Set the low-stock level of a pet',
  description: 'Sets the level at or below which a pet counts as low. Without `lowAt`, the level of the shop applies again.',
  tag: 'Store',
  stability: 'beta',
  method: 'PUT',
  path: '/store/inventory/{petId}/low-at',
  status: 200,
  input: v.strictObject({ petId: petIdParameter, body: lowLevel }),
  output: inventoryItem,
  refuses: [],
  example: { body: { lowAt: 2 }, answer: exampleItem },
  cost: 'row',
  run: async (tx, { petId, body: { lowAt } }) => {
    const before = await requireStock(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    if (!(await tx.stock.setLowAt(petId, lowAt))) return requireInventoryItem(tx, petId);
    await tx.ledger.append({ kind: 'pet.updated', petId });
    const crossing = levelCrossing(before, await requireStock(tx, petId));
    if (crossing) await tx.ledger.append(crossing);
    return requireInventoryItem(tx, petId);
  },
});
