import { lowLevel } from './stock.js';
import * as v from 'valibot';
import { writeOperation } from '../operation.js';
import type { Undoing } from '../ledger/ledger-entry.js';
import type { WriteTransaction } from '../transaction.js';

/** Writes the low-stock level of the shop, null for none, and its ledger entries. */
export async function writeLowDefault(tx: WriteTransaction, lowAt: number | null, { reverses }: Undoing = {}): Promise<void> {
  const before = await tx.settings.get('lowAt');
  if (before === lowAt) return;
  await tx.ledger.append({ kind: 'shop.updated', previous: { lowAt: before }, current: { lowAt }, reverses });
  await tx.ledger.appendCrossings(before, lowAt);
  await tx.settings.set('lowAt', lowAt);
  await tx.stock.setSharedLowAt(lowAt);
}

/** Sets the low-stock level of the shop, which applies to pets without their own; without a level those pets are never low. */
export const setLowDefault = writeOperation({
  id: 'setLowDefault',
  summary: "Set the shop's low-stock level",
  description: 'Sets the low-stock level of all pets without one of their own. Without `lowAt`, those pets are never low.',
  tag: 'Store',
  stability: 'beta',
  method: 'PUT',
  path: '/store/low-at',
  status: 200,
  input: v.strictObject({ body: lowLevel }),
  output: lowLevel,
  refuses: [],
  example: { body: { lowAt: 2 }, answer: { lowAt: 2 } },
  cost: 'shop',
  run: async (tx, { body: { lowAt } }) => {
    const before = await tx.settings.get('lowAt');
    await writeLowDefault(tx, lowAt ?? null);
    return { ...(lowAt !== undefined && { lowAt }), ...(before === (lowAt ?? null) && { unchanged: true as const }) };
  },
});
