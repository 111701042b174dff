import { statSync } from 'node:fs';
import { openedReadOnly } from '../domain/errors.js';
import { isDatabaseAddress } from '../domain/values/address-kind.js';
import { databaseIdentity } from '../domain/values/database-address.js';
import type { EngineDefinition, OpenOptions } from './engine-definition.js';
import type { Engine } from './engine.js';

const connectionsForMany = 8;

/** A PostgreSQL database, reached by its URL. */
const postgres: EngineDefinition = {
  name: 'postgres',
  matches: isDatabaseAddress,
  open: async ({ store, forManyClients = false, ...options }) => {
    const { openPostgres } = await import('./postgres/engine.js');
    return openPostgres(store, { ...options, ...(forManyClients && { connections: connectionsForMany }) });
  },
  identity: databaseIdentity,
  capabilities: { concurrentLongReads: 4 },
  maintenance: async () => (await import('./postgres/maintenance.js')).maintenance,
};

/** An SQLite file; every address that no other engine matches is a path. */
const sqlite: EngineDefinition = {
  name: 'sqlite',
  matches: () => true,
  open: async ({ store, forManyClients = false, ...options }) => {
    const { openSqlite } = await import('./sqlite/engine.js');
    return openSqlite(store, { ...options, checkpoints: !forManyClients });
  },
  identity: (store) => {
    try {
      const { dev, ino } = statSync(store, { bigint: true });
      return `${dev}:${ino}`;
    } catch {
      // A missing file; opening it reports any other problem.
      return store;
    }
  },
  // better-sqlite3 is synchronous: a thread runs one query at a time.
  capabilities: { concurrentLongReads: 1 },
  lookUp: async (store, nativeBinding, noun, text) => (await import('./sqlite/look-up.js')).lookUpIn(store, nativeBinding, noun, text),
  openCheckpointer: async (store, nativeBinding) => (await import('./sqlite/checkpoints.js')).checkpointer(store, nativeBinding),
  maintenance: async () => (await import('./sqlite/maintenance.js')).maintenance,
};

/** All engines; the first that matches an address opens it. The modules of an engine are loaded when it is used. */
export const engines: readonly EngineDefinition[] = [postgres, sqlite];

/** The engine of a store address. */
export function engineOf(store: string): EngineDefinition {
  return engines.find(({ matches }) => matches(store)) ?? sqlite;
}

/** An engine whose changes are refused with `store_read_only`. */
function readingEngine({ read, close }: Engine, where: string): Engine {
  const refuse = async (): Promise<never> => {
    throw openedReadOnly(`The shop at ${where} is opened for reading only.`);
  };
  return { read, write: refuse, bulkStock: refuse, bulkPets: refuse, insertRows: refuse, checkWritable: refuse, close };
}

/** Opens a shop with the engine of its address; refuses as `EngineDefinition.open` does. */
export async function openEngine(options: OpenOptions): Promise<Engine> {
  const engine = await engineOf(options.store).open(options);
  return options.readOnly === true ? readingEngine(engine, options.where) : engine;
}
