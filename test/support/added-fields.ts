import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject } from './program.js';

/** A text of a source file and what replaces it. */
type Edit = readonly [from: string, to: string];

/** What "Add a field to a record" in CONTRIBUTING.md does for a text `microchip` of pets. */
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
  'src/domain/ledger/field-labels.ts': [["  lowAt: 'low level',", "  lowAt: 'low level',\n  microchip: 'microchip',"]],
};

/** A migration that adds the column; its version follows the newest one. */
function addMigration(copy: string): void {
  const folder = join(copy, 'src/storage/migrations');
  const version = Math.max(...readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0)) + 1;
  const file = `${String(version).padStart(4, '0')}-added-field`;
  const add = (type: string) => `'ALTER TABLE pets ADD COLUMN microchip ${type}'`;
  writeFileSync(
    join(folder, `${file}.ts`),
    `import type { Migration } from './migration.js';
export const addedField = {
  version: ${version}, columns: { pets: { microchip: 'text' } }, sqlite: [${add('TEXT')}], postgres: [${add('TEXT COLLATE "C"')}],
} satisfies Migration;
`,
  );
  const list = join(folder, 'migrations.ts');
  const imported = `import { addedField } from './${file}.js';\n`;
  writeFileSync(list, imported + readFileSync(list, 'utf8').replace(/,?\s*\] as const;/, ', addedField] as const;'));
}

function replaceIn(file: string, replaced: readonly Edit[]): void {
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of replaced) {
    if (text.split(from).length !== 2) throw new Error(`${file} must contain this once: ${from}`);
    text = text.replace(from, () => to);
  }
  writeFileSync(file, text);
}

/** Copies the program to a folder, adds the field, checks the types and builds it. Returns the path of the program. */
export function programWithAddedField(folder: string): string {
  const copy = join(folder, 'copy');
  copyProject(copy);
  for (const [file, replaced] of Object.entries(fieldEdits)) replaceIn(join(copy, file), replaced);
  addMigration(copy);
  const run = (...words: readonly string[]) => execFileSync(process.execPath, words, { cwd: copy, stdio: 'inherit' });
  run('node_modules/typescript/bin/tsc', '--project', '.');
  run('.config/build.js');
  return join(copy, 'bin/petstore.js');
}
