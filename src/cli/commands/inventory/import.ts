import { stockFlags, importStock } from './stock-import.js';
import type { Command } from '../../command.js';
import { importCommand } from '../../import-command.js';

/** The command `inventory import`. */
export const inventoryImport: Command = importCommand({
  path: ['inventory', 'import'],
  summary: 'apply a file of counted quantities or changes, or standard input with -',
  flags: stockFlags,
  undoable: true,
  lists: true,
  run: importStock,
  examples: [
    'petstore inventory import recount.csv',
    'petstore inventory import recount.csv --dry-run',
    'petstore inventory import delivery.csv --key "invoice 4711"',
    'petstore inventory import recount.csv --on-stale keep-difference',
    'petstore inventory import delivery.csv --keep-going --rejects bad.csv',
  ],
});
