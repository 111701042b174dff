import { randomBytes } from 'node:crypto';
import { StoreError } from '../../domain/errors.js';
import type { Queries } from '../queries.js';
import { monotonicNow } from '../retry.js';
import { copyInto, type RowCopy } from './copy-rows.js';
import type { Connection } from './connection.js';
import { retryTransient } from './deadlines.js';
import { codeOf, explain, isTransient, noStandby } from './errors.js';
import type { Pool } from './pool.js';
import { queriesOf } from './statements.js';
import { serverTime } from './commit.js';

/** Private rows of a staging table, for preparing a change without a lock on the shop. */
export interface Staging {
  /** The address of the database for display, without the password. */
  readonly where: string;
  /** Names the rows that are staged now. */
  readonly run: () => string;
  /** Gives the rows that are staged next another name, so that no earlier ones are among them. */
  readonly beginRun: () => void;
  /** Works with the private connection, which is opened again after a failure; each statement commits by itself. */
  readonly connected: <T>(work: (connection: StagingConnection) => Promise<T>) => Promise<T>;
  /** Repeats an attempt after a lost connection, for as long as the caller waits for the store. */
  readonly untilConnected: <T>(attempt: () => Promise<T>) => Promise<T>;
  readonly explain: (error: unknown) => unknown;
  /**
   * Deletes the rows and closes the connection. After a change of many rows it updates the statistics of the planner, if it can: until
   * autovacuum does it, up to a minute later, lists would be slow.
   */
  readonly close: (changedRows: number) => Promise<void>;
}

/** A private connection for staging. */
export interface StagingConnection {
  readonly queries: Queries;
  readonly copy: (columns: readonly string[]) => RowCopy;
}

/** Where rows are staged. */
export interface StagingOptions {
  readonly table: 'staged_moves' | 'staged_pets';
  readonly where: string;
  readonly waitSeconds: number;
}

const base = 36;
const timeDigits = 9;
const runBytes = 5;
/** Rows of aborted imports are deleted by later ones after this time. */
const longestImportMs = 24 * 60 * 60 * 1000;
/** From this number of changed rows on, the statistics are updated. */
const manyRows = 10_000;

/** A time as text that sorts like it; each staged row has one, so it is short. */
function timeText(milliseconds: number): string {
  return milliseconds.toString(base).padStart(timeDigits, '0');
}

function isLost(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error;
  // Without a standby the rows are still being stored, so that they cannot be sent again.
  return isTransient(cause) && codeOf(cause) !== noStandby;
}

/** Repeats an attempt that failed because of a lost connection, until `waitSeconds` after the failure. */
async function repeatWhileLost<T>(waitSeconds: number, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isLost(error) || waitSeconds === 0) throw error;
    return retryTransient(monotonicNow() + waitSeconds * 1000, attempt, isLost);
  }
}

/** Deletes rows; a crash may bring them back, and a later import deletes them again. */
function deletion(table: string, condition: string): string {
  return `BEGIN; SET LOCAL synchronous_commit = off; DELETE FROM ${table} WHERE ${condition}; COMMIT`;
}

/** The tables that an import changes. */
const changedTables = { staged_moves: 'stock, ledger', staged_pets: 'pets, stock, ledger' } as const;

/** Opens a connection for staging and deletes rows of aborted imports. */
export async function openStaging(pool: Pool, { table, where, waitSeconds }: StagingOptions): Promise<Staging> {
  let connection: Connection | undefined;
  const runs: string[] = [];
  const untilConnected: Staging['untilConnected'] = (attempt) => repeatWhileLost(waitSeconds, attempt);
  const disconnect = (): void => {
    connection?.close();
    connection = undefined;
  };
  const connected: Staging['connected'] = async (work) => {
    const present = (connection ??= await pool.openSeparate());
    try {
      return await work({ queries: queriesOf(() => present, false), copy: (columns) => copyInto(present, table, columns) });
    } catch (error) {
      disconnect();
      throw error;
    }
  };
  const begun = await untilConnected(() =>
    connected(async ({ queries }) => {
      const found = await queries.get<{ readonly now: number }>({ text: `SELECT ${serverTime} AS now`, values: [] });
      const now = found?.now ?? 0;
      await connection?.run(deletion(table, `run < '${timeText(now - longestImportMs)}'`));
      return timeText(now);
    }),
  ).catch((error: unknown) => {
    throw explain(error, where);
  });
  const beginRun = (): void => void runs.push(`${begun}${randomBytes(runBytes).toString('hex')}`);
  beginRun();
  return {
    where,
    run: () => runs.at(-1) ?? '',
    beginRun,
    connected,
    untilConnected,
    explain: (error) => explain(error, where),
    close: async (changedRows) => {
      const rows = `run IN (${runs.map((run) => `'${run}'`).join(', ')})`;
      await connected(async ({ queries }) => {
        if (changedRows >= manyRows) await queries.run({ text: `ANALYZE ${changedTables[table]}`, values: [] });
        await connection?.run(deletion(table, rows));
        // If the connection is lost, a later import deletes the rows.
      }).catch(() => undefined);
      disconnect();
    },
  };
}
