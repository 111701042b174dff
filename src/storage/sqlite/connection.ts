import type Database from 'better-sqlite3';
import type { Queries } from '../engine.js';
import { sql, type Sql } from '../sql.js';
import type { Driver } from './driver.js';

/** "PETS" in ASCII: marks a file as a petstore shop (PRAGMA application_id). */
export const applicationId = 0x50455453;

/** A connection with its compiled statements. */
export interface Connection {
  readonly database: Database.Database;
  readonly queries: Queries;
}

const statementLimit = 500;

/** Queries over a connection. Each text is compiled once; the cache holds up to 500 statements. */
export function queriesOf(database: Database.Database): Queries {
  const statements = new Map<string, Database.Statement>();
  const statement = ({ text }: Sql): Database.Statement => {
    const known = statements.get(text);
    if (known) return known;
    if (statements.size >= statementLimit) statements.clear();
    const compiled = database.prepare(text);
    statements.set(text, compiled);
    return compiled;
  };
  return {
    all: async (query) => recordsOf(statement(query), query.values) as never,
    rows: async (query) => rowsOf(statement(query), query.values) as never,
    get: async (query) => statement(query).get(...query.values) as never,
    run: async (query) => statement(query).run(...query.values).changes,
    containsAnyOf: (text, characters) => sql`${text} GLOB ${`*[${characters}]*`}`,
  };
}

function rowsOf(statement: Database.Statement, values: Sql['values']): readonly (readonly unknown[])[] {
  const rows = statement.raw(true).all(...values) as readonly (readonly unknown[])[];
  statement.raw(false);
  return rows;
}

/** Builds records from rows that are arrays: this takes half the time of letting better-sqlite3 build them. */
function recordsOf(statement: Database.Statement, values: Sql['values']): readonly Readonly<Record<string, unknown>>[] {
  const names = statement.columns().map(({ name }) => name);
  return rowsOf(statement, values).map((row) => {
    const record: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index += 1) record[names[index] ?? ''] = row[index];
    return record;
  });
}

/** Opens a file with the settings that protect a shop from damage and from lost commits. */
export function connect(driver: Driver, path: string, readonly: boolean): Database.Database {
  const database = driver.open(path, { readonly, timeout: 0 });
  // Without recursive triggers, INSERT OR REPLACE deletes rows without firing the triggers that protect the ledger.
  database.exec('PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
  // better-sqlite3 is compiled with synchronous = NORMAL for WAL: after a power cut acknowledged commits are lost.
  if (!readonly) database.exec('PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864');
  return database;
}
