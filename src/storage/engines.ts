import { isDatabase } from '../domain/values/address-kind.js';
import type { Engine } from './engine.js';

/** A shop to open, and by whom. */
export interface OpenOptions {
  /** The path of a file, or the address of a PostgreSQL database. */
  readonly store: string;
  /** The same as people may read it, without a password. */
  readonly where: string;
  /** Sets the shop up where it is missing. */
  readonly create?: boolean;
  /** Told when it was. */
  readonly onCreated?: () => void;
  /** How long to wait for others who write, in seconds. */
  readonly waitSeconds: number;
  /** Whether it is opened for many at once: more connections, and another thread for the log of a file. */
  readonly forMany?: boolean;
  readonly nativeBinding: string | undefined;
}

const connectionsForMany = 8;

/** Opens a shop with the engine of the place it lives in; an engine that nobody needs is not loaded. */
export async function openEngine({ store, where, create = false, onCreated, waitSeconds, forMany = false, nativeBinding }: OpenOptions): Promise<Engine> {
  if (isDatabase(store)) {
    const { openPostgres } = await import('./postgres/engine.js');
    return openPostgres(store, { where, create, waitSeconds, ...(onCreated && { onCreated }), ...(forMany && { connections: connectionsForMany }) });
  }
  const { openSqlite } = await import('./sqlite/engine.js');
  return openSqlite(store, { create, waitSeconds, nativeBinding, checkpoints: !forMany, ...(onCreated && { onCreated }) });
}
