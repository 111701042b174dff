import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { localShop } from '../../src/storage/shop.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { isFullSize } from './seeded-random.js';
import { startPooler } from './pooler.js';
import { addressOf, dropEmptyShops, emptyShop, openShop } from './postgres.js';
import { throughServer } from './remote.js';
import { createTestShop, type TestShop, type StartedShop } from './test-shop.js';

/** A place a shop can live. */
export interface StoreKind {
  readonly name: string;
  /** Whether a server stands before it. */
  readonly served: boolean;
  readonly start: (clock: () => number) => Promise<StartedShop>;
}

/** Runs work in a new directory and removes it afterwards. */
export async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-test-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// Nothing here is about what a disk keeps, and memory is quicker.
const memoryFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

async function startSqlite(clock: () => number): Promise<StartedShop> {
  const directory = await mkdtemp(join(memoryFolder, 'petstore-test-'));
  const path = join(directory, 'shop.db');
  const engine = await openSqlite(path, { create: true, waitSeconds: 5 });
  return {
    shopOf: (actor) => localShop(engine, { actor, source: 'cli', clock }, path),
    engine,
    openAgain: () => openSqlite(path, { waitSeconds: 5 }),
    stop: async () => {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startPostgres(clock: () => number): Promise<StartedShop> {
  const { address, giveBack } = await emptyShop();
  return startPostgresAt(address, clock, giveBack);
}

/** As many as a program that imports needs at once: a transaction waits while another one uses its connection. */
const poolerConnections = 4;

async function startPooled(clock: () => number): Promise<StartedShop> {
  const { address, giveBack } = await emptyShop();
  const pooler = await startPooler(address, poolerConnections);
  const url = new URL(address);
  url.port = String(pooler.port);
  return startPostgresAt(url.href, clock, async () => {
    await pooler.close();
    await giveBack();
  });
}

async function startPostgresAt(address: string, clock: () => number, giveBack: () => Promise<void>): Promise<StartedShop> {
  const engine = await openShop(address);
  return {
    shopOf: (actor) => localShop(engine, { actor, source: 'cli', clock }, address),
    engine,
    openAgain: () => openShop(address),
    stop: async () => {
      await engine.close();
      await giveBack();
    },
  };
}

afterAll(dropEmptyShops);

const sqlite: StoreKind = { name: 'SQLite', served: false, start: startSqlite };

// What takes long is asked by PETSTORE_TEST_STORES=all, or at the full size.
const runsAllStores = process.env['PETSTORE_TEST_STORES'] === 'all' || isFullSize;
const postgres: readonly StoreKind[] = [
  { name: 'PostgreSQL', served: false, start: startPostgres },
  ...(runsAllStores ? [{ name: 'PostgreSQL behind a pooler', served: false, start: startPooled }] : []),
];

/** Every place a shop can live; another engine joins here. */
const engineKinds: readonly StoreKind[] = [sqlite, ...(addressOf('') === undefined ? [] : postgres)];

/** A shop in one of these places with a server before it. */
function behindServer({ name, start }: StoreKind): StoreKind {
  return { name: `a server on ${name}`, served: true, start: async (clock) => throughServer(await start(clock), clock) };
}

// The server is the same before every engine.
const engineKindsWithServer = runsAllStores ? engineKinds : [sqlite];

/** Every place a shop can live, and every server before one. */
export const storeKinds: readonly StoreKind[] = [...engineKinds, ...engineKindsWithServer.map(behindServer)];

/** One scenario, as a test of its own on every place a shop can live; each run has a shop and a clock of its own. */
export function testOnEveryStore(name: string, scenario: (shop: TestShop) => Promise<void>): void {
  for (const kind of storeKinds) {
    test(`${name} (${kind.name})`, async () => {
      await withTestShopOn(kind, scenario);
    });
  }
}

/** One scenario where a shop lives, not through a server: what is done there alone, like making tokens. */
export function testOnEveryEngine(name: string, scenario: (shop: TestShop) => Promise<void>): void {
  for (const home of engineKinds) test(`${name} (${home.name})`, () => withTestShopOn(home, scenario));
}

/** One scenario on SQLite alone, where it looks at what is SQLite's own. */
export function testOnSqlite(name: string, scenario: (shop: TestShop) => Promise<void>): void {
  test(`${name} (SQLite)`, () => withTestShopOn(sqlite, scenario));
}

/** One scenario on the first place of the list, for properties that run many shops within one test. */
export async function withTestShop<T>(scenario: (shop: TestShop) => Promise<T>): Promise<T> {
  const [kind] = storeKinds;
  if (kind === undefined) throw new Error('There is no place for a shop to live.');
  return withTestShopOn(kind, scenario);
}

/** One scenario in a fresh shop of a kind. */
export async function withTestShopOn<T>(kind: StoreKind, scenario: (shop: TestShop) => Promise<T>): Promise<T> {
  let now = Date.parse('2026-11-20T09:00:00Z');
  const clock = {
    now: () => now,
    set: (text: string) => {
      now = Date.parse(text);
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const started = await kind.start(clock.now);
  try {
    return await scenario(createTestShop(started, clock));
  } finally {
    await started.stop();
  }
}
