import type Database from 'better-sqlite3';

/** Rows in one statement: fewer cost more calls, more cost more compiling. */
const rowsPerInsert = 40;

type Cell = number | string | null;

/** Inserts rows into a table, many in one statement; `flush` writes what is left. */
export function batchedInsert(
  database: Database.Database,
  table: string,
  columns: readonly string[],
): { readonly add: (row: readonly Cell[]) => void; readonly flush: () => void } {
  const marks = `(${columns.map(() => '?').join(',')})`;
  const compile = (rows: number): Database.Statement =>
    database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array.from({ length: rows }, () => marks).join(',')}`);
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
