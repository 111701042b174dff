import { category, completeCategory, type Category, type CategoryRow } from './categories/category.js';
import { undoBatch, undoReport } from './imports/undo-batch.js';
import { completeInventoryItem, inventoryItem, type InventoryRow } from './inventory/inventory-item.js';
import { completeLowLevel, lowLevel } from './inventory/stock.js';
import type { OperationDescription } from './operation.js';
import { completeOrder, order, type OrderRow } from './orders/order.js';
import { completePetDetails, petDetails } from './pets/pet-details.js';
import { completePet, pet, type Pet, type PetRow } from './pets/pet.js';
import { completeNamedShop, namedShop } from './set-shop-name.js';
import type * as v from 'valibot';

type Description = OperationDescription<unknown, unknown>;

/** A record with more fields than the one of the specification, and example values of these fields. */
interface Complete {
  readonly schema: v.GenericSchema;
  readonly example: object;
}

const version = 1208;
const petFields: Omit<PetRow, keyof Pet> = { category: 'Dogs', hold: false, quantity: 3, reserved: 1, version };
const categoryFields: Omit<CategoryRow, keyof Category> = { pets: 12, version };
const orderFields: Partial<OrderRow> = { pet: 'Rex', state: 'open', overdue: false, version };
const stockFields: Omit<InventoryRow, keyof v.InferOutput<typeof inventoryItem>> = {
  name: 'Rex',
  category: 'Dogs',
  hold: false,
  reserved: 1,
  available: 2,
  low: false,
  short: false,
  version,
};

const completeRecords: ReadonlyMap<v.GenericSchema, Complete> = new Map<v.GenericSchema, Complete>([
  [pet, { schema: completePet, example: petFields }],
  [petDetails, { schema: completePetDetails, example: { hold: false } }],
  [category, { schema: completeCategory, example: categoryFields }],
  [order, { schema: completeOrder, example: orderFields }],
  [inventoryItem, { schema: completeInventoryItem, example: stockFields }],
  [lowLevel, { schema: completeLowLevel, example: {} }],
  [namedShop, { schema: completeNamedShop, example: {} }],
]);

/**
 * The record that an operation answers to clients that ask for complete records, as the command line and the board do: with
 * all fields that they show. The records of the specification have fewer.
 */
export function completeOutput({ id, output }: Pick<Description, 'id' | 'output'>): v.GenericSchema {
  return id === undoBatch.id ? undoReport : (completeRecords.get(output)?.schema ?? output);
}

/** An example of that answer. */
export function completeExample({ id, output, example: { answer } }: Pick<Description, 'id' | 'output' | 'example'>): unknown {
  if (id === undoBatch.id) return { batch: answer, rows: 2 };
  const fields = completeRecords.get(output)?.example;
  const complete = (record: unknown): unknown => (fields === undefined ? record : { ...(record as object), ...fields });
  return Array.isArray(answer) ? answer.map(complete) : complete(answer);
}
