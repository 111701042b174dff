/** The type of a column: text, or a whole number. */
export type ColumnType = 'number' | 'text';

/** One step of the schema, as one SQL statement for each entry. */
export interface Migration {
  readonly version: number;
  /** The columns that the statements add, by table; `Tables` is the sum of all migrations. A test compares it with both databases. */
  readonly columns: Readonly<Record<string, Readonly<Record<string, ColumnType>>>>;
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
}
