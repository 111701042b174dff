import { inventoryUpdate, inventoryItem } from './inventory-item.js';
import { requireInventoryItem } from './require-inventory-item.js';
import { StoreError } from '../errors.js';
import { checkVersion } from '../ledger/check-version.js';
import { quantityNumber } from '../values/numbers.js';
import { idNumber } from '../values/ids.js';
import { writes } from '../operation.js';
import type { Stock } from './stock.js';
import { checkReserved } from './check-reserved.js';
import { move } from './record-movement.js';
import { stockOf } from './require-stock.js';
import type { Reading } from '../transaction.js';
import * as v from 'valibot';

/** Sets a counted quantity; `expected` is compared with what is on hand first. */
export const setInventory = writes({
  id: 'setInventory',
  summary: 'Set the stock of a pet to a counted quantity',
  tag: 'Store',
  method: 'PUT',
  path: '/store/inventory/{petId}',
  status: 200,
  input: v.strictObject({
    petId: idNumber,
    allowShortage: v.optional(v.boolean('must be true or false'), false),
    expected: v.optional(quantityNumber),
    body: inventoryUpdate,
  }),
  output: inventoryItem,
  run: async (tx, { petId, allowShortage, expected, body: { quantity } }) => {
    const stock = await stockOf(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    if (expected !== undefined && expected !== stock.quantity) await refuseStale(tx, stock, expected);
    if (quantity !== stock.quantity) {
      await checkReserved(tx, stock, quantity, allowShortage);
      await move(tx, stock, quantity - stock.quantity, { kind: 'count' });
    }
    return requireInventoryItem(tx, petId);
  },
});

async function refuseStale(tx: Reading, stock: Stock, expected: number): Promise<never> {
  const last = await tx.ledger.lastMovement(stock.petId);
  const since = last === undefined ? '' : ` The last movement is ledger entry ${last.id}: ${last.kind} by ${last.actor} at ${last.at}.`;
  throw new StoreError(
    'stock_changed',
    `Pet ${stock.petId} has ${stock.quantity} in stock, expected ${expected}.${since}`,
    `petstore inventory view ${stock.petId}`,
  );
}
