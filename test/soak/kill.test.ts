import Database from 'better-sqlite3';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { built, environment, petstore, runProgram, runShell, start, stockedShop, type Ended } from '../support/program.js';

const pets = 20_000;
const rows = 60_000;
const opening = 10;
/** Each pet gets one of each. */
const deltas = [2, -1, 3] as const;
const perPet = deltas.reduce((sum: number, delta) => sum + delta, 0);

const directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
/** Everything temporary of the program goes here, so that what it leaves behind is seen. */
const scratch = join(directory, 'scratch');
const template = join(directory, 'template.db');
const shop = join(directory, 'shop');
const store = join(shop, 'shop.db');
const file = join(directory, 'delta.csv');

beforeAll(async () => {
  await built();
  await stockedShop(template, pets, opening);
  mkdirSync(scratch);
  const line = (row: number): string => `${((row * 7919) % pets) + 1},${deltas[Math.floor(row / pets)]}\n`;
  writeFileSync(file, `petId,delta\n${Array.from({ length: rows }, (_, row) => line(row)).join('')}`);
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function freshShop(from = template): void {
  rmSync(shop, { recursive: true, force: true });
  mkdirSync(shop);
  copyFileSync(from, store);
}

const temporary = { TMPDIR: scratch, SQLITE_TMPDIR: scratch };

/** Runs a command and kills it with no chance to tidy up, unless it ends before. */
async function killedAfter(milliseconds: number, args: readonly string[]): Promise<Ended> {
  const { child, ended } = start(process.execPath, [petstore, ...args], environment(store, temporary));
  child.stdin.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const end = await ended;
  clearTimeout(timer);
  return end;
}

/** Follows every pet through the ledger: each quantity is the one before and its change, and the last is what is on hand. */
function broken(database: Database.Database): readonly string[] {
  type Row = [id: number, petId: number, delta: number, after: number];
  const found: string[] = [];
  const last = new Map<number, number>();
  for (const [id, petId, delta, after] of database
    .prepare<[], Row>('SELECT id, pet_id, delta, quantity_after FROM ledger WHERE delta IS NOT NULL ORDER BY id')
    .raw()
    .all()) {
    if (after !== (last.get(petId) ?? 0) + delta) found.push(`entry ${id}`);
    last.set(petId, after);
  }
  for (const [petId, quantity] of database.prepare<[], [number, number]>('SELECT pet_id, quantity FROM stock').raw().all()) {
    if (last.get(petId) !== quantity) found.push(`pet ${petId}`);
  }
  return found;
}

/** What stands in the shop, and what is wrong with it. */
function look(): { readonly batches: string; readonly moved: number; readonly units: number; readonly wrong: readonly unknown[] } {
  const database = new Database(store, { timeout: 5000 });
  const value = (text: string): unknown => database.prepare(text).pluck().get();
  const wrong = [
    'PRAGMA quick_check',
    'SELECT count(*) FROM stock WHERE quantity < 0',
    'SELECT count(*) FROM (SELECT reverses FROM ledger WHERE reverses IS NOT NULL GROUP BY reverses HAVING count(*) > 1)',
    'SELECT count(*) FROM (SELECT l.batch_id FROM ledger l LEFT JOIN batches b ON b.id = l.batch_id WHERE l.batch_id IS NOT NULL AND b.id IS NULL)',
  ].map(value);
  const found = {
    batches: String(value("SELECT group_concat(state || ' ' || applied, ', ') FROM batches WHERE kind = 'stock'")),
    moved: Number(value("SELECT count(*) FROM ledger WHERE kind IN ('adjust', 'undo')")),
    units: Number(value('SELECT sum(quantity) FROM stock')),
    wrong: [...wrong.filter((one) => one !== 0 && one !== 'ok'), ...broken(database)],
  };
  database.close();
  return found;
}

const nothing = { batches: 'null', moved: 0, units: pets * opening, wrong: [] };
const whole = { batches: `applied ${rows}`, moved: rows, units: pets * (opening + perPet), wrong: [] };
const takenBack = { batches: `undone ${rows}`, moved: 2 * rows, units: pets * opening, wrong: [] };

/** The present contents of the folders of the shop and of what is temporary; the shop has its log while nobody tidied up. */
function leftBehind(): readonly string[] {
  const known = new Set(['shop.db', 'shop.db-wal', 'shop.db-shm']);
  return [...readdirSync(scratch), ...readdirSync(shop).filter((name) => !known.has(name))];
}

async function measured(args: readonly string[]): Promise<number> {
  const began = performance.now();
  expect(await runProgram(store, args, '', temporary)).toMatchObject({ exitCode: 0, stderr: '' });
  return performance.now() - began;
}

const importing = ['inventory', 'import', file, '--key', 'K'];

/** Kills one command again and again, each time on the shop that the kill before left; a shop where it came through is replaced. */
async function killAgainAndAgain(times: number, args: readonly string[], from: string, before: object, after: object): Promise<readonly string[]> {
  freshShop(from);
  const took = await measured(args);
  expect(look()).toEqual(after);
  freshShop(from);
  const met: string[] = [];
  for (let round = 0; round < times; round += 1) {
    // The same moments every time, spread evenly over a little more than a whole run, out of order.
    const moment = (took * 1.2 * ((round * 7) % times)) / times;
    const { signal, exitCode, stderr } = await killedAfter(moment, args);
    const found = look();
    expect(leftBehind(), `killed after ${moment} ms`).toEqual([]);
    if (found.moved === Object(before).moved) {
      expect(found, `killed after ${moment} ms`).toEqual(before);
      expect([signal, stderr]).toEqual(['SIGKILL', '']);
      met.push('nothing');
      continue;
    }
    expect(found, `killed after ${moment} ms`).toEqual(after);
    expect(signal ?? exitCode).toEqual(signal === null ? 0 : 'SIGKILL');
    met.push('whole');
    freshShop(from);
  }
  return met;
}

test('an import killed at any moment left nothing or everything, and the next run completes it', async () => {
  const met = await killAgainAndAgain(30, importing, template, nothing, whole);
  expect(met).toContain('nothing');
  await killedAfter(60, importing);
  expect(await runProgram(store, importing, '', temporary)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(look()).toEqual(whole);
  expect((await runProgram(store, importing, '', temporary)).stdout).toMatch(/^✓ Already applied/);
  expect(look()).toEqual(whole);
});

test('an undo killed at any moment left nothing or everything, and the next run completes it', async () => {
  freshShop();
  await measured(importing);
  const applied = join(directory, 'applied.db');
  // The copy takes the file alone: nothing of the shop may stand beside it.
  copyFileSync(store, applied);
  const undo = ['inventory', 'undo', '2', '--yes'];
  expect(await killAgainAndAgain(5, undo, applied, whole, takenBack)).toContain('nothing');
  await killedAfter(60, undo);
  expect(await runProgram(store, undo, '', temporary)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(look()).toEqual(takenBack);
  expect(await runProgram(store, undo, '', temporary)).toMatchObject({ exitCode: 4 });
});

test('orders are placed all the while a large file is imported', async () => {
  freshShop();
  const large = join(directory, 'large.csv');
  const copies = 5;
  writeFileSync(large, `petId,delta\n${Array.from({ length: rows * copies }, (_, row) => `${((row * 7919) % pets) + 1},1\n`).join('')}`);
  let over = false;
  const import_ = runProgram(store, ['inventory', 'import', large], '', temporary).finally(() => (over = true));
  const ends: Ended[] = [];
  while (!over) {
    ends.push(await runProgram(store, ['order', 'place', '--pet', String(ends.length + 1), '--quiet']));
    await sleep(1);
  }
  expect(await import_).toMatchObject({ exitCode: 0, stderr: '' });
  expect(ends.length).toBeGreaterThan(1);
  expect(ends.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
  const { wrong, units } = look();
  expect([wrong, units]).toEqual([[], pets * opening + rows * copies]);
  expect(leftBehind()).toEqual([]);
});

test('a disk without room for what is temporary is told as such, and nothing is changed', async () => {
  freshShop();
  // 64 KiB: enough for the shop, not for what the rows are told from afterwards.
  const { exitCode, stdout, stderr } = await runShell(store, `ulimit -f 64; petstore inventory import ${file} --format ndjson`);
  expect([exitCode, stdout]).toEqual([7, '']);
  expect(stderr).toMatch(/"code":"store_full","message":"There is no room left for temporary files in .*; nothing was changed\."/);
  expect(look()).toEqual(nothing);
});
