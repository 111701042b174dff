import { optionalArgument } from '../../arguments.js';
import { stockFlags, importStock } from './stock-import.js';
import type { Command } from '../../command.js';
import { importCommand, importFlags } from '../../import-command.js';

/** The command `inventory diff`. */
export const inventoryDiff: Command = importCommand({
  path: ['inventory', 'diff'],
  arguments: { file: optionalArgument('file') },
  summary: 'show what a file would change; exit code 8 when it would change something',
  examples: ['petstore inventory diff recount.csv', 'petstore inventory diff recount.csv --format csv', 'petstore inventory diff recount.csv --json'],
  flags: { ...importFlags, ...stockFlags },
  undoable: false,
  lists: true,
  looks: true,
  run: importStock,
});
