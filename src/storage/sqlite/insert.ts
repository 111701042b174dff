import type { Engine, TableLayout } from '../engine.js';
import type { Sql } from '../sql.js';

/** Rows in one statement: fewer cost more calls, more cost more compiling. */
const rowsPerInsert = 40;

function statement({ name, columns }: TableLayout, rows: number): string {
  const names = Object.keys(columns);
  const marks = `(${names.map(() => '?').join(',')})`;
  return `INSERT INTO ${name} (${names.map((column) => `"${column}"`).join(', ')}) VALUES ${Array.from({ length: rows }, () => marks).join(',')}`;
}

/** Puts rows into a table, many with one statement. */
export const insertRows: Engine['insertRows'] = async (queries, layout, rows) => {
  const full = statement(layout, rowsPerInsert);
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const some = rows.slice(from, from + rowsPerInsert);
    const query: Sql = { text: some.length === rowsPerInsert ? full : statement(layout, some.length), values: some.flat() };
    await queries.run(query);
  }
};
