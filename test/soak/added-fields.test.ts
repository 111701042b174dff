import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programWithAddedField } from '../support/added-fields.js';
import { environment, start } from '../support/program.js';
import { startServerOf } from '../support/server-process.js';

let folder = '';
let program = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-added-'));
  program = programWithAddedField(folder);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command of the program with the added field, which must succeed; returns what it prints. */
async function run(store: string, ...words: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await start(process.execPath, [program, ...words], environment(store)).ended;
  expect(exitCode, `${words.join(' ')}: ${stderr}`).toBe(0);
  return stdout;
}

const inJson = async (store: string, ...words: readonly string[]): Promise<unknown> => JSON.parse(await run(store, ...words, '--json'));

/** Sets, changes and removes the added field of a pet and undoes each change. */
async function walk(store: string): Promise<void> {
  const { id } = (await inJson(store, 'pet', 'create', '--name', 'Otto', '--category', '1', '--microchip', 'A1')) as { readonly id: number };
  const shown = () => inJson(store, 'pet', 'view', String(id));
  const edit = (...flags: readonly string[]) => run(store, 'pet', 'edit', String(id), ...flags);
  expect(await shown()).toMatchObject({ microchip: 'A1' });
  await edit('--name', 'Max', '--microchip', 'B2');
  expect(await shown()).toMatchObject({ microchip: 'B2' });
  expect(await run(store, 'undo', '--list', '--format', 'tsv')).toContain('microchip "A1"');
  await run(store, 'undo', '--yes');
  expect(await shown()).toMatchObject({ name: 'Otto', microchip: 'A1' });
  await edit('--microchip', '');
  expect(await shown()).not.toHaveProperty('microchip');
  await run(store, 'undo', '--yes');
  expect(await shown()).toMatchObject({ microchip: 'A1' });
  await edit('--name', 'Max', '--microchip', 'B2');
}

/** Imports pets with the added field, and exports them. */
async function importAndExport(store: string): Promise<void> {
  const file = join(folder, 'pets.csv');
  writeFileSync(file, 'name,category,microchip\nMia,1,C3\nBen,1,\n');
  await run(store, 'pet', 'import', file, '--yes');
  const exported = (await run(store, 'pet', 'export', '--format', 'csv', '--fields', 'name,microchip')).split(/\r?\n/);
  expect(exported.slice(-4, -1)).toEqual(['Max,B2', 'Mia,C3', 'Ben,']);
}

/** What a shop says of the added field: its pets and its whole ledger, without the times. */
async function contents(store: string): Promise<readonly unknown[]> {
  const lists = [inJson(store, 'pet', 'list'), inJson(store, 'log', '--limit', '500')];
  return JSON.parse(JSON.stringify(await Promise.all(lists), (name, value: unknown) => (['at', 'source'].includes(name) ? undefined : value))) as unknown[];
}

test('a field that is added to pets is created, edited, undone, imported, exported, copied and logged, on a file and through a server', async () => {
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
  const schemas = Object.entries(document.components.schemas).flatMap(([name, { properties }]) => (Object.hasOwn(properties ?? {}, 'microchip') ? [name] : []));
  expect(schemas.toSorted()).toEqual([
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
});
