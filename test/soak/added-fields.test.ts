import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programWithAddedFields } from '../support/added-fields.js';
import { environment, start } from '../support/program.js';
import { startServerOf } from '../support/server-process.js';

let folder = '';
let program = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-added-'));
  program = programWithAddedFields(folder);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command of the program with the added fields, which must succeed; returns what it prints. */
async function run(store: string, ...words: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await start(process.execPath, [program, ...words], environment(store)).ended;
  expect(exitCode, `${words.join(' ')}: ${stderr}`).toBe(0);
  return stdout;
}

const inJson = async (store: string, ...words: readonly string[]): Promise<unknown> => JSON.parse(await run(store, ...words, '--json'));

/** A record of each kind, without and with its added field; `edit` sets the field and another one, `removal` removes the field. */
const records = [
  {
    noun: 'pet',
    field: 'microchip',
    create: ['--name', 'Otto', '--category', '1', '--microchip', 'A1'],
    edit: ['--name', 'Max', '--microchip', 'B2'],
    removal: ['--microchip', ''],
  },
  { noun: 'category', field: 'keeper', create: ['--name', 'Newts', '--keeper', 'A1'], edit: ['--name', 'Frogs', '--keeper', 'B2'], removal: ['--keeper', ''] },
  {
    noun: 'order',
    field: 'reference',
    create: ['--pet', '3', '--reference', 'A1'],
    edit: ['--quantity', '2', '--reference', 'B2'],
    removal: ['--reference', ''],
  },
] as const;

/** Sets, changes and removes the added field of each record and undoes each change. */
async function walk(store: string): Promise<void> {
  for (const { noun, field, create, edit, removal } of records) {
    const made = (await inJson(store, noun, noun === 'order' ? 'place' : 'create', ...create)) as { readonly id: number };
    const id = String(made.id);
    const shown = () => inJson(store, noun, 'view', id);
    const created = await shown();
    expect(created).toMatchObject({ [field]: 'A1' });
    await run(store, noun, 'edit', id, ...edit);
    expect(await shown()).toMatchObject({ [field]: 'B2' });
    expect(await run(store, 'undo', '--list', '--format', 'tsv')).toContain(`${field} "A1"`);
    await run(store, 'undo', '--yes');
    expect(await shown()).toEqual(noun === 'pet' ? expect.objectContaining({ name: 'Otto', microchip: 'A1' }) : created);
    await run(store, noun, 'edit', id, ...removal);
    expect(await shown()).not.toHaveProperty(field);
    await run(store, 'undo', '--yes');
    expect(await shown()).toMatchObject({ [field]: 'A1' });
    await run(store, noun, 'edit', id, ...edit);
  }
}

/** Imports pets with the added field, and exports them. */
async function importAndExport(store: string): Promise<void> {
  const file = join(folder, 'pets.csv');
  writeFileSync(file, 'name,category,microchip\nMia,1,C3\nBen,1,\n');
  await run(store, 'pet', 'import', file, '--yes');
  const exported = (await run(store, 'pet', 'export', '--format', 'csv', '--fields', 'name,microchip')).split(/\r?\n/);
  expect(exported.slice(-4, -1)).toEqual(['Max,B2', 'Mia,C3', 'Ben,']);
}

/** What a shop says of the added fields: its lists and its whole ledger, without the times. */
async function contents(store: string): Promise<readonly unknown[]> {
  const lists = [
    ['pet', 'list'],
    ['category', 'list'],
    ['order', 'list'],
    ['log', '--limit', '500'],
  ].map((words) => inJson(store, ...words));
  return JSON.parse(
    JSON.stringify(await Promise.all(lists), (name, value: unknown) => (['at', 'shipDate', 'source'].includes(name) ? undefined : value)),
  ) as unknown[];
}

test('a field that is added to each record is created, edited, undone, imported, exported, copied and logged, on a file and through a server', async () => {
  const [file, served, copied] = ['file.db', 'served.db', 'copied.db'].map((name) => join(folder, name)) as [string, string, string];
  await run(file, 'init', '--sample');
  await run(served, 'init', '--sample');
  const server = await startServerOf(program, served);
  for (const store of [file, server.address]) {
    await walk(store);
    await importAndExport(store);
  }
  expect(await inJson(server.address, 'log', '--limit', '500')).toEqual(await inJson(served, 'log', '--limit', '500'));
  const expected = await contents(file);
  expect(await contents(server.address)).toEqual(expected);
  await run(file, 'copy', '--from', file, '--to', copied);
  expect(await contents(copied)).toEqual(expected);
  await run(copied, 'doctor');
}, 180_000);

test('the OpenAPI document has an added field in every schema of its record', async () => {
  const document = JSON.parse(await run(':memory:', 'openapi')) as {
    readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
  };
  const schemasWith = (field: string) =>
    Object.entries(document.components.schemas)
      .flatMap(([name, { properties }]) => (Object.hasOwn(properties ?? {}, field) ? [name] : []))
      .toSorted();
  expect(schemasWith('microchip')).toEqual([
    'CompletePet',
    'CompletePetDetails',
    'CurrentValues',
    'NewPet',
    'Pet',
    'PetDetails',
    'PetPatch',
    'PetRow',
    'PreviousValues',
  ]);
  expect(schemasWith('keeper')).toEqual(['Category', 'CategoryPatch', 'CompleteCategory', 'CurrentValues', 'NewCategory', 'PreviousValues']);
  expect(schemasWith('reference')).toEqual(['CompleteOrder', 'CurrentValues', 'Order', 'OrderPatch', 'PreviousValues']);
});
