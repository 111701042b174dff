import { repeated } from '../../arguments.js';
import { petArgument } from '../../shared-arguments.js';
import { inventoryColumns } from './inventory-columns.js';
import { getInventoryItem } from '../../../domain/inventory/get-inventory-item.js';
import type { Command } from '../../command.js';
import { viewCommand } from '../../record-command.js';

/** The command `inventory view`. */
export const inventoryView: Command = viewCommand({
  path: ['inventory', 'view'],
  aliases: ['show', 'get'],
  summary: 'show the stock of pets',
  arguments: { pet: repeated(petArgument) },
  operation: getInventoryItem,
  input: ({ pet }) => ({ petId: pet }),
  columns: inventoryColumns,
  record: ({ petId: id, quantity, status, reserved, available, lowAt: level }) => ({
    petId: id,
    quantity,
    status,
    reserved,
    available,
    ...(level !== undefined && { lowAt: level }),
  }),
  examples: ['petstore inventory view 7', 'petstore inventory view 7 8 --json'],
});
