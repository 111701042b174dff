import { inventoryItem } from './inventory-item.js';
import { requireInventoryItem } from './require-inventory-item.js';
import * as v from 'valibot';
import { idNumber } from '../values/ids.js';
import { reads } from '../operation.js';

/** Reads one pet's inventory entry. */
export const getInventoryItem = reads({
  id: 'getInventoryItem',
  summary: 'Read the inventory entry of a pet',
  tag: 'Store',
  path: '/store/inventory/{petId}',
  input: v.strictObject({ petId: idNumber }),
  output: inventoryItem,
  run: (tx, { petId }) => requireInventoryItem(tx, petId),
});
