import { petIdParameter } from '../pets/pet.js';
import { exampleItem, inventoryItem, requireInventoryItem } from './inventory-item.js';
import { readOperation } from '../operation.js';
import * as v from 'valibot';

/** Reads one pet's inventory entry. */
export const getInventoryItem = readOperation({
  id: 'getInventoryItem',
  summary: 'Read the inventory entry of a pet',
  description: 'Reads the inventory entry of one pet.',
  tag: 'Store',
  path: '/store/inventory/{petId}',
  input: v.strictObject({ petId: petIdParameter }),
  output: inventoryItem,
  refuses: [],
  example: { answer: exampleItem },
  cost: 'row',
  run: (tx, { petId }) => requireInventoryItem(tx, petId),
});
