import type Database from 'better-sqlite3';
import type { Engine } from '../engine.js';
import type { Cell, Queries } from '../queries.js';
import type { Sql } from '../sql.js';
import { partsOf } from '../tables/columns.js';
import type { Driver } from './driver.js';

/** "PETS" in ASCII: marks a file as a petstore shop (PRAGMA application_id). */
export const applicationId = 0x50455453;

/** A connection with its compiled statements. */
export interface Connection {
  readonly database: Database.Database;
  readonly queries: Queries;
}

/** A compiled statement with the names of its columns, which better-sqlite3 would look up for every call. */
interface Compiled {
  readonly statement: Database.Statement;
  readonly names: readonly string[];
}

const statementLimit = 500;

/**
 * Queries over a connection. Each text is compiled once; the cache holds up to 500 statements. `canWrite` is false for reads
 * on a connection that also writes: only statements that change nothing are compiled.
 */
export function queriesOf(database: Database.Database, canWrite = true): Queries {
  const known = new Map<string, Compiled>();
  const compile = (text: string): Compiled => {
    const statement = database.prepare(text);
    if (!canWrite && !statement.readonly) throw new Error(`A read must not run a statement that writes: ${text}`);
    const compiled = { statement, names: statement.reader ? statement.columns().map(({ name }) => name) : [] };
    if (known.size >= statementLimit) known.clear();
    known.set(text, compiled);
    return compiled;
  };
  const compiled = ({ text }: Sql): Compiled => known.get(text) ?? compile(text);
  return {
    all: async (query) => recordsOf(compiled(query), query.values) as never,
    rows: async (query) => rowsOf(compiled(query), query.values) as never,
    get: async (query) => compiled(query).statement.get(...query.values) as never,
    run: async (query) => void compiled(query).statement.run(query.values),
    runAndCount: async (query) => compiled(query).statement.run(...query.values).changes,
  };
}

function rowsOf({ statement }: Compiled, values: Sql['values']): readonly (readonly unknown[])[] {
  const rows = statement.raw(true).all(...values) as readonly (readonly unknown[])[];
  statement.raw(false);
  return rows;
}

/** Builds records from rows that are arrays: this takes half the time of letting better-sqlite3 build them. */
function recordsOf(compiled: Compiled, values: Sql['values']): readonly Readonly<Record<string, unknown>>[] {
  const { names } = compiled;
  return rowsOf(compiled, values).map((row) => {
    const record: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index += 1) record[names[index] ?? ''] = row[index];
    return record;
  });
}

/** The most rows of a statement: each one keeps the former pages of what it changes, and more rows mean more time to compile it. */
const rowsPerInsert = 512;

/** Inserts rows with a few statements of many rows. */
export const insertRows: Engine['insertRows'] = async (queries, { name, columns }, rows) => {
  const names = Object.keys(columns);
  const insert = `INSERT INTO ${name} (${names.map((column) => `"${column}"`).join(', ')}) VALUES`;
  const row = `(${names.map(() => '?').join(',')})`;
  for (const part of partsOf(rows, rowsPerInsert)) {
    const values: Cell[] = [];
    // Not by flat, which takes ten times as long.
    for (const cells of part) for (const cell of cells) values.push(cell);
    await queries.run({ text: `${insert} ${`${row},`.repeat(part.length - 1)}${row}`, values });
  }
};

/** Opens a file with the settings that protect a shop from damage and from lost commits. */
export function connect(driver: Driver, path: string, readonly: boolean): Database.Database {
  const database = driver.open(path, { readonly, timeout: 0 });
  // Without recursive triggers, INSERT OR REPLACE deletes rows without firing the triggers that protect the ledger.
  database.exec('PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
  // better-sqlite3 is compiled with synchronous = NORMAL for WAL: after a power cut acknowledged commits are lost.
  if (!readonly) database.exec('PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864');
  return database;
}
