import type pg from 'pg';
import { randomBytes } from 'node:crypto';
import type { Queries } from '../engine.js';
import { explain } from './errors.js';
import { openClient } from './pool.js';
import { queriesOf } from './statements.js';
import { serverTime } from './write-port.js';

/** A private part of a table in which an import prepares its rows while the shop is not locked. */
export interface Staging {
  /** The database as people may read it. */
  readonly where: string;
  /** What the rows are marked with; each part has its own. */
  readonly run: string;
  /** Queries of the connection; outside of `transaction` each commits by itself, and is durable when it is answered. */
  readonly queries: Queries;
  /** Runs work with `queries` in one transaction. */
  readonly transaction: <T>(work: () => Promise<T>) => Promise<T>;
  readonly explain: (error: unknown) => unknown;
  /** Throws the rows away. */
  readonly clear: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const runBytes = 8;
/** Rows of imports that died are thrown away by later ones, after a day. */
const longestImportMs = 24 * 60 * 60 * 1000;
const timeDigits = 15;

function timeText(milliseconds: number): string {
  return String(milliseconds).padStart(timeDigits, '0');
}

type StagingTable = 'staged_moves' | 'staged_pets';

/** Takes a part of the table, and throws away what imports that died have left in it. */
async function openPart(client: pg.Client, table: StagingTable, where: string): Promise<Staging> {
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
      // Rows that stay because the connection broke are thrown away a day later.
      await clear().catch(() => undefined);
      await client.end().catch(() => undefined);
    },
  };
}

/** Makes a connection for staging in a table. */
export async function openStaging(address: string, table: StagingTable, where: string): Promise<Staging> {
  try {
    const client = await openClient(address);
    try {
      return await openPart(client, table, where);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  } catch (error) {
    throw explain(error, where);
  }
}

/** What stands in an array, as the text of it. */
export function arrayText(cells: readonly string[]): string {
  return `{${cells.join(',')}}`;
}

/** A text as it stands in the text of an array. */
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

/** The numbers in the text of an array; null where it has none. */
export function numbersIn(text: string): readonly (number | null)[] {
  return text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((part) => (part === 'NULL' ? null : Number(part)));
}
