import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import type { ReadStoreState } from '../../src/domain/read-store-state.js';
import type { Shop } from '../../src/domain/shop.js';
import { openReadStore } from '../../src/storage/postgres/read-store.js';
import { readPositions } from '../../src/storage/read-positions.js';
import type { ClientReads, ReadStoreOptions } from '../../src/storage/read-store.js';
import { localShop } from '../../src/storage/shop.js';
import { openShop, shown } from './postgres.js';
import { startPostgres, type PostgresServer } from './postgres-server.js';
import { startStandby, type Standby } from './standby.js';

/** Runs statements on a server, and returns the rows of the last one. */
export async function runOn(
  { urlOf }: Pick<PostgresServer, 'urlOf'>,
  database: string,
  ...texts: readonly string[]
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(urlOf(database));
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const text of texts) ({ rows } = await client.query<Record<string, unknown>>(text));
    return rows;
  } finally {
    await client.end();
  }
}

export const pauseReplay = (standby: Standby) => runOn(standby, 'postgres', 'SELECT pg_wal_replay_pause()');
export const resumeReplay = (standby: Standby) => runOn(standby, 'postgres', 'SELECT pg_wal_replay_resume() WHERE pg_is_in_recovery()');

/** A shop whose reads go to a standby, for one client after the other. */
export interface Fixture {
  readonly primary: PostgresServer;
  readonly standby: Standby;
  readonly database: string;
  /** The shop as a client with this token sees it. */
  readonly shopOf: (token: number | undefined) => Shop;
  /** How many reads the standby and the primary have answered since the last call. */
  readonly reads: () => { readonly standby: number; readonly primary: number };
  readonly state: () => Promise<ReadStoreState>;
  /** Waits until the standby is in this state. */
  readonly become: (state: ReadStoreState['state']) => Promise<ReadStoreState>;
  /** The reads of a client without a token. */
  readonly reader: ClientReads;
}

type Options = Partial<ReadStoreOptions> & { readonly addressOf?: (standby: Standby, primary: PostgresServer, database: string) => string };

/** A primary and a standby that follows it, for all tests: each has a database of its own. */
let pair: { readonly primary: PostgresServer; readonly standby: Standby } | undefined;
let count = 0;

/** Starts the primary and the standby before the tests of a suite, and stops them afterwards. */
export function startBeforeTests(): void {
  beforeAll(async () => {
    const primary = await startPostgres(false, ['synchronous_commit=local']);
    pair = { primary, standby: await startStandby(primary, 'standby', ['max_standby_streaming_delay=200ms', 'hot_standby_feedback=off']) };
  });
  // A test that failed may have left it paused.
  afterEach(async () => {
    if (pair) await resumeReplay(pair.standby);
  });
  afterAll(async () => {
    await pair?.standby.stop();
    await pair?.primary.stop();
  });
}

/** Runs work with an open read store for a database. */
export async function withReads(database: string, { addressOf, ...options }: Options, work: (fixture: Fixture) => Promise<void>): Promise<void> {
  if (pair === undefined) throw new Error('There is no standby.');
  const { primary, standby } = pair;
  const engine = await openShop(primary.urlOf(database));
  const positions = readPositions();
  const address = addressOf?.(standby, primary, database) ?? standby.urlOf(database);
  const readStore = openReadStore({ address, where: shown(address), primary: engine, positions, clock: () => Date.now(), ...options });
  let before = positions.counts();
  try {
    await work({
      ...pair,
      database,
      shopOf: (tokenId) => localShop(engine, { actor: 'ana', tokenId, source: 'cli', clock: () => Date.now() }, 'here', readStore.readsOf(tokenId)),
      reader: readStore.readsOf(undefined),
      reads: () => {
        const [now, last] = [positions.counts(), before];
        before = now;
        return { standby: now.standby - last.standby, primary: now.primary - last.primary };
      },
      state: readStore.state,
      become: async (state) => {
        await expect.poll(async () => (await readStore.state()).state, { timeout: 20_000 }).toBe(state);
        return readStore.state();
      },
    });
  } finally {
    await readStore.close();
    await engine.close();
  }
}

/** Creates a shop with one category and one pet, and waits until the standby has it. */
export async function createShop(): Promise<string> {
  if (pair === undefined) throw new Error('There is no standby.');
  const database = `shop_${(count += 1)}`;
  await runOn(pair.primary, 'postgres', `CREATE DATABASE ${database}`);
  const engine = await openShop(pair.primary.urlOf(database), { create: true });
  const shop = localShop(engine, { actor: 'ana', source: 'cli', clock: () => Date.now() }, 'here');
  await shop.call(createCategory, { body: { name: 'Dogs' } });
  await shop.call(createPet, { body: { name: 'Rex', categoryId: 1 } });
  await engine.close();
  await pair.standby.caughtUp();
  return database;
}

/** Runs work with a shop of its own, and a read store for it. */
export async function withReadStore(work: (fixture: Fixture) => Promise<void>, options: Options = {}): Promise<void> {
  await withReads(await createShop(), options, work);
}
