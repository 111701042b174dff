import type { Command } from '../command.js';
import { toggle } from '../flags.js';
import { importCommand, importFlags } from '../imports.js';

/** Applies a file of stock figures. */
export const stockImport: Command = importCommand({
  words: 'inventory import [file]',
  summary: 'apply a file of counted quantities or changes, or standard input with -',
  examples: [
    'petstore inventory import recount.csv',
    'petstore inventory import recount.csv --dry-run',
    'petstore inventory import delivery.csv --keep-going --rejects bad.csv',
  ],
  flags: { ...importFlags, allowShortage: toggle('--allow-shortage', 'accept figures that do not cover what open orders were promised') },
  run: (shop, file, options, { allowShortage }) => shop.importStock(file, { ...options, allowShortage: allowShortage === true }),
});
