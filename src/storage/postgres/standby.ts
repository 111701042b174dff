import type pg from 'pg';
import type { ReadStoreState } from '../../domain/read-store-state.js';
import type { Queries, Work } from '../queries.js';
import { monotonicNow } from '../monotonic-clock.js';
import type { SnapshotPosition } from '../read-positions.js';
import type { ReadStoreOptions } from '../read-store.js';
import { retry } from '../retry.js';
import { raw, sql } from '../sql.js';
import { entryTime, ledgerWithBatches } from '../tables/fragments.js';
import type { Target } from './connection.js';
import { codeOf, isConnectionLost, serverNotUsable } from './errors.js';
import { openPool, type Pool } from './pool.js';
import { standbyHealth, type StandbyHealth } from './standby-health.js';
import { added, answerMs, NotReplayedError, readStandby, type Horizon, type StandbyAnswer, type StandbyReadOptions } from './standby-reads.js';

/** A standby: its connections, and whether it may answer reads. */
export interface Standby {
  /** Whether it may answer reads at the moment. The first call compares it with the primary; later ones do so in the background. */
  readonly isUsable: () => Promise<boolean>;
  /** Reads as `readStandby` does; a standby that cannot be read is not usable for a while. */
  readonly read: <T>(work: Work<T>, options: StandbyReadOptions) => Promise<StandbyAnswer<T>>;
  /** Compares it with the primary, unless that was done a moment ago. */
  readonly state: () => Promise<ReadStoreState>;
  readonly close: () => Promise<void>;
}

const [fewConnections, manyConnections] = [4, 8];
/** How long the primary has to show an entry that its standby has already: a commit waits for the standby. */
const aheadMs = 500;
const aheadPauseMs = 50;

/** Equal for a database and its copies on standbys, and for no other. */
const identity = `(SELECT CAST(system_identifier AS TEXT) FROM pg_control_system()) || '/' ||
  (SELECT CAST(oid AS TEXT) FROM pg_database WHERE datname = current_database())`;

/** Whether a snapshot was cancelled, because the standby had to replay a change of what it reads. */
export function isRecoveryConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}

/** An entry of the ledger; its text distinguishes it from another one with the same id. */
interface Entry {
  readonly id: number;
  readonly text: string | null;
}

const newestEntry = sql`SELECT id, CAST(l AS TEXT) AS text FROM ledger l ORDER BY id DESC LIMIT 1`;

/** What the primary says of an entry of the standby. */
interface Comparison {
  readonly added: number;
  readonly identity: string;
  readonly newest: number;
  /** The entry with the same id. */
  readonly text: string | null;
  /** The time of the oldest entry after it. */
  readonly lackedSince: number | null;
}

async function compared(queries: Queries, id: number): Promise<Comparison> {
  const found = await queries.get<Comparison>(sql`SELECT ${added} AS added, ${raw(identity)} AS identity,
    coalesce((SELECT max(id) FROM ledger), 0) AS newest, (SELECT CAST(l AS TEXT) FROM ledger l WHERE l.id = ${id}) AS text,
    (SELECT ${entryTime} FROM ${ledgerWithBatches} WHERE l.id > ${id} ORDER BY l.id LIMIT 1) AS "lackedSince"`);
  if (found === undefined) throw new Error('The primary answered no row.');
  return found;
}

/** Thrown when the standby has an entry that the primary does not have, or not yet. */
class AheadError extends Error {}

const isAhead = (error: unknown): boolean => error instanceof AheadError;

/** Compares an entry of the standby with that of the primary. Refuses another entry, and one that the primary does not have, as a server that may not be used. */
async function compareEntry(primary: ReadStoreOptions['primary'], { id, text }: Entry): Promise<Comparison> {
  const attempt = async (): Promise<Comparison> => {
    const found = await primary.read((queries) => compared(queries, id), { isRepeatable: true });
    if (id > found.newest) throw new AheadError('The standby is ahead of the primary.');
    return found;
  };
  try {
    const found = await retry(attempt, { deadlineMs: monotonicNow() + aheadMs, isRetryable: isAhead, firstMs: aheadPauseMs, longestMs: aheadPauseMs });
    // An empty ledger could be that of any shop.
    if (found.text === text && (text !== null || found.newest === 0)) return found;
  } catch (error) {
    if (!isAhead(error)) throw error;
  }
  throw serverNotUsable('its ledger is not that of the shop', false);
}

/** Refuses a server that is no standby, or no copy of the database `expected`. */
async function checkServer(client: pg.Client, { name }: Target, expected: string | undefined): Promise<void> {
  const { rows } = await client.query<{ readonly isStandby: boolean; readonly found: string }>(
    `SELECT pg_is_in_recovery() AS "isStandby", ${identity} AS found`,
  );
  if (rows[0]?.found !== expected) throw serverNotUsable(`${name} has another database, not a copy of that of the shop`, false);
  if (rows[0]?.isStandby !== true) throw serverNotUsable(`${name} is not a standby`, false);
}

const anyPosition: SnapshotPosition = { added: 0, logged: 0 };

/** What a comparison with the primary reads and updates. */
interface Compared {
  readonly pool: Pool;
  readonly horizon: () => Horizon;
  readonly health: StandbyHealth;
  /** Called with the identity of the database of the primary. */
  readonly expect: (identity: string) => void;
}

/** Compares a standby with its primary, from time to time; settles in any case. */
function comparer({ pool, horizon, health, expect }: Compared, { primary, positions, isFresh, clock }: ReadStoreOptions) {
  let isFirst = true;
  return async (): Promise<void> => {
    health.checkBegins();
    try {
      if (isFirst) {
        const found = await primary.read((queries) => compared(queries, 0), { isRepeatable: true });
        expect(found.identity);
        if (isFresh === true) positions.showToAll(found.added);
        isFirst = false;
      }
    } catch {
      // Without the primary nothing is known of the standby; the reads of the primary say why.
      return;
    }
    let newest: Entry;
    try {
      newest = (await readStandby(pool, horizon(), (queries) => queries.get<Entry>(newestEntry), { isRepeatable: true, least: anyPosition })).value ?? {
        id: 0,
        text: null,
      };
    } catch (error) {
      return health.failed(error);
    }
    try {
      const found = await compareEntry(primary, newest);
      expect(found.identity);
      const lagMs = found.lackedSince === null ? 0 : Math.max(0, clock() - found.lackedSince);
      health.compared({ lagEntries: found.newest - newest.id, lagMs });
    } catch (error) {
      // Any other error is one of the primary: the last comparison counts for a while.
      if (codeOf(error) === '08004') health.failed(error);
    }
  };
}

/** Opens a standby. Nothing is connected before the first use. */
export function openStandby(options: ReadStoreOptions): Standby {
  const { address, where, forManyClients = false, onChange } = options;
  let expected: string | undefined;
  const pool = openPool(address, {
    connections: forManyClients ? manyConnections : fewConnections,
    waitSeconds: answerMs / 1000,
    sessions: 'prefer-standby',
    accept: (client, target) => checkServer(client, target, expected),
  });
  let horizon: Horizon = { replayed: 0 };
  const leave = (): void => {
    // The next server may have replayed less.
    horizon = { replayed: 0 };
    pool.leave();
  };
  const health = standbyHealth(where, leave, onChange);
  const compare = comparer({ pool, horizon: () => horizon, health, expect: (found) => (expected = found) }, options);
  let checking: Promise<void> | undefined;
  const check = async (): Promise<void> => {
    if (!health.isDue() && checking === undefined) return;
    await (checking ??= compare().finally(() => (checking = undefined)));
  };
  return {
    isUsable: async () => {
      const checked = check();
      if (health.isUnknown()) await checked;
      return health.isUsable();
    },
    read: async (work, readOptions) => {
      let hasBegun = false;
      const noted: typeof work = (queries) => {
        hasBegun = true;
        return work(queries);
      };
      try {
        return await readStandby(pool, horizon, noted, readOptions);
      } catch (error) {
        const isItsFault = !(error instanceof NotReplayedError) && !isRecoveryConflict(error) && (!hasBegun || isConnectionLost(error));
        if (isItsFault) health.failed(error);
        throw error;
      }
    },
    state: async () => {
      await check();
      return health.state();
    },
    close: () => pool.end(),
  };
}
