import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import type { Engine } from '../../src/storage/engine.js';
import { localShop } from '../../src/storage/shop.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { openEmptyShop } from './empty-shop-file.js';
import { memoryFolder } from './memory-folder.js';
import { runsAllStores } from './seeded-random.js';
import { hasPgBouncer, startPgBouncer } from './pgbouncer.js';
import { addressOf, dropEmptyShops, emptyShop, openShop } from './postgres.js';
import { throughServer } from './remote.js';
import { createTestShop, movingClock, type TestShop, type StartedShop } from './test-shop.js';

/** A kind of store that scenarios run on. */
export interface StoreKind {
  readonly name: string;
  /** Whether it is used through a server. */
  readonly served: boolean;
  readonly start: (clock: () => number) => Promise<StartedShop>;
}

/** Runs work in a new directory, which is removed afterwards. */
export async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-test-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function startSqlite(clock: () => number): Promise<StartedShop> {
  const directory = await mkdtemp(join(memoryFolder, 'petstore-test-'));
  const path = join(directory, 'shop.db');
  const engine = await openEmptyShop(path, 5);
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

/** The shop of an engine in a database. */
function startedOn(engine: Engine, address: string, clock: () => number, stop: () => Promise<void>): StartedShop {
  return {
    shopOf: (actor) => localShop(engine, { actor, source: 'cli', clock }, address),
    engine,
    openAgain: () => openShop(address),
    stop,
  };
}

async function startPostgres(clock: () => number): Promise<StartedShop> {
  const { address, open, giveBack } = await emptyShop();
  return startedOn(await open(), address, clock, giveBack);
}

/** The connections that an import needs at the same time, because a transaction waits while another one uses its connection. */
const poolerConnections = 4;

async function startPooled(clock: () => number): Promise<StartedShop> {
  const { address, giveBack } = await emptyShop();
  const { pooled, close } = await startPgBouncer(address, poolerConnections);
  const engine = await openShop(pooled);
  return startedOn(engine, pooled, clock, async () => {
    await engine.close();
    await close();
    await giveBack();
  });
}

afterAll(dropEmptyShops);

const sqlite: StoreKind = { name: 'SQLite', served: false, start: startSqlite };

const postgres: readonly StoreKind[] = [
  { name: 'PostgreSQL', served: false, start: startPostgres },
  ...(runsAllStores && hasPgBouncer ? [{ name: 'PostgreSQL behind a pooler', served: false, start: startPooled }] : []),
];
if (runsAllStores && !hasPgBouncer) console.warn('PgBouncer is not installed; no scenario runs behind a pooler.');

/** Every engine; add another engine here. */
const engineKinds: readonly StoreKind[] = [sqlite, ...(addressOf('') === undefined ? [] : postgres)];

/** A store of this kind used through a server. */
function behindServer({ name, start }: StoreKind): StoreKind {
  return { name: `a server on ${name}`, served: true, start: async (clock) => throughServer(await start(clock), clock) };
}

// The server is the same on every engine, so SQLite is enough by default.
const engineKindsWithServer = runsAllStores ? engineKinds : [sqlite];

/** Every kind of store: the engines, and servers on them. */
export const storeKinds: readonly StoreKind[] = [...engineKinds, ...engineKindsWithServer.map(behindServer)];

/** The stores of a scenario: the file and, as its name decides, PostgreSQL or a server (an eighth of them each); with all stores every one. */
function storesOf(name: string): readonly StoreKind[] {
  if (runsAllStores) return storeKinds;
  const turn = createHash('sha256').update(name).digest().readUInt8() % 8;
  return storeKinds.filter((kind) => kind === sqlite || turn === (kind.served ? 2 : 0));
}

/** Declares a test of one scenario for its stores, each with a new shop and clock; `PETSTORE_TEST_STORES=all` runs it on every one. */
export function testOnEveryStore(name: string, scenario: (shop: TestShop) => Promise<void>): void {
  for (const kind of storesOf(name)) {
    test(`${name} (${kind.name})`, async () => {
      await withTestShopOn(kind, scenario);
    });
  }
}

/** Declares a test of one scenario for every engine without a server, for operations that servers do not offer, such as making tokens. */
export function testOnEveryEngine(name: string, scenario: (shop: TestShop) => Promise<void>): void {
  for (const home of engineKinds) test(`${name} (${home.name})`, () => withTestShopOn(home, scenario));
}

/** Declares a test of one scenario on SQLite only. */
export function testOnSqlite(name: string, scenario: (shop: TestShop) => Promise<void>): void {
  test(`${name} (SQLite)`, () => withTestShopOn(sqlite, scenario));
}

/** Runs one scenario on the first kind of store, for properties that need many shops in one test. */
export async function withTestShop<T>(scenario: (shop: TestShop) => Promise<T>): Promise<T> {
  const [kind] = storeKinds;
  if (kind === undefined) throw new Error('There is no place for a shop to live.');
  return withTestShopOn(kind, scenario);
}

/** Runs one scenario in a new shop of a kind. */
export async function withTestShopOn<T>(kind: StoreKind, scenario: (shop: TestShop) => Promise<T>): Promise<T> {
  const clock = movingClock();
  const started = await kind.start(clock.now);
  try {
    return await scenario(createTestShop(started, clock));
  } finally {
    await started.stop();
  }
}
