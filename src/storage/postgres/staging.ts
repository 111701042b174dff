import type pg from 'pg';
import { randomBytes } from 'node:crypto';
import type { Cell, Queries } from '../engine.js';
import type { ColumnType } from '../migrations/migration.js';
import { explain } from './errors.js';
import type { Pool } from './pool.js';
import { queriesOf } from './statements.js';
import { serverTime } from './write-port.js';

/** A private section of a staging table, for preparing rows without a lock on the shop. */
export interface Staging {
  /** The address of the database for display, without the password. */
  readonly where: string;
  /** Identifies the rows of this section. */
  readonly run: string;
  /** Queries of the private connection; outside `transaction` each statement commits by itself. */
  readonly queries: Queries;
  /** Runs work with `queries` in one transaction. */
  readonly transaction: <T>(work: () => Promise<T>) => Promise<T>;
  readonly explain: (error: unknown) => unknown;
  /** Deletes the rows. */
  readonly clear: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const runBytes = 8;
/** Rows of aborted imports are deleted by later ones after this time. */
const longestImportMs = 24 * 60 * 60 * 1000;
const timeDigits = 15;

function timeText(milliseconds: number): string {
  return String(milliseconds).padStart(timeDigits, '0');
}

type StagingTable = 'staged_moves' | 'staged_pets';

/** Opens a section and deletes rows of aborted imports. */
async function openSection(client: pg.Client, table: StagingTable, where: string): Promise<Staging> {
  const queries = queriesOf(() => client, false);
  const now = await queries.get<{ readonly now: number }>({ text: `SELECT ${serverTime} AS now`, values: [] });
  const run = `${timeText(now?.now ?? 0)}-${randomBytes(runBytes).toString('hex')}`;
  await queries.run({ text: `DELETE FROM ${table} WHERE run < ?`, values: [timeText((now?.now ?? 0) - longestImportMs)] });
  const clear = async (): Promise<void> => void (await queries.run({ text: `DELETE FROM ${table} WHERE run = ?`, values: [run] }));
  return {
    where,
    run,
    queries,
    transaction: async (work) => {
      await client.query('BEGIN');
      try {
        const result = await work();
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    },
    explain: (error) => explain(error, where),
    clear,
    close: async () => {
      // If the connection is lost, a later import deletes the rows.
      await clear().catch(() => undefined);
      await client.end().catch(() => undefined);
    },
  };
}

/** Opens a connection and a section of a staging table. */
export async function openStaging(pool: Pool, table: StagingTable, where: string): Promise<Staging> {
  try {
    const client = await pool.openClient();
    try {
      return await openSection(client, table, where);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  } catch (error) {
    throw explain(error, where);
  }
}

/** A PostgreSQL array literal. */
export function arrayText(cells: readonly string[]): string {
  return `{${cells.join(',')}}`;
}

/** A text as an element of an array literal. */
export function textCell(value: string | null): string {
  return value === null ? 'NULL' : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Numbers as the text of an array. */
export function numbersText(values: readonly (number | null)[]): string {
  return arrayText(values.map((value) => String(value ?? 'NULL')));
}

/** Texts as the text of an array. */
export function textsText(values: readonly (string | null)[]): string {
  return arrayText(values.map(textCell));
}

/** The PostgreSQL type of the elements of an array. */
export const elementType: Readonly<Record<ColumnType, string>> = { number: 'BIGINT', text: 'TEXT' };

/** Values of one column as the text of an array; undefined becomes NULL. */
export function arrayOf(type: ColumnType, values: readonly (Cell | undefined)[]): string {
  if (type === 'number') return arrayText(values.map((value) => String(value ?? 'NULL')));
  return arrayText(values.map((value) => textCell(value === undefined || value === null ? null : String(value))));
}
