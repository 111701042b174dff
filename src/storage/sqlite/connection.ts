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

/** A compiled statement, whose rows are arrays, with the names of its columns. */
interface Compiled {
  readonly statement: Database.Statement<unknown[], readonly unknown[]>;
  readonly names: readonly string[];
}

const statementLimit = 500;

/** Queries over a connection. Each text is compiled once; the cache holds up to 500 statements. */
export function queriesOf(database: Database.Database): Queries {
  const known = new Map<string, Compiled>();
  const compile = (text: string): Compiled => {
    const statement = database.prepare<unknown[], readonly unknown[]>(text);
    const names = statement.reader ? statement.columns().map(({ name }) => name) : [];
    if (statement.reader) statement.raw(true);
    if (known.size >= statementLimit) known.clear();
    known.set(text, { statement, names });
    return { statement, names };
  };
  const compiled = ({ text }: Sql): Compiled => known.get(text) ?? compile(text);
  return {
    all: async (query) => {
      const { statement, names } = compiled(query);
      return statement.all(...query.values).map((row) => recordOf(names, row)) as never;
    },
    rows: async (query) => compiled(query).statement.all(...query.values) as never,
    get: async (query) => {
      const { statement, names } = compiled(query);
      const row = statement.get(...query.values);
      return (row && recordOf(names, row)) as never;
    },
    run: async (query) => void (query.named ? compiled(query).statement.run(query.values, query.named) : compiled(query).statement.run(query.values)),
    runAndCount: async (query) => compiled(query).statement.run(...query.values).changes,
  };
}

/** Builds a record from a row that is an array: this takes half the time of letting better-sqlite3 build it. */
function recordOf(names: readonly string[], row: readonly unknown[]): Readonly<Record<string, unknown>> {
  const record: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index += 1) record[names[index] ?? ''] = row[index];
  return record;
}

/** The most rows of a statement: each one keeps the former pages of what it changes, and more rows mean more time to compile it. */
const rowsPerInsert = 512;

/** Inserts rows with a few statements of many rows. */
export const insertRows: Engine['insertRows'] = async (queries, { name, columns }, rows) => {
  const names = Object.keys(columns);
  const insert = `INSERT INTO ${name} (${names.map((column) => `"${column}"`).join(', ')}) VALUES`;
  const row = `(${names.map(() => '?').join(',')})`;
  const sent = partsOf(rows, rowsPerInsert).map((part) => {
    const values: Cell[] = [];
    // Not by flat, which takes ten times as long.
    for (const cells of part) for (const cell of cells) values.push(cell);
    return queries.run({ text: `${insert} ${`${row},`.repeat(part.length - 1)}${row}`, values });
  });
  await Promise.all(sent);
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
