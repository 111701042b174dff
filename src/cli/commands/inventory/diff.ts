import { stockFlags, importStock } from './stock-import.js';
import type { Command } from '../../command.js';
import { importCommand } from '../../import-command.js';

/** The command `inventory diff`. */
export const inventoryDiff: Command = importCommand({
  path: ['inventory', 'diff'],
  summary: 'show what a file would change; exit code 8 if there are changes',
  flags: stockFlags,
  undoable: false,
  lists: true,
  previewOnly: true,
  run: importStock,
  examples: ['petstore inventory diff recount.csv', 'petstore inventory diff recount.csv --format csv', 'petstore inventory diff recount.csv --json'],
});
