import type { Queries, Work } from '../queries.js';
import { schemaVersion } from '../migrations/migrations.js';
import { monotonicNow } from '../monotonic-clock.js';
import type { SnapshotPosition } from '../read-positions.js';
import { raw, sql, type Sql } from '../sql.js';
import { serverNotUsable } from './errors.js';
import type { Pool } from './pool.js';
import { snapshot } from './snapshot.js';

/** What a snapshot has: every change but a few adds an entry to the ledger or a batch, and neither loses rows. */
export const added = sql`coalesce((SELECT max(id) FROM ledger), 0) + coalesce((SELECT max(id) FROM batches), 0)`;
const asNumber = (position: string): Sql => raw(`CAST(pg_wal_lsn_diff(${position}, '0/0') AS BIGINT)`);
const replayed = asNumber('pg_last_wal_replay_lsn()');
const logged = sql`CASE WHEN pg_is_in_recovery() THEN ${replayed} ELSE ${asNumber('pg_current_wal_insert_lsn()')} END`;

/** The position of a snapshot of the primary. */
export async function positionOf(queries: Queries): Promise<SnapshotPosition> {
  return (await queries.get<SnapshotPosition>(sql`SELECT ${added} AS added, ${logged} AS logged`)) ?? { added: 0, logged: 0 };
}

interface Probe {
  readonly added: number;
  readonly replayed: number | null;
  readonly isStandby: boolean;
  readonly version: number | null;
}

const probe = sql`SELECT ${added} AS added, ${replayed} AS replayed, pg_is_in_recovery() AS "isStandby", (SELECT schema_version FROM shop WHERE id = 1) AS version`;

/** What a standby is known to have replayed. Each snapshot that begins later has it. */
export interface Horizon {
  replayed: number;
}

/** Thrown when the snapshot of the standby lacks something that the client has seen, or may lack it. With `canRetry` the next snapshot has it. */
export class NotReplayedError extends Error {
  override readonly name = 'NotReplayedError';
  constructor(readonly canRetry: boolean) {
    super('The standby has not replayed what the client has seen.');
  }
}

/** A read of a standby, and what its snapshot had. */
export interface StandbyAnswer<T> {
  readonly value: T;
  readonly added: number;
}

/** How a standby is read. */
export interface StandbyReadOptions {
  /** As for `Engine.read`. */
  readonly isRepeatable: boolean;
  /** What the snapshot must have. */
  readonly least: SnapshotPosition;
}

/** Checks what a snapshot has; `before` was replayed when it began. */
function checkProbe(found: Probe | undefined, least: SnapshotPosition, before: number): number {
  if (found?.isStandby !== true) throw serverNotUsable('it is not a standby any more', false);
  if (found.version !== schemaVersion) throw serverNotUsable(`it has schema ${found.version ?? 0}, not ${schemaVersion}`, false);
  if (found.added < least.added) throw new NotReplayedError(false);
  if (before < least.logged) throw new NotReplayedError((found.replayed ?? 0) >= least.logged);
  return found.added;
}

/** How long a standby has until its first answer; then the primary is asked. */
export const answerMs = 2000;

/** Runs work that calls `answered` in time; fails as an unreachable server does when it is late. */
async function answeringInTime<T>(work: (answered: () => void, isLate: () => boolean) => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let late = false;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true;
      reject(Object.assign(new Error('The standby does not answer.'), { code: 'ETIMEDOUT' }));
    }, answerMs);
  });
  const answered = (): void => clearTimeout(timer);
  try {
    return await Promise.race([work(answered, () => late), timeout]);
  } finally {
    answered();
  }
}

/** Runs work on a snapshot of a standby that has reached `least`, once; fails in any other case. Work that cannot be repeated begins when that is certain. */
export async function readStandby<T>(pool: Pool, horizon: Horizon, work: Work<T>, { isRepeatable, least }: StandbyReadOptions): Promise<StandbyAnswer<T>> {
  const before = horizon.replayed;
  return answeringInTime((answered, isLate) => {
    const run = async (queries: Queries): Promise<StandbyAnswer<T>> => {
      const asked = queries.get<Probe>(probe).then((found) => {
        answered();
        horizon.replayed = Math.max(horizon.replayed, found?.replayed ?? 0);
        return checkProbe(found, least, before);
      });
      if (!isRepeatable) {
        const reached = await asked;
        if (isLate()) throw new Error('The primary is read instead.');
        return { value: await work(queries), added: reached };
      }
      // Sent together. That a snapshot is too old says more than what the work finds in it.
      const [reached, outcome] = await Promise.allSettled([asked, (async () => work(queries))()]);
      if (reached.status === 'rejected') throw reached.reason;
      if (outcome.status === 'rejected') throw outcome.reason;
      return { value: outcome.value, added: reached.value };
    };
    return snapshot(pool, run, { isRepeatable, deadlineMs: monotonicNow() });
  });
}
