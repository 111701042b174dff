import { utcText } from '../values/time.js';
import { inventoryUpdate, inventoryItem, exampleItem, requireInventoryItem } from './inventory-item.js';
import { petIdParameter } from '../pets/pet.js';
import { optional } from '../values/schemas.js';
import { StoreError } from '../errors.js';
import { checkVersion } from '../ledger/check-version.js';
import { quantityNumber } from '../values/numbers.js';
import { writeOperation } from '../operation.js';
import type { Stock } from './stock.js';
import { allowShortageParameter, checkReserved } from './check-reserved.js';
import { recordMovement } from './record-movement.js';
import { requireStock } from './require-stock.js';
import type { ReadTransaction } from '../transaction.js';
import * as v from 'valibot';

/** Sets the stock of a pet to a counted quantity. Refuses with `stock_changed` where another quantity than `expected` is on hand. */
export const setInventory = writeOperation({
  id: 'setInventory',
  summary: 'Set the stock of a pet to a counted quantity',
  description: 'Sets the stock of a pet to a counted quantity. With `expected`, the change is refused unless that quantity is on hand.',
  tag: 'Store',
  method: 'PUT',
  path: '/store/inventory/{petId}',
  status: 200,
  input: v.strictObject({
    petId: petIdParameter,
    allowShortage: allowShortageParameter,
    expected: optional(quantityNumber, 'Units that must be on hand for the change to be made.'),
    body: inventoryUpdate,
  }),
  output: inventoryItem,
  refuses: ['stock_changed', 'stock_reserved'],
  example: { body: { quantity: 3 }, answer: exampleItem },
  cost: 'row',
  records: ({ petId }) => [`pet ${petId}`],
  run: async (tx, { petId, allowShortage, expected, body: { quantity } }) => {
    const stock = await requireStock(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    if (expected !== undefined && expected !== stock.quantity) await refuseStockChanged(tx, stock, expected);
    if (quantity !== stock.quantity) {
      await checkReserved(tx, stock, quantity, { allowShortage });
      await recordMovement(tx, stock, { kind: 'count', delta: quantity - stock.quantity });
    }
    return { ...(await requireInventoryItem(tx, petId)), before: stock.quantity };
  },
});

async function refuseStockChanged(tx: ReadTransaction, stock: Stock, expected: number): Promise<never> {
  const last = await tx.ledger.lastMovement(stock.petId);
  const since = last === undefined ? '' : ` The last movement is ledger entry ${last.id}: ${last.kind} by ${last.actor} ${utcText(last.at)}.`;
  throw new StoreError('stock_changed', `Pet ${stock.petId} has ${stock.quantity} on hand, expected ${expected}.${since}`, {
    details: { petId: stock.petId, ...(last && { at: last.at }) },
  });
}
