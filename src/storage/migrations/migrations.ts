import type { ColumnType, Migration } from './migration.js';
import { shop } from './0001-shop.js';

const steps = [shop] as const;

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = steps;

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never;

/** The columns of each table after all migrations, with their types. */
export type Tables = Intersection<(typeof steps)[number]['columns']>;

/** A column of a table. */
export type Column<Table extends keyof Tables> = keyof Tables[Table] & string;

/** The columns of a table and their types, in the order in which migrations added them. */
export function columnsOf<Table extends keyof Tables>(table: Table): Readonly<Record<Column<Table>, ColumnType>> {
  return Object.assign({}, ...migrations.map(({ columns }) => columns[table])) as Record<Column<Table>, ColumnType>;
}

/** The version of the schema this program works with. */
export function schemaVersion(): number {
  return migrations.at(-1)?.version ?? 0;
}

/** The migrations that a shop at `version` still needs. */
export function pending(version: number): readonly Migration[] {
  return migrations.filter((migration) => migration.version > version);
}
