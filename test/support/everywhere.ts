import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { localShop } from '../../src/storage/shop.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { isFull } from './chance.js';
import { startPooler } from './pooler.js';
import { addressOf, dropEmptyShops, emptyShop, openShop } from './postgres.js';
import { throughServer } from './remote.js';
import { scene, type Scene, type Started } from './scene.js';

/** A place a shop can live. */
export interface Kind {
  readonly name: string;
  /** Whether a server stands before it. */
  readonly served: boolean;
  readonly start: (clock: () => number) => Promise<Started>;
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
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

async function startSqlite(clock: () => number): Promise<Started> {
  const directory = await mkdtemp(join(memory, 'petstore-test-'));
  const path = join(directory, 'shop.db');
  const engine = await openSqlite(path, { create: true, waitSeconds: 5 });
  return {
    shopOf: (actor) => localShop(engine, { actor, source: 'cli', clock }, path),
    engine,
    another: () => openSqlite(path, { waitSeconds: 5 }),
    stop: async () => {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startPostgres(clock: () => number): Promise<Started> {
  const { address, giveBack } = await emptyShop();
  return startAt(address, clock, giveBack);
}

/** As many as a program that imports needs at once: a transaction waits while another one uses its connection. */
const pooled = 4;

async function startPooled(clock: () => number): Promise<Started> {
  const { address, giveBack } = await emptyShop();
  const pooler = await startPooler(address, pooled);
  const url = new URL(address);
  url.port = String(pooler.port);
  return startAt(url.href, clock, async () => {
    await pooler.close();
    await giveBack();
  });
}

async function startAt(address: string, clock: () => number, giveBack: () => Promise<void>): Promise<Started> {
  const engine = await openShop(address);
  return {
    shopOf: (actor) => localShop(engine, { actor, source: 'cli', clock }, address),
    engine,
    another: () => openShop(address),
    stop: async () => {
      await engine.close();
      await giveBack();
    },
  };
}

afterAll(dropEmptyShops);

const sqlite: Kind = { name: 'SQLite', served: false, start: startSqlite };

// What takes long is asked by PETSTORE_TEST_HOMES=all, or at the full size.
const asksAll = process.env['PETSTORE_TEST_HOMES'] === 'all' || isFull;
const postgres: readonly Kind[] = [
  { name: 'PostgreSQL', served: false, start: startPostgres },
  ...(asksAll ? [{ name: 'PostgreSQL behind a pooler', served: false, start: startPooled }] : []),
];

/** Every place a shop can live; another engine joins here. */
const homes: readonly Kind[] = [sqlite, ...(addressOf('') === undefined ? [] : postgres)];

/** A shop in one of these places with a server before it. */
function served({ name, start }: Kind): Kind {
  return { name: `a server on ${name}`, served: true, start: async (clock) => throughServer(await start(clock), clock) };
}

// The server is the same before every engine.
const behindServer = asksAll ? homes : [sqlite];

/** Every place a shop can live, and every server before one. */
export const kinds: readonly Kind[] = [...homes, ...behindServer.map(served)];

/** One scenario, as a test of its own on every place a shop can live; each run has a shop and a clock of its own. */
export function everywhere(name: string, scenario: (shop: Scene) => Promise<void>): void {
  for (const kind of kinds) {
    test(`${name} (${kind.name})`, async () => {
      await inScene(kind, scenario);
    });
  }
}

/** One scenario where a shop lives, not through a server: what is done there alone, like making tokens. */
export function atHome(name: string, scenario: (shop: Scene) => Promise<void>): void {
  for (const home of homes) test(`${name} (${home.name})`, () => inScene(home, scenario));
}

/** One scenario on SQLite alone, where it looks at what is SQLite's own. */
export function onSqlite(name: string, scenario: (shop: Scene) => Promise<void>): void {
  test(`${name} (SQLite)`, () => inScene(sqlite, scenario));
}

/** One scenario on the first place of the list, for properties that run many shops within one test. */
export async function inOneScene<T>(scenario: (shop: Scene) => Promise<T>): Promise<T> {
  const [kind] = kinds;
  if (kind === undefined) throw new Error('There is no place for a shop to live.');
  return inScene(kind, scenario);
}

/** One scenario in a fresh shop of a kind. */
export async function inScene<T>(kind: Kind, scenario: (shop: Scene) => Promise<T>): Promise<T> {
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
    return await scenario(scene(started, clock));
  } finally {
    await started.stop();
  }
}
