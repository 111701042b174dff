import type { ReadStoreState } from '../domain/read-store-state.js';
import type { Engine } from './engine.js';
import type { ReadPositions } from './read-positions.js';

/** How one client reads a shop. */
export interface ClientReads {
  /** Reads as `Engine.read` does, on a snapshot that is not older than what the client has read or changed. */
  readonly read: Engine['read'];
  /** Reads the newest state of the shop. */
  readonly readNewest: Engine['read'];
  /** Called after each change of the client, also after one that was refused. */
  readonly changed: () => void;
}

/** A standby that answers reads. */
export interface ReadStore {
  /** The reads of a client: the id of its token, undefined without one. */
  readonly readsOf: (client: number | undefined) => ClientReads;
  /** Compares it with the primary, unless that was done a moment ago. */
  readonly state: () => Promise<ReadStoreState>;
  readonly close: () => Promise<void>;
}

/** How a standby is opened. */
export interface ReadStoreOptions {
  readonly address: string;
  /** The address for display, without a password. */
  readonly where: string;
  /** The engine of the primary. */
  readonly primary: Pick<Engine, 'read'>;
  readonly positions: ReadPositions;
  /** Whether an answer has all that was committed before the first read; otherwise only what its client has seen. */
  readonly isFresh?: boolean;
  /** Whether many clients read at the same time. */
  readonly forManyClients?: boolean;
  /** The current time, in ms since 1970. */
  readonly clock: () => number;
  /** Called when it begins or ceases to answer reads. */
  readonly onChange?: (state: ReadStoreState) => void;
}

/** The reads of a client where no standby is used. */
export function primaryReads({ read }: Pick<Engine, 'read'>): ClientReads {
  return { read, readNewest: read, changed: () => undefined };
}
