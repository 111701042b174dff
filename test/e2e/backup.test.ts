import Database from 'better-sqlite3';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { bundle, runScript } from '../support/processes.js';
import { environment, petstore, prepare, runHosted, runProgram, runShell, start, stockedShop } from '../support/program.js';
import { logLinesOf, startServer } from '../support/server-process.js';
import { testFolder } from '../support/files.js';

const pets = 2000;
const directory = testFolder();
const template = join(directory, 'template.db');
let folder = '';
let store = '';
let backup = '';
let script = '';
let count = 0;

beforeAll(async () => {
  await stockedShop(template, pets, 10);
  script = await bundle(directory, worker);
});
beforeEach(() => {
  count += 1;
  folder = join(directory, String(count));
  mkdirSync(folder);
  [store, backup] = [join(folder, 'shop.db'), join(folder, 'backup.db')];
  copyFileSync(template, store);
  chmodSync(store, 0o600);
});
/** A process that writes to or reads a shop until a stop file exists. It prints its results as JSON. */
const worker = `
  import { existsSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { workUntil } from './background-worker.js';
  const [, , store, task, stop] = process.argv;
  void workUntil(store, task, () => existsSync(stop), sleep).then((seen) => console.log(JSON.stringify(seen)));`;

/** The problems of a file found by SQLite and by the ledger. */
function wrongWith(path: string): readonly unknown[] {
  const database = new Database(path, { timeout: 10_000 });
  const found = [
    database.prepare('PRAGMA integrity_check').pluck().get(),
    ...database.prepare('SELECT s.pet_id FROM stock s WHERE s.quantity IS NOT (SELECT sum(l.delta) FROM ledger l WHERE l.pet_id = s.pet_id)').pluck().all(),
  ];
  database.close();
  return found.filter((one) => one !== 'ok');
}

function value(path: string, text: string): unknown {
  const database = new Database(path, { timeout: 10_000 });
  const found = database.prepare(text).pluck().get();
  database.close();
  return found;
}

/** Unexpected names in the folder of the shop. */
const unexpectedFiles = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('.petstore-'));

/** Waits until other processes have written twenty entries; returns the id of the newest one. */
async function grownLedger(): Promise<number> {
  const newest = (): number => Number(value(store, 'SELECT max(id) FROM ledger'));
  for (const goal = newest() + 20; newest() < goal;) await sleep(10);
  return newest();
}

test('a backup during writes of two processes is consistent and has everything acknowledged before it began', async () => {
  const stop = join(folder, 'stop');
  const writers = ['1', '2'].map((pet) => runScript(script, [store, `write ${pet}`, stop]));
  const missing: unknown[] = [];
  for (let round = 0; round < 2; round += 1) {
    const before = await grownLedger();
    const { exitCode, stderr } = await runProgram(store, ['backup', backup, '--force']);
    expect([exitCode, stderr]).toEqual([0, '']);
    if (Number(value(backup, 'SELECT max(id) FROM ledger')) < before) missing.push(before);
    expect(wrongWith(backup)).toEqual([]);
  }
  writeFileSync(stop, '');
  for (const { exitCode, output } of await Promise.all(writers)) {
    expect(exitCode).toBe(0);
    expect((JSON.parse(output) as readonly unknown[]).length).toBeGreaterThan(0);
  }
  expect(missing).toEqual([]);
  expect(await runShell(store, `cd "${folder}" && sha256sum -c backup.db.sha256`)).toMatchObject({ exitCode: 0, stdout: 'backup.db: OK\n' });
  expect(unexpectedFiles()).toEqual([]);
});

test('other processes see the shop before or after a restore, and keep what they write after it', async () => {
  await prepare(store, ['backup', backup], ['inventory', 'set', '4', '1010']);
  const stop = join(folder, 'stop');
  const [reader, writer] = [runScript(script, [store, 'read', stop]), runScript(script, [store, 'write 1', stop])];
  const restored: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    await grownLedger();
    // Half of the restores use the shop that the restore before kept.
    const source = round % 2 === 0 ? backup : join(folder, readdirSync(folder).findLast((name) => /before-restore-[\dTZ-]+$/.test(name)) ?? '');
    const { exitCode, stdout, stderr } = await runProgram(store, ['restore', source, '--yes', '--json']);
    expect([exitCode, stderr === '' || stderr.startsWith('There is no SHA-256')]).toEqual([0, true]);
    restored.push((JSON.parse(stdout) as { readonly entry: number }).entry);
  }
  await grownLedger();
  writeFileSync(stop, '');
  const [read, written] = await Promise.all([reader, writer]);
  expect([read.exitCode, read.errors, written.exitCode, written.errors]).toEqual([0, '', 0, '']);
  // Every read found a consistent stock and ledger.
  const seen = JSON.parse(read.output) as readonly (readonly [stock: number, ledger: number])[];
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter(([stock, ledger]) => stock !== ledger)).toEqual([]);
  // Every write has a unique id, and all writes after the last restore are stored.
  const ids = JSON.parse(written.output) as readonly number[];
  expect(new Set([...ids, ...restored]).size).toBe(ids.length + restored.length);
  const late = ids.filter((id) => id > (restored.at(-1) ?? 0));
  expect(late.length).toBeGreaterThan(0);
  const database = new Database(store);
  const kept = new Set(database.prepare('SELECT id FROM ledger').pluck().all());
  database.close();
  expect(late.filter((id) => !kept.has(id))).toEqual([]);
  expect(wrongWith(store)).toEqual([]);
  expect((await runHosted(store, ['doctor'])).exitCode).toBe(0);
});

test('a server answers during a restore, and no version of a record is used twice', async () => {
  const { address, stop } = await startServer(store);
  await prepare(store, ['backup', backup]);
  const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${address}${path}`, init);
  const set = async (quantity: number, tag?: string): Promise<Response> =>
    ask('/store/inventory/4', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...(tag !== undefined && { 'if-match': tag }) },
      body: JSON.stringify({ quantity }),
    });
  const before = (await ask('/store/inventory/4')).headers.get('etag') ?? '';
  const tags = [before];
  for (let quantity = 20; quantity < 25; quantity += 1) tags.push((await set(quantity)).headers.get('etag') ?? '');
  const events = await ask('/store/events');
  const stream = events.body?.getReader();
  let over = false;
  const statuses = new Map<number, number>();
  const seen = new Set<unknown>();
  const asking = (async () => {
    while (!over) {
      const answer = await ask('/store/inventory/4');
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      seen.add(((await answer.json()) as { readonly quantity: number }).quantity);
    }
  })();
  await prepare(store, ['restore', backup, '--yes']);
  while (!seen.has(10)) await sleep(20);
  over = true;
  await asking;
  expect([[...statuses.keys()], [...seen].toSorted()]).toEqual([[200], [10, 24]]);
  // The restored record has its old version; versions of the replaced changes never match again.
  expect((await ask('/store/inventory/4')).headers.get('etag')).toBe(before);
  for (const tag of tags.slice(1)) expect((await set(30, tag)).status).toBe(412);
  for (let quantity = 40; quantity < 50; quantity += 1) tags.push((await set(quantity)).headers.get('etag') ?? '');
  expect(new Set(tags).size).toBe(tags.length);
  for (const tag of tags.slice(1, -1)) expect((await set(30, tag)).status).toBe(412);
  expect((await set(30, tags.at(-1))).status).toBe(200);
  // An event stream reports the restore and continues.
  let heard = '';
  const decoder = new TextDecoder();
  while (!/"quantityAfter":30/.test(heard)) heard += decoder.decode((await stream?.read())?.value, { stream: true });
  expect(heard).toMatch(/event: shop\.restored\n/);
  await stream?.cancel();
  const lines = logLinesOf(await stop());
  expect(lines.filter(({ msg }) => msg === 'failure')).toEqual([]);
});

test('log --follow prints a restore and continues', async () => {
  await prepare(store, ['backup', backup], ['pet', 'hold', '1'], ['pet', 'hold', '2']);
  const { child, ended } = start(process.execPath, [petstore, 'log', '--follow', '-L', '1', '--format', 'ndjson'], environment(store));
  let heard = '';
  child.stdout.on('data', (text: string) => (heard += text));
  while (!heard.includes('pet.held')) await sleep(20);
  await prepare(store, ['restore', backup, '--yes'], ['pet', 'hold', '3']);
  while (!/"petId":3\b/.test(heard)) await sleep(20);
  child.kill('SIGINT');
  expect((await ended).stderr).toBe('');
  const kinds = heard
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly id: number; readonly kind: string; readonly petId?: number });
  expect(kinds.map(({ kind, petId }) => [kind, petId])).toEqual([
    ['pet.held', 2],
    ['shop.restored', undefined],
    ['pet.held', 3],
  ]);
});

/** Removes the newest ledger entry, of a new category, and that category, as a copy of the shop made before it has neither. */
function loseNewest(path: string): void {
  const database = new Database(path, { timeout: 10_000 });
  const trigger = String(database.prepare("SELECT sql FROM sqlite_master WHERE name = 'ledger_keeps_rows'").pluck().get());
  database.exec(`BEGIN IMMEDIATE; DROP TRIGGER ledger_keeps_rows; DELETE FROM categories WHERE id = (SELECT max(id) FROM categories);
    DELETE FROM ledger WHERE id = (SELECT max(id) FROM ledger); ${trigger}; COMMIT`);
  database.close();
}

for (const isServed of [false, true])
  test(`log --follow ${isServed ? 'of a server ' : ''}begins again when the shop lost its newest entry`, async () => {
    await prepare(store, ['category', 'create', '--name', 'Lost'], ['pet', 'hold', '1'], ['category', 'create', '--name', 'Lost too']);
    const held = value(store, "SELECT max(id) FROM ledger WHERE kind = 'pet.held'");
    const address = isServed ? (await startServer(store)).address : store;
    const { child, ended } = start(process.execPath, [petstore, 'log', '--follow', '-L', '1', '--format', 'ndjson'], environment(address));
    let heard = '';
    child.stdout.on('data', (text: string) => (heard += text));
    while (!heard.includes('category.created')) await sleep(20);
    loseNewest(store);
    while (!heard.includes('pet.held')) await sleep(20);
    await prepare(store, ['category', 'create', '--name', 'Birds']);
    while (heard.split('\n').length < 4) await sleep(20);
    child.kill('SIGINT');
    expect((await ended).stderr).toBe('The shop went back to an earlier state. Its newest entries are:\n');
    const entries = heard
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly id: number; readonly kind: string });
    expect(entries.map(({ id, kind }) => [id - Number(held), kind])).toEqual([
      [1, 'category.created'],
      [0, 'pet.held'],
      [1, 'category.created'],
    ]);
  });

test('reports a full disk and leaves no file', async () => {
  for (const args of [
    ['backup', backup],
    ['restore', template, '--yes'],
  ]) {
    const before = value(store, 'SELECT max(id) FROM ledger');
    const { exitCode, stdout, stderr } = await runShell(store, `ulimit -f 100; petstore ${args.join(' ')} --json`);
    expect([args[0], exitCode, stdout]).toEqual([args[0], 7, '']);
    // For SQLite a file size limit is a failed write, unlike a full disk.
    expect(stderr).toMatch(/"code":"store_(full|unreadable)","message":"[^"]*(backup|shop)\.db[^"]*nothing was changed\."/);
    expect([value(store, 'SELECT max(id) FROM ledger'), wrongWith(store)]).toEqual([before, []]);
    expect(readdirSync(folder).filter((name) => !name.startsWith(basename(store)))).toEqual([]);
  }
});
