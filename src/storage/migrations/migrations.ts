import type { ColumnType, Migration } from './migration.js';
import { shop } from './0001-shop.js';
import { tokens } from './0002-tokens.js';
import { errorPlaces } from './0003-error-places.js';
import { stockMarks } from './0004-stock-marks.js';
import { sendersAndGuards } from './0005-senders-and-guards.js';
import { batchFileNames } from './0006-batch-file-names.js';
import { changes } from './0007-changes.js';
import { sessions } from './0008-sessions.js';
import { grownShops } from './0009-grown-shops.js';
import { plans } from './0010-plans.js';
import { quickImports } from './0011-quick-imports.js';
import { counts } from './0012-counts.js';

const steps = [shop, tokens, errorPlaces, stockMarks, sendersAndGuards, batchFileNames, changes, sessions, grownShops, plans, quickImports, counts] as const;

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
export const schemaVersion = migrations.at(-1)?.version ?? 0;

/** The migrations that a shop at `version` still needs. */
export function pending(version: number): readonly Migration[] {
  return migrations.filter((migration) => migration.version > version);
}
