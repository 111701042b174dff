import type { StoreError } from '../domain/errors.js';
import { monotonicNow } from './monotonic-clock.js';
import type { Queries, Work } from './engine.js';
import { sql } from './sql.js';
import { coalesce } from './coalesce.js';

/** What groups of writes need of an engine: one write transaction after the other. */
export interface WritePort {
  /**
   * Begins a transaction beside which nobody else writes, waiting for others so many milliseconds at most. Answers
   * nothing, or the refusal of those who have waited long enough; anything else that goes wrong is thrown.
   */
  readonly lock: (milliseconds: number) => Promise<StoreError | undefined>;
  /** The queries of the present transaction. */
  readonly queries: Queries;
  /** Ends the transaction and keeps what it did; settles only when that is known for certain, or `until` is past. */
  readonly commit: (until: number) => void | Promise<void>;
  /** Ends the transaction, if it has not ended by itself. */
  readonly rollback: () => void | Promise<void>;
  /** Whether a failure ended the whole transaction, not only what was asked last. */
  readonly endsTransaction: (error: unknown) => boolean;
  /** Whether the same transaction may succeed when it is done again from its beginning. */
  readonly isTransient: (error: unknown) => boolean;
  /** What a failure means to people; anything unexpected as it is. */
  readonly explain: (error: unknown) => unknown;
}

/** Queries that stop working once their transaction has ended. */
export function expiringQueries(queries: Queries): { readonly queries: Queries; readonly end: () => void } {
  let ended = false;
  const check = (): void => {
    if (ended) throw new Error('This transaction has ended; an operation forgot an await.');
  };
  return {
    queries: {
      all: async (query) => (check(), queries.all(query)),
      rows: async (query) => (check(), queries.rows(query)),
      get: async (query) => (check(), queries.get(query)),
      run: async (query) => (check(), queries.run(query)),
      containsAnyOf: queries.containsAnyOf,
    },
    end: () => {
      ended = true;
    },
  };
}

/** A write that waits for its turn. */
interface Waiting {
  readonly work: Work<unknown>;
  readonly keep: boolean;
  /** When it gives up, on the clock of `monotonicNow`. */
  readonly until: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What one write came to, and how to tell its caller once everything is kept. */
interface Attempt {
  readonly kept: boolean;
  readonly tell: () => void;
}

// Larger writes share less: what else the process does waits no longer than this for a group, in ms.
const longestGroupMs = 10;

/** Lets everything else that waits have its turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** How many writes share one commit at most: the last of them waits for all. */
const largestGroupSize = 128;

/** Refuses the writes that have waited too long. */
function refuseOverdue(waiting: Waiting[], refusal: unknown): void {
  const now = monotonicNow();
  while (waiting[0] !== undefined && waiting[0].until <= now) waiting.shift()?.reject(refusal);
}

/** Takes the write lock as soon as it is free; writes that wait too long are refused meanwhile. Answers whether any are left. */
async function lock(port: WritePort, waiting: Waiting[]): Promise<boolean> {
  for (let [next] = waiting; next !== undefined; [next] = waiting) {
    const refusal = await port.lock(Math.max(0, next.until - monotonicNow()));
    if (refusal === undefined) return true;
    refuseOverdue(waiting, refusal);
  }
  return false;
}

const save = sql`SAVEPOINT one`;
const release = sql`RELEASE SAVEPOINT one`;
const rollbackTo = sql`ROLLBACK TO SAVEPOINT one`;

/** Runs one write, in a savepoint unless it is alone in its transaction. */
async function runOne(port: WritePort, { work, keep, resolve, reject }: Waiting, alone: boolean): Promise<Attempt> {
  const scope = expiringQueries(port.queries);
  const end = async (keeping: boolean): Promise<void> => {
    if (alone) return;
    if (!keeping) await port.queries.run(rollbackTo);
    await port.queries.run(release);
  };
  if (!alone) await port.queries.run(save);
  try {
    const result = await work(scope.queries);
    scope.end();
    await end(keep);
    return { kept: keep, tell: () => resolve(result) };
  } catch (error) {
    scope.end();
    if (port.endsTransaction(error)) throw error;
    await end(false);
    return { kept: false, tell: () => reject(port.explain(error)) };
  }
}

/** Runs a group of writes in one transaction; each is answered after the commit. Answers those that are to be tried again. */
async function commit(port: WritePort, together: readonly Waiting[]): Promise<readonly Waiting[]> {
  const attempts: Attempt[] = [];
  const started = monotonicNow();
  let group = together;
  try {
    for (const [index, one] of together.entries()) {
      if (index > 0 && monotonicNow() - started > longestGroupMs) {
        group = together.slice(0, index);
        break;
      }
      attempts.push(await runOne(port, one, together.length === 1));
    }
    if (attempts.some(({ kept }) => kept)) await port.commit(Math.max(...group.map(({ until }) => until)));
    else await port.rollback();
  } catch (error) {
    await port.rollback();
    const now = monotonicNow();
    const again = port.isTransient(error) ? together.filter(({ until }) => until > now) : together.slice(group.length);
    for (const one of together) if (!again.includes(one)) one.reject(port.explain(error));
    return again;
  }
  for (const { tell } of attempts) tell();
  return together.slice(group.length);
}

/**
 * Writes of one engine, first come, first served. Those that wait at the same time share one durable commit, each in
 * a savepoint of its own; a flush to the disk costs more than everything else a small write does.
 */
export function groupedWrites(open: () => Promise<WritePort>, waitSeconds: number): <T>(work: Work<T>, keep: boolean) => Promise<T> {
  const waiting: Waiting[] = [];
  let running = false;
  const begin = coalesce(() => void drain());
  const drain = async (): Promise<void> => {
    try {
      const port = await open();
      while (await lock(port, waiting)) {
        waiting.unshift(...(await commit(port, waiting.splice(0, largestGroupSize))));
        await nextTurn();
      }
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error);
    }
    running = false;
    // One may have come between the last look and this line.
    if (waiting.length > 0) start();
  };
  const start = (): void => {
    if (running) return;
    running = true;
    begin();
  };
  return <T>(work: Work<T>, keep: boolean) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, keep, until: monotonicNow() + waitSeconds * 1000, resolve: resolve as (value: unknown) => void, reject });
      start();
    });
}
