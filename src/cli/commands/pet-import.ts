import type { Command } from '../command.js';
import { toggle } from '../flags.js';
import { importCommand, importFlags } from '../imports.js';

/** Creates pets from a file. */
export const petImport: Command = importCommand({
  words: 'pet import [file]',
  summary: 'create pets from a CSV, TSV, NDJSON or JSON file, or from standard input with -',
  examples: [
    'petstore pet import pets.csv',
    `petstore pet import pets.csv --map "Animal's Name=name" --map "Primary Breed=category" --create-categories`,
    'petstore pet import pets.csv --keep-going --rejects bad.csv',
  ],
  flags: { ...importFlags, createCategories: toggle('--create-categories', 'create the categories the file names and the shop lacks') },
  undoable: false,
  lists: false,
  run: ({ shop, file }, options, { createCategories }) => shop.importPets(file, { ...options, createCategories: createCategories === true }),
});
