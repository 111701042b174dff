import { repeatedArgument } from '../../arguments.js';
import { inventoryColumns } from './inventory-columns.js';
import { whichPet } from './inventory-arguments.js';
import { getInventoryItem } from '../../../domain/inventory/get-inventory-item.js';
import type { Command } from '../../command.js';
import { viewCommand } from '../../record-command.js';
import { idOf } from '../../flags.js';

/** The command `inventory view`. */
export const inventoryView: Command = viewCommand({
  columns: inventoryColumns,
  record: ({ petId: id, quantity, status, reserved, available, lowAt: level }) => ({
    petId: id,
    quantity,
    status,
    reserved,
    available,
    ...(level !== undefined && { lowAt: level }),
  }),
  path: ['inventory', 'view'],
  arguments: { pet: repeatedArgument('pet') },
  summary: 'show the stock of pets',
  examples: ['petstore inventory view 7', 'petstore inventory view 7 8 --json'],
  does: getInventoryItem,
  id: idOf('pet'),
  asks: whichPet,
  input: (id) => ({ petId: id }),
});
