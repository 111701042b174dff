import { record, field, optional, requestRecord, trueOrFalse } from '../values/schemas.js';
import { quantityNumber, wholeNumber } from '../values/numbers.js';
import { idNumber } from '../values/ids.js';
import { versionFields } from '../values/version.js';
import { mayReadPets, type Scope } from '../tokens/token.js';
import type { PetRow } from '../pets/pet.js';
import { requirePet } from '../pets/require-pet.js';
import type { ReadTransaction } from '../transaction.js';
import { available, isLow } from './stock.js';
import { petStatus } from '../pets/pet-status.js';
import * as v from 'valibot';

/** The specification's InventoryItem. */
export const inventoryItem = record('InventoryItem', 'The stock of one pet.', {
  petId: field(idNumber, 'ID of the animal this entry tracks.'),
  quantity: field(quantityNumber, 'Current stock count.'),
  status: field(petStatus, 'Status of the pet.'),
});

/** The specification's InventoryUpdate. */
export const inventoryUpdate = requestRecord('InventoryUpdate', 'A counted stock.', {
  quantity: field(quantityNumber, 'The new stock count.'),
});

/** The inventory entry in the examples of the OpenAPI document. */
export const exampleItem: v.InferOutput<typeof inventoryItem> = { petId: 7, quantity: 3, status: 'available' };

/** The stock of one pet with its name, category, reserved and available units. */
export const completeInventoryItem = record('CompleteInventoryItem', 'The stock of one pet with its name, category, reserved and available units.', {
  ...inventoryItem.entries,
  name: optional(v.string(), 'Name of the pet; absent for a token without `pets:read`.'),
  category: optional(v.string(), 'Name of the category; absent for a token without `pets:read`.'),
  hold: field(trueOrFalse, 'Whether the pet is on hold.'),
  reserved: field(wholeNumber, 'Units reserved for open orders.'),
  available: field(wholeNumber, 'Units that can be sold now: on hand minus reserved, none of a pet on hold.'),
  lowAt: optional(wholeNumber, 'Low-stock level of the pet.'),
  low: field(trueOrFalse, 'Whether the pet is at or below its low-stock level.'),
  short: field(trueOrFalse, 'Whether more units are reserved than on hand.'),
  before: optional(wholeNumber, 'Units on hand before a change; only in the response to it.'),
  ...versionFields,
});

/** The stock of one pet with its name, category, reserved and available units. */
export type InventoryRow = v.InferOutput<typeof completeInventoryItem>;

/** Makes the inventory entry of a pet, as its caller may see it. */
export function inventoryRow(row: PetRow, { scopes }: { readonly scopes: readonly Scope[] | undefined }): InventoryRow {
  const { id, name, category, hold, status, quantity, reserved, lowAt, version } = row;
  return {
    petId: id,
    ...(mayReadPets(scopes) && { name, category }),
    hold,
    quantity,
    status,
    reserved,
    available: available(row),
    ...(lowAt !== undefined && { lowAt }),
    low: isLow({ quantity, reserved, lowAt: lowAt ?? null }),
    short: quantity < reserved,
    ...(version !== undefined && { version }),
  };
}

/** Reads the inventory entry of a pet. Refuses with `pet_not_found`. */
export async function requireInventoryItem(tx: ReadTransaction, petId: number): Promise<InventoryRow> {
  return inventoryRow(await requirePet(tx, petId), tx);
}
