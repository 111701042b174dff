import { petIdParameter } from '../pets/pet.js';
import { lowLevel, levelCrossing, type Stock } from './stock.js';
import { exampleItem, inventoryItem, requireInventoryItem } from './inventory-item.js';
import { checkVersion } from '../ledger/check-version.js';
import { afterWrite } from '../values/version.js';
import { writeOperation } from '../operation.js';
import { requireStock } from './require-stock.js';
import type { Undoing } from '../ledger/ledger-entry.js';
import type { WriteTransaction } from '../transaction.js';
import * as v from 'valibot';

/** Writes the low-stock level of a pet, undefined for that of the shop, and its ledger entries. */
export async function writeLowAt(tx: WriteTransaction, before: Stock, lowAt: number | undefined, { reverses }: Undoing = {}): Promise<void> {
  const { petId } = before;
  const previous = { lowAt: await tx.stock.ownLowAt(petId) };
  if (previous.lowAt === (lowAt ?? null)) return;
  await tx.stock.setLowAt(petId, lowAt);
  const crossing = levelCrossing(before, await requireStock(tx, petId));
  await tx.ledger.append({ kind: 'pet.updated', petId, previous, current: { lowAt: lowAt ?? null }, reverses });
  if (crossing) await tx.ledger.append(crossing);
}

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
  records: ({ petId }) => [`pet ${petId}`],
  run: async (tx, { petId, body: { lowAt } }) => {
    const before = await requireInventoryItem(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    await writeLowAt(tx, await requireStock(tx, petId), lowAt);
    return afterWrite(before, await requireInventoryItem(tx, petId));
  },
});
