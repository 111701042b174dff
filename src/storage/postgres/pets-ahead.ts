import type { Queries } from '../queries.js';
import { stagedRowsLost } from '../errors.js';
import { sql } from '../sql.js';
import { highestId } from '../tables/ids.js';
import { codeOf, isConnectionLost } from './errors.js';
import { insertPets, rowsBetween } from './new-pets.js';
import type { Client } from './pool.js';
import { queriesOf } from './statements.js';

/** Places of staged rows whose pets are inserted together; another writer that needs one of their ids waits for so many. */
const placesTogether = 10_000;

/** Whether another transaction waits for this one, because it needs an id of a record that was inserted here. */
const isWaitedFor = sql`SELECT 1 AS one FROM pg_locks
  WHERE NOT granted AND locktype = 'transactionid' AND transactionid = CAST(pg_current_xact_id() AS XID) LIMIT 1`;

const defaultLevel = sql`SELECT value FROM settings WHERE name = 'low-at'`;

/** Staged rows to create pets from. */
interface StagedRun {
  readonly run: string;
  readonly rows: number;
  readonly lastPlace: number;
  readonly where: string;
}

/** Pets and stock that a transaction has inserted before it holds the lock of the shop. No other transaction sees them. */
export interface PetsAhead {
  /** The last pet before them. */
  readonly last: number;
  /** Whether the low-stock level of the shop, which they got, is still the same; asked under the lock. */
  readonly isCurrent: (queries: Queries) => Promise<boolean>;
}

async function levelOf(queries: Queries): Promise<string | undefined> {
  return (await queries.get<{ readonly value: string }>(defaultLevel))?.value;
}

/** Inserts the pets in the order of their places. Stops when another writer waits for one of their ids; undefined then. */
async function insertAll(
  queries: Queries,
  { run, rows, lastPlace, where }: StagedRun,
  categories: ReadonlyMap<string, number>,
): Promise<PetsAhead | undefined> {
  const [last, level] = [await highestId(queries, 'pets'), await levelOf(queries)];
  let inserted = 0;
  for (let first = 0; first <= lastPlace; first += placesTogether) {
    inserted += await insertPets(queries, rowsBetween(run, first, first + placesTogether - 1), last, categories);
    if (await queries.get(isWaitedFor)) return undefined;
  }
  if (inserted !== rows) throw stagedRowsLost(where, rows, inserted);
  return { last, isCurrent: async (locked) => (await levelOf(locked)) === level };
}

/**
 * Begins a transaction and inserts the pets of an import and their stock with the next ids, without the lock of the shop: most
 * of the work of an import, and other writers go on meanwhile. One that needs the same ids waits until this transaction
 * ends. Returns undefined after a rollback: another writer waits, has taken the ids, or the database refused; then the
 * pets are created under the lock, which reports an error that is still there.
 */
export async function insertAhead(
  client: Client,
  staged: StagedRun,
  prepare: (queries: Queries) => Promise<ReadonlyMap<string, number> | undefined>,
): Promise<PetsAhead | undefined> {
  const queries = queriesOf(() => client, false);
  try {
    await client.query("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = '5s'");
    const categories = await prepare(queries);
    const ahead = categories && (await insertAll(queries, staged, categories));
    if (ahead === undefined) await client.query('ROLLBACK');
    return ahead;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => client.release(true));
    if (codeOf(error) === '' && !isConnectionLost(error)) throw error;
    return undefined;
  }
}
