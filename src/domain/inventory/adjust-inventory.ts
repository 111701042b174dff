import { requestRecord, field, optional } from '../values/schemas.js';
import { petIdParameter } from '../pets/pet.js';
import { exampleItem, inventoryItem, requireInventoryItem } from './inventory-item.js';
import { tooFewOnHand } from './too-few-units.js';
import { checkVersion } from '../ledger/check-version.js';
import { deltaNumber } from '../values/numbers.js';
import { writeOperation } from '../operation.js';
import { allowShortageParameter, checkReserved } from './check-reserved.js';
import { recordMovement } from './record-movement.js';
import { requireStock } from './require-stock.js';
import { noteText } from '../values/text.js';
import * as v from 'valibot';

const inventoryAdjustment = requestRecord('InventoryAdjustment', 'A change of the stock of one pet.', {
  delta: field(deltaNumber, 'Units to add; negative to remove units; not 0.'),
  note: optional(noteText, 'A note for the ledger.'),
});

/** Adds or removes units. Units may be added even if that does not yet cover all reservations. */
export const adjustInventory = writeOperation({
  id: 'adjustInventory',
  summary: 'Add or remove units of a pet',
  description: 'Adds units to the stock of a pet, or removes some. Safe to repeat only with an `Idempotency-Key`.',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/inventory/{petId}/adjustments',
  status: 200,
  input: v.strictObject({
    petId: petIdParameter,
    allowShortage: allowShortageParameter,
    body: inventoryAdjustment,
  }),
  output: inventoryItem,
  refuses: ['out_of_stock', 'stock_reserved'],
  example: { body: { delta: 2, note: 'delivery 4711' }, answer: { ...exampleItem, quantity: 5 } },
  cost: 'row',
  records: ({ petId }) => [`pet ${petId}`],
  run: async (tx, { petId, allowShortage, body: { delta, note } }) => {
    const stock = await requireStock(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    if (stock.quantity + delta < 0) {
      throw tooFewOnHand(stock, `cannot remove ${-delta}`);
    }
    if (delta < 0) await checkReserved(tx, stock, stock.quantity + delta, { allowShortage });
    await recordMovement(tx, stock, { kind: 'adjust', delta, ...(note !== undefined && { note }) });
    return { ...(await requireInventoryItem(tx, petId)), before: stock.quantity };
  },
});
