import { statSync } from 'node:fs';
import { openedReadOnly, StoreError } from '../domain/errors.js';
import type { LookupKind, LookupMatch } from '../domain/lookup.js';
import type { ShopState } from '../domain/maintenance/maintenance.js';
import { isDatabaseAddress, isServerAddress } from '../domain/values/address-kind.js';
import { databaseIdentity } from '../domain/values/database-address.js';
import type { EngineDefinition, OpenOptions, ShopStateContext } from './engine-definition.js';
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
  concurrentLongReads: 4,
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
  concurrentLongReads: 1,
  openCheckpointer: async (store, nativeBinding) => (await import('./sqlite/checkpoints.js')).checkpointer(store, nativeBinding),
  maintenance: async () => (await import('./sqlite/maintenance.js')).maintenance,
};

/** All engines; the first that matches an address opens it. The modules of an engine are loaded when it is used. */
export const engines: readonly EngineDefinition[] = [postgres, sqlite];

/** The engine of a store address; refuses that of a server with `usage`. */
export function engineOf(store: string): EngineDefinition {
  if (isServerAddress(store)) {
    throw new StoreError('usage', `This works on files and databases, and ${store} is the address of a server.`, {
      advice: 'Run it on the machine of the server, with its file or database.',
    });
  }
  return engines.find(({ matches }) => matches(store)) ?? sqlite;
}

/** An engine whose changes are refused with `store_read_only`. */
function readingEngine({ read, changeMark, close }: Engine, where: string): Engine {
  const refuse = async (): Promise<never> => {
    throw openedReadOnly(`The shop at ${where} is opened for reading only.`);
  };
  return { read, changeMark, write: refuse, insertRows: refuse, insertStock: refuse, checkWritable: refuse, close };
}

/** Opens a shop with the engine of its address; refuses as `EngineDefinition.open` does. */
export async function openEngine(options: OpenOptions): Promise<Engine> {
  const engine = await engineOf(options.store).open(options);
  return options.readOnly === true ? readingEngine(engine, options.where) : engine;
}

/** Records for shell completion, without waiting for a lock; none where opening a shop takes too long between two key presses. */
export async function recordsIn(
  options: Pick<OpenOptions, 'store' | 'where' | 'nativeBinding'>,
  noun: LookupKind,
  text: string,
): Promise<readonly LookupMatch[]> {
  if (isServerAddress(options.store) || isDatabaseAddress(options.store)) return [];
  const engine = await openEngine({ ...options, waitSeconds: 0, readOnly: true });
  try {
    const { lookUp } = await import('./tables/look-up.js');
    return await engine.read((queries) => lookUp(queries, noun, text));
  } finally {
    await engine.close();
  }
}

/**
 * The state of an existing shop, read without changing it; undefined when there is none, or it is not a file. With
 * `strict` refuses a file whose schema petstore did not create with `store_unreadable`.
 */
export async function existingShopState(context: ShopStateContext): Promise<ShopState | undefined> {
  if (isServerAddress(context.store)) return undefined;
  return (await engineOf(context.store).maintenance()).state(context);
}
