import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject } from './program.js';

/** A text of a source file and what replaces it. */
type Edit = readonly [from: string, to: string];

/** What "Add a field to a record" in CONTRIBUTING.md does for a text `microchip` of pets, `keeper` of categories and `reference` of orders. */
export const fieldEdits: Readonly<Record<string, readonly Edit[]>> = {
  'src/domain/pets/pet.ts': [
    [
      "'ID of the category the animal belongs to.'),",
      "'ID of the category the animal belongs to.'),\n  microchip: optional(nameText, 'The number of the chip.'),",
    ],
    ["{ name: 'Rex', categoryId: 1 }", "{ name: 'Rex', categoryId: 1, microchip: '276098' }"],
  ],
  'src/storage/tables/pet-columns.ts': [["categoryId: 'category_id' }", "categoryId: 'category_id', microchip: 'microchip' }"]],
  'src/domain/imports/pet-row.ts': [
    ["category: 'Dogs', status", "category: 'Dogs', microchip: '276098', status"],
    ["category: 'Cats', status", "category: 'Cats', microchip: '276099', status"],
  ],
  'src/cli/commands/pet/pet-fields.ts': [
    ["  status: { heading: 'Status',", "  microchip: { heading: 'Microchip', value: ({ microchip }) => microchip },\n  status: { heading: 'Status',"],
    ['import { anyText } from', 'import { anyText, removableText } from'],
    [
      '    status: choice(',
      "    microchip: flag({ long: 'microchip', value: 'number', summary: `${article} number of the chip`, read: removableText }),\n    status: choice(",
    ],
    ['petChange({ name, status }', 'petChange({ name, microchip, status }'],
    ['return { name, categoryId, status }', 'return { name, categoryId, microchip, status }'],
  ],
  'src/cli/commands/pet/create-edit.ts': [
    [
      "  status: {\n    label: 'Status',",
      "  microchip: { label: 'Microchip', ask: ({ line }) => line({ message: 'New microchip:', problem: () => undefined }) },\n  status: {\n    label: 'Status',",
    ],
  ],
  'src/domain/categories/category.ts': [
    ["'Short description of the category.'),", "'Short description of the category.'),\n  keeper: optional(nameText, 'Who looks after the animals.'),"],
    ["description: 'All breeds' }", "description: 'All breeds', keeper: 'Ana' }"],
  ],
  'src/storage/tables/category-table.ts': [["description: 'description' }", "description: 'description', keeper: 'keeper' }"]],
  'src/cli/commands/category/category-commands.ts': [
    ["  description: { heading: 'Description',", "  keeper: { heading: 'Keeper', value: ({ keeper }) => keeper },\n  description: { heading: 'Description',"],
    [
      "    description: flag({ long: 'description', value: 'text', summary: 'a short",
      "    keeper: flag({ long: 'keeper', value: 'name', summary: 'who looks after the animals', read: anyText }),\n    description: flag({ long: 'description', value: 'text', summary: 'a short",
    ],
    [
      "    description: flag({ long: 'description', value: 'text', summary: 'the new",
      "    keeper: flag({ long: 'keeper', value: 'name', summary: 'the new keeper; empty removes it', read: removableText }),\n    description: flag({ long: 'description', value: 'text', summary: 'the new",
    ],
    [
      '  description: {\n    label:',
      "  keeper: { label: 'Keeper', ask: ({ line }) => line({ message: 'New keeper:', problem: () => undefined }) },\n  description: {\n    label:",
    ],
  ],
  'src/domain/orders/order.ts': [
    [
      "ISO 8601; set on completion if missing.'),",
      "ISO 8601; set on completion if missing.'),\n  reference: optional(nameText, 'What the customer calls the order.'),",
    ],
    ['import { dateTimeText,', "import { nameText } from '../values/text.js';\nimport { dateTimeText,"],
    ["shipDate: '2026-12-24T09:00:00.000Z' }", "shipDate: '2026-12-24T09:00:00.000Z', reference: 'A-17' }"],
  ],
  'src/storage/tables/order-table.ts': [["shipDate: 'ship_date', ", "shipDate: 'ship_date', reference: 'reference', "]],
  'src/cli/commands/order/order-columns.ts': [
    ['  complete: { heading:', "  reference: { heading: 'Reference', value: ({ reference }) => reference },\n  complete: { heading:"],
  ],
  'src/cli/commands/order/order-commands.ts': [
    ['import { dueTime, orNone, petText, unitCount }', 'import { anyText, dueTime, orNone, petText, removableText, unitCount }'],
    [
      "  shipDate: flag({ long: 'ship-date', value: 'time', summary: 'the ship",
      "  reference: flag({ long: 'reference', value: 'text', summary: 'what the customer calls it', read: anyText }),\n  shipDate: flag({ long: 'ship-date', value: 'time', summary: 'the ship",
    ],
    [
      "  shipDate: flag({ long: 'ship-date', value: 'time', summary: 'the new",
      "  reference: flag({ long: 'reference', value: 'text', summary: 'the new reference; empty removes it', read: removableText }),\n  shipDate: flag({ long: 'ship-date', value: 'time', summary: 'the new",
    ],
    [
      '  shipDate: {\n    label:',
      "  reference: { label: 'Reference', ask: ({ line }) => line({ message: 'New reference:', problem: () => undefined }) },\n  shipDate: {\n    label:",
    ],
  ],
  'src/domain/ledger/field-labels.ts': [
    ["  lowAt: 'low level',", "  lowAt: 'low level',\n  microchip: 'microchip',\n  keeper: 'keeper',\n  reference: 'reference',"],
  ],
};

/** A migration that adds the columns; its version follows the newest one. */
function addMigration(copy: string): void {
  const folder = join(copy, 'src/storage/migrations');
  const version = Math.max(...readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0)) + 1;
  const file = `${String(version).padStart(4, '0')}-added-fields`;
  const add = (table: string, column: string, type: string) => `'ALTER TABLE ${table} ADD COLUMN ${column} ${type}',`;
  const columns = [
    ['pets', 'microchip'],
    ['categories', 'keeper'],
    ['orders', 'reference'],
  ] as const;
  writeFileSync(
    join(folder, `${file}.ts`),
    `import type { Migration } from './migration.js';
export const addedFields = {
  version: ${version},
  columns: { pets: { microchip: 'text' }, categories: { keeper: 'text' }, orders: { reference: 'text' } },
  sqlite: [${columns.map(([table, column]) => add(table, column, 'TEXT')).join(' ')}],
  postgres: [${columns.map(([table, column]) => add(table, column, 'TEXT COLLATE "C"')).join(' ')}],
} satisfies Migration;
`,
  );
  const list = join(folder, 'migrations.ts');
  const imported = `import { addedFields } from './${file}.js';\n`;
  writeFileSync(list, imported + readFileSync(list, 'utf8').replace(/,?\s*\] as const;/, ', addedFields] as const;'));
}

function replaceIn(file: string, replaced: readonly Edit[]): void {
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of replaced) {
    if (text.split(from).length !== 2) throw new Error(`${file} must contain this once: ${from}`);
    text = text.replace(from, () => to);
  }
  writeFileSync(file, text);
}

/** Copies the program to a folder, adds the fields, checks the types and builds it. Returns the path of the program. */
export function programWithAddedFields(folder: string): string {
  const copy = join(folder, 'copy');
  copyProject(copy);
  for (const [file, replaced] of Object.entries(fieldEdits)) replaceIn(join(copy, file), replaced);
  addMigration(copy);
  const run = (...words: readonly string[]) => execFileSync(process.execPath, words, { cwd: copy, stdio: 'inherit' });
  run('node_modules/typescript/bin/tsc', '--project', '.');
  run('.config/build.js');
  return join(copy, 'bin/petstore.js');
}
