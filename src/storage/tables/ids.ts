import type { NumberedTable, Queries } from '../queries.js';
import { raw, sql, type Sql } from '../sql.js';
import { insertInto, type TableRow } from './columns.js';

/** The tables that number their rows; there is one writer at a time. Rows of hooks and their deliveries are deleted, others only by a restore. */
type TableWithIds = 'batches' | 'categories' | 'count_lines' | 'counts' | 'hook_deliveries' | 'hooks' | 'ledger' | 'orders' | 'pets' | 'tokens';

/** The highest id of a table, 0 without rows, as a part of a statement. */
export function highest(table: TableWithIds): Sql {
  return raw(`(SELECT coalesce(max(id), 0) FROM ${table})`);
}

/** The next id, as a part of a statement. */
export function nextId(table: TableWithIds): Sql {
  return sql`${highest(table)} + 1`;
}

/** The highest id of a table; 0 without rows. */
export async function highestId(queries: Queries, table: TableWithIds): Promise<number> {
  return (await queries.get<{ readonly id: number }>(sql`SELECT ${highest(table)} AS id`))?.id ?? 0;
}

async function runReturningId(queries: Queries, insert: Sql): Promise<number> {
  return (await queries.get<{ readonly id: number }>(sql`${insert} RETURNING id`))?.id ?? 0;
}

/** Inserts a row whose id is `nextId`, and returns that. */
export async function insertReturningId<Table extends TableWithIds>(queries: Queries, table: Table, row: TableRow<Table>): Promise<number> {
  return runReturningId(queries, insertInto(table, [row]));
}

/**
 * Inserts a row with the next id and returns that. Where the engine hands out ids, nothing waits for the answer of the
 * statement.
 */
export async function insertNext(queries: Queries, table: NumberedTable, insert: (id: number | Sql) => Sql): Promise<number> {
  const id = queries.clock?.takeId?.(table);
  if (id === undefined) return runReturningId(queries, insert(nextId(table)));
  await queries.run(insert(id));
  return id;
}
