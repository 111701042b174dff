import type pg from 'pg';
import { createHash } from 'node:crypto';
import type { Queries } from '../queries.js';
import type { Sql, Value } from '../sql.js';
import type { Connection } from './connection.js';
import { isStatementMissing } from './errors.js';

/**
 * Detects a pooler: the process id in its handshake differs from that of the server. In transaction mode each transaction may
 * run on another server connection, which has other prepared statements or none. Runs once per connection, and nothing waits
 * for it: until the answer arrives, statements are not prepared.
 */
export function detectPooler(connection: Connection): void {
  if (connection.keepsStatements !== undefined) return;
  connection.keepsStatements = false;
  connection.run<{ readonly pid: number }>('SELECT pg_backend_pid() AS pid').then(
    ({ rows }) => (connection.keepsStatements = rows[0]?.pid === connection.processId()),
    // The next query reports a lost connection.
    () => undefined,
  );
}

const statementLimit = 500;
const digestLength = 32;

interface Compiled {
  readonly text: string;
  /** The name of the prepared statement; undefined for texts beyond the limit, which are not prepared. */
  readonly name?: string;
}

const compiled = new Map<string, Compiled>();

/** A name derived from the text: two texts never share a name. */
function nameOf(text: string): string {
  return `petstore_${createHash('sha256').update(text).digest('hex').slice(0, digestLength)}`;
}

function compile(text: string): Compiled {
  const known = compiled.get(text);
  if (known) return known;
  let count = 0;
  const numbered = text.replaceAll('?', () => `$${(count += 1)}`);
  if (compiled.size >= statementLimit) return { text: numbered };
  const statement = { text: numbered, name: nameOf(numbered) };
  compiled.set(text, statement);
  return statement;
}

const maximumBigint = '9223372036854775807';

/**
 * The parameter for a value. PostgreSQL cannot store NUL; U+FFFD replaces it. The largest id of the contract is rounded to
 * 2^63 as a number, which is out of the range of BIGINT; no record has it.
 */
function toParameter(value: Value): unknown {
  if (typeof value === 'number' && value >= 2 ** 63) return maximumBigint;
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

/** What statements need of a connection. */
type Runner = Pick<Connection, 'run' | 'keepsStatements'>;

type Send = (query: Sql, rowMode?: 'array') => Promise<pg.QueryResult>;

async function send(connection: Runner, isRepeatable: boolean, { text, values }: Sql, rowMode?: 'array'): Promise<pg.QueryResult> {
  const { name, ...statement } = compile(text);
  const isNamed = isRepeatable && name !== undefined && connection.keepsStatements === true;
  try {
    return await connection.run({ ...statement, ...(isNamed && { name }), values: values.map(toParameter), ...(rowMode && { rowMode }) } as pg.QueryConfig);
  } catch (error) {
    // A pooler that was not detected, because it passes the process id through: stop preparing statements on this connection.
    if (isStatementMissing(error)) connection.keepsStatements = false;
    throw error;
  }
}

/** Queries over the connection that `connectionNow` returns. Statements are prepared only for work that can be repeated, because a pooler may lose them. */
export function queriesOf(connectionNow: () => Runner, isRepeatable: boolean): Queries {
  const queryNow: Send = (query, rowMode) => send(connectionNow(), isRepeatable, query, rowMode);
  return {
    all: async (query) => (await queryNow(query)).rows as never,
    rows: async (query) => (await queryNow(query, 'array')).rows as never,
    get: async (query) => (await queryNow(query)).rows[0] as never,
    run: async (query) => void (await queryNow(query)),
    runAndCount: async (query) => (await queryNow(query)).rowCount ?? 0,
  };
}
