import type { ColumnType } from '../migrations/migration.js';
import { columnsOf, type Column, type Tables } from '../migrations/migrations.js';
import type { Cell, Queries } from '../queries.js';
import { join, placed, raw, sql, type Sql, type Value } from '../sql.js';

/** Splits a list into parts whose sizes are powers of two, largest first, so that statements for many rows have few texts. */
export function partsOf<Item>(items: readonly Item[], largest = 128): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  let [start, size] = [0, largest];
  while (start < items.length) {
    while (size > items.length - start) size /= 2;
    parts.push(items.slice(start, start + size));
    start += size;
  }
  return parts;
}

/** The SQL expression of each field of a row. A missing field is a compile error. */
export type Columns<Row> = { readonly [Field in keyof Row]-?: Sql };

/** The column list of a SELECT; each column is named after its field. */
export function selection<Row>(columns: Columns<Row>): Sql {
  return join(Object.entries<Sql>(columns).map(([field, column]) => sql`${column} AS ${raw(`"${field}"`)}`));
}

/** The columns of the table `alias` for the fields of a record. */
export function columnsIn<Field extends string>(alias: string, columns: Readonly<Record<Field, string>>): Readonly<Record<Field, Sql>> {
  return Object.fromEntries(Object.entries<string>(columns).map(([field, column]) => [field, raw(`${alias}."${column}"`)])) as Record<Field, Sql>;
}

/** The values of a record by column name; NULL for an absent field. */
export function cellsOf<Field extends string, Name extends string>(
  columns: Readonly<Record<Field, Name>>,
  record: { readonly [Key in Field]?: Value | undefined },
): Readonly<Record<Name, Value>> {
  const cells: Partial<Record<Name, Value>> = {};
  for (const field in columns) cells[columns[field]] = record[field] ?? null;
  return cells as Record<Name, Value>;
}

/** A row to insert, with a value for every column. */
export type TableRow<Table extends keyof Tables> = Readonly<Record<Column<Table>, Value | Sql>>;

/** Inserts rows. All rows must have the columns of the first one, in the same order. */
export function insertInto<Table extends keyof Tables>(table: Table, rows: readonly TableRow<Table>[]): Sql {
  const columns = Object.keys(rows[0] ?? {}) as Column<Table>[];
  const values: Value[] = [];
  const lines = rows.map((row) => `(${columns.map((column) => placed(row[column], values)).join(', ')})`);
  return { text: `INSERT INTO ${table} ("${columns.join('", "')}") VALUES ${lines.join(', ')}`, values };
}

/** A table to insert rows into: its columns and their types, in the order of the cells. */
export interface TableLayout {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
}

/** Inserts rows of cells into a table. */
export type InsertRows = (queries: Queries, layout: TableLayout, rows: readonly (readonly Cell[])[]) => Promise<void>;

/** Inserts records that all have the columns of the first one, in the same order. */
export async function insertRecords<Table extends keyof Tables>(
  { insertRows }: { readonly insertRows: InsertRows },
  queries: Queries,
  name: Table,
  records: readonly { readonly [Name in Column<Table>]?: Cell }[],
): Promise<void> {
  const types = columnsOf(name);
  const columns = Object.fromEntries(Object.keys(records[0] ?? {}).map((column) => [column, types[column as Column<Table>]]));
  const rows = records.map((record) => Object.values<Cell>(record as Readonly<Record<string, Cell>>));
  await insertRows(queries, { name, columns }, rows);
}

/** The assignments of an UPDATE. */
export function assignments<Table extends keyof Tables>(row: {
  readonly [Name in Column<Table>]?: Value | Sql;
}): Sql {
  return join(Object.entries<Value | Sql>(row as Readonly<Record<string, Value | Sql>>).map(([column, value]) => sql`${raw(`"${column}"`)} = ${value}`));
}

/** Sets columns of the row with an id. */
export function updateRow<Table extends keyof Tables>(table: Table, id: number, row: Parameters<typeof assignments<Table>>[0]): Sql {
  return sql`UPDATE ${raw(table)} SET ${assignments<Table>(row)} WHERE id = ${id}`;
}

/** Rows of values as a table of a statement, whose columns have the names of the first row. PostgreSQL must be told their types. */
export function valuesTable(name: string, rows: readonly Readonly<Record<string, Cell | undefined>>[], types: Readonly<Record<string, ColumnType>>): Sql {
  const columns = Object.keys(rows[0] ?? {});
  const cell = (column: string, value: Cell | undefined): Sql => sql`CAST(${value ?? null} AS ${raw(types[column] === 'text' ? 'TEXT' : 'BIGINT')})`;
  const lines = rows.map((row) => sql`(${join(columns.map((column) => cell(column, row[column])))})`);
  return sql`${raw(`${name} (${columns.join(', ')})`)} AS (VALUES ${join(lines)})`;
}

/** A record as a table stores it: NULL for an absent field. */
export type Nullable<Row> = {
  readonly [Field in keyof Row]-?: Exclude<Row[Field], undefined> | (undefined extends Row[Field] ? null : never);
};

/** A stored row without its NULL fields. */
export function withoutNulls<Row extends object>(row: Nullable<Row>): Row {
  const record: Record<string, unknown> = {};
  // A loop, which is faster than entries: long lists have many rows.
  for (const field in row) if (row[field] !== null) record[field] = row[field];
  return record as Row;
}
