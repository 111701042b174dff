import type { Queries, Work } from '../engine.js';
import { schemaVersion } from '../migrations/migrations.js';
import { monotonicNow } from '../monotonic-clock.js';
import { sql } from '../sql.js';
import { serverNotUsable } from './errors.js';
import type { Pool } from './pool.js';
import { snapshot } from './snapshot.js';

/** How far a snapshot has got: every change adds an entry to the ledger or a batch, and neither loses rows. */
export const position = sql`coalesce((SELECT max(id) FROM ledger), 0) + coalesce((SELECT max(id) FROM batches), 0)`;

/** The position of a snapshot of the primary. */
export async function positionOf(queries: Queries): Promise<number> {
  return (await queries.get<{ readonly position: number }>(sql`SELECT ${position} AS position`))?.position ?? 0;
}

interface Probe {
  readonly position: number;
  readonly isStandby: boolean;
  readonly version: number | null;
}

const probe = sql`SELECT ${position} AS position, pg_is_in_recovery() AS "isStandby", (SELECT schema_version FROM shop WHERE id = 1) AS version`;

/** Thrown when the snapshot of the standby lacks something that the client has seen. */
export class NotReplayedError extends Error {}

/** A read of a standby, and how far its snapshot has got. */
export interface StandbyAnswer<T> {
  readonly value: T;
  readonly position: number;
}

function checkedPosition(found: Probe | undefined, least: number): number {
  if (found?.isStandby !== true) throw serverNotUsable('it is not a standby any more', false);
  if (found.version !== schemaVersion) throw serverNotUsable(`it has schema ${found.version ?? 0}, not ${schemaVersion}`, false);
  if (found.position < least) throw new NotReplayedError('The standby has not replayed what the client has seen.');
  return found.position;
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
export async function readStandby<T>(pool: Pool, work: Work<T>, isRepeatable: boolean, least: number): Promise<StandbyAnswer<T>> {
  return answeringInTime((answered, isLate) => {
    const run = async (queries: Queries): Promise<StandbyAnswer<T>> => {
      const asked = queries.get<Probe>(probe).then((found) => {
        answered();
        return checkedPosition(found, least);
      });
      if (!isRepeatable) {
        const reached = await asked;
        if (isLate()) throw new Error('The primary is read instead.');
        return { value: await work(queries), position: reached };
      }
      // Sent together. That a snapshot is too old says more than what the work finds in it.
      const [reached, outcome] = await Promise.allSettled([asked, (async () => work(queries))()]);
      if (reached.status === 'rejected') throw reached.reason;
      if (outcome.status === 'rejected') throw outcome.reason;
      return { value: outcome.value, position: reached.value };
    };
    return snapshot(pool, run, isRepeatable, monotonicNow());
  });
}
