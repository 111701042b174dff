import type Database from 'better-sqlite3';
import type { Engine } from '../engine.js';
import type { Cell } from '../queries.js';

/** Rows per statement: fewer rows mean more calls, more rows mean more time to compile the statement. */
const rowsPerInsert = 40;

function multiRowInsert(table: string, columns: readonly string[], rows: number): string {
  const row = `(${columns.map(() => '?').join(',')})`;
  return `INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(',')}`;
}

/** Inserts rows with a few statements of many rows. */
export const insertRows: Engine['insertRows'] = async (queries, { name, columns }, rows) => {
  const names = Object.keys(columns);
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const some = rows.slice(from, from + rowsPerInsert);
    await queries.run({ text: multiRowInsert(name, names, some.length), values: some.flat() });
  }
};

/** Collects rows of a table and inserts many with one statement; `flush` inserts the rest. */
export function batchedInsert(
  database: Database.Database,
  table: string,
  columns: readonly string[],
): { readonly add: (row: readonly Cell[]) => void; readonly flush: () => void } {
  const compile = (rows: number): Database.Statement => database.prepare(multiRowInsert(table, columns, rows));
  const full = compile(rowsPerInsert);
  let values: Cell[] = [];
  let rows = 0;
  return {
    add: (row) => {
      values.push(...row);
      rows += 1;
      if (rows < rowsPerInsert) return;
      full.run(values);
      values = [];
      rows = 0;
    },
    flush: () => {
      if (rows > 0) compile(rows).run(values);
      values = [];
      rows = 0;
    },
  };
}
