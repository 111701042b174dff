import { checkRule } from '../maintenance/check-rules.js';
import { authorRules, quantityRules } from '../maintenance/ledger-rules.js';
import { StoreError } from '../../domain/errors.js';
import type { CopiedTable } from '../../domain/maintenance/copy.js';
import { pluralize } from '../../domain/values/text.js';
import type { Engine } from '../engine.js';
import type { TableLayout } from '../tables/columns.js';
import type { Cell, Queries } from '../queries.js';
import { columnsOf, type Column, type Tables } from '../migrations/migrations.js';
import { pauseAllHooks } from '../tables/hook-table.js';
import { countRows } from '../tables/slices.js';
import { join, nothing, raw, sql, type Sql } from '../sql.js';
import { createHash } from 'node:crypto';

/** How a table is read in pages. */
interface Paging<Name extends string> {
  /** The columns that pages are ordered by, different in all rows. */
  readonly key: readonly Name[];
  /** Rows per page. */
  readonly page: number;
}

/** A table to copy. */
export interface CopiedColumns extends TableLayout, Paging<string> {}

const manyRows = 1 << 12;
// For tables with long texts.
const fewRows = 1 << 8;

/** All tables except sessions, which belong to one address; each comes after the tables it references. A missing table is a compile error. */
const pagings: { readonly [Table in Exclude<keyof Tables, 'sessions'>]: Paging<Column<Table>> } = {
  categories: { key: ['id'], page: manyRows },
  pets: { key: ['id'], page: manyRows },
  // Before the stock, which has its reserved units already: a trigger adds those of a new order.
  orders: { key: ['id'], page: manyRows },
  stock: { key: ['pet_id'], page: manyRows },
  codes: { key: ['key'], page: manyRows },
  settings: { key: ['name'], page: manyRows },
  batches: { key: ['id'], page: fewRows },
  batch_errors: { key: ['batch_id', 'place'], page: manyRows },
  ledger: { key: ['id'], page: manyRows },
  counts: { key: ['id'], page: manyRows },
  count_pets: { key: ['count_id', 'pet_id'], page: manyRows },
  count_lines: { key: ['id'], page: manyRows },
  tokens: { key: ['id'], page: manyRows },
  replays: { key: ['key', 'sender'], page: fewRows },
  hooks: { key: ['id'], page: fewRows },
  hook_deliveries: { key: ['id'], page: manyRows },
};

/** The tables to copy with all their columns. */
export const copied: readonly CopiedColumns[] = Object.entries<Paging<string>>(pagings).map(([name, paging]) => ({
  name,
  ...paging,
  columns: columnsOf(name as keyof Tables),
}));

type Row = readonly Cell[];

/** Called with the number of rows processed, and of all rows. */
export type Progress = (done: number, total: number) => void;

/** A shop opened for a copy, and its address for display. */
export interface OpenShop {
  readonly engine: Engine;
  readonly where: string;
}

function pageQuery({ name, columns, key, page }: CopiedColumns, after: Row | undefined): Sql {
  const names = Object.keys(columns).map((column) => `"${column}"`);
  const keys = key.map((column) => `"${column}"`).join(', ');
  const values = join((after ?? []).map((cell) => sql`${cell}`));
  const beyond = after === undefined ? nothing : sql`WHERE (${raw(keys)}) > (${values})`;
  return sql`SELECT ${raw(names.join(', '))} FROM ${raw(name)} ${beyond} ORDER BY ${raw(keys)} LIMIT ${page}`;
}

/** All rows in key order. */
async function* pagesOf(queries: Queries, table: CopiedColumns): AsyncGenerator<readonly Row[], void> {
  const keyIndexes = table.key.map((column) => Object.keys(table.columns).indexOf(column));
  let last: Row | undefined;
  do {
    const after = last;
    const rows: readonly Row[] = await queries.rows(pageQuery(table, after && keyIndexes.map((index) => after[index] ?? null)));
    if (rows.length > 0) yield rows;
    last = rows.length === table.page ? rows.at(-1) : undefined;
  } while (last !== undefined);
}

// A rule or a type of a table that a row does not keep: in SQLite, and the classes of PostgreSQL.
const brokenRule = /^(SQLITE_CONSTRAINT|SQLITE_MISMATCH|22|23)/;

/** Writes rows to a table; refuses those that only another program can have written, with `store_unreadable`. */
async function insertInto(to: OpenShop, target: Queries, table: CopiedColumns, rows: readonly Row[], where: string): Promise<void> {
  try {
    await to.engine.insertRows(target, table, rows);
  } catch (error) {
    const { code, message } = error as Readonly<{ code?: unknown; message: string }>;
    if (typeof code !== 'string' || !brokenRule.test(code)) throw error;
    const [first, last] = [rows[0], rows.at(-1)].map((row) => String(row?.[Object.keys(table.columns).indexOf(table.key[0] ?? '')]));
    throw new StoreError(
      'store_unreadable',
      `A row of ${table.name} in ${where} (${table.key[0]} ${first} to ${last}) is damaged: ${message}. Nothing was copied.`,
      {
        details: { reason: 'inconsistent' },
        cause: error,
      },
    );
  }
}

/** Counts and hashes rows: SHA-256 of one JSON array per line. */
function summing({ name }: TableLayout): { readonly add: (rows: readonly Row[]) => void; readonly end: () => CopiedTable } {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add: (rows) => {
      let text = '';
      for (const row of rows) text += `${JSON.stringify(row)}\n`;
      // PostgreSQL cannot store NUL and stores U+FFFD instead, so NUL is hashed as U+FFFD.
      if (text.includes(String.raw`\u0000`)) text = text.replaceAll(/(?<=(?<!\\)(?:\\\\)*)\\u0000/g, '\uFFFD');
      hash.update(text);
      count += rows.length;
    },
    end: () => ({ name, rows: count, sha256: hash.digest('hex') }),
  };
}

/** The refusal of a target that has a shop already (`store_not_empty`). */
export function notEmpty(where: string, pets: number): StoreError {
  return new StoreError('store_not_empty', `${where} has a shop already, with ${pluralize(pets, 'pet')}; a shop can only be copied to an empty store.`);
}

/** Refuses a shop that has a row in any table, with `store_not_empty`. */
async function refuseFilled(queries: Queries, where: string): Promise<void> {
  for (const { name } of copied) {
    const isFilled = (await queries.get(sql`SELECT 1 FROM ${raw(name)} LIMIT 1`)) !== undefined;
    if (isFilled) throw notEmpty(where, await countRows(queries, sql`pets`, sql`archived = 0`));
  }
}

/** Checks the ledger; refuses an inconsistent one with `store_unreadable`. */
async function checkLedger(queries: Queries, where: string): Promise<void> {
  for (const rule of [...quantityRules, ...authorRules]) {
    const { status, message } = await checkRule(queries, rule);
    if (status !== 'pass')
      throw new StoreError('store_unreadable', `The ledger of ${where} is damaged: ${message} Nothing was copied.`, { advice: 'Restore the latest backup.' });
  }
}

/** Reads a whole table; `take` processes each page. */
async function readThrough(
  queries: Queries,
  table: CopiedColumns,
  onRows: (rows: number) => void,
  take?: (rows: readonly Row[]) => Promise<void>,
): Promise<CopiedTable> {
  const sum = summing(table);
  for await (const rows of pagesOf(queries, table)) {
    sum.add(rows);
    await take?.(rows);
    onRows(rows.length);
  }
  return sum.end();
}

/** The number of rows of each copied table. */
async function countsOf(queries: Queries): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const { name } of copied) counts.push(await countRows(queries, raw(name)));
  return counts;
}

/** The progress callback for `rounds` passes over all tables. */
function progressOver(counts: readonly number[], rounds: number, progress: Progress | undefined): (rows: number) => void {
  const total = rounds * counts.reduce((sum, count) => sum + count, 0);
  let done = 0;
  return (rows) => progress?.((done += rows), total);
}

/** A copy reports its progress and writes. */
const once = { isOnce: true };

/** Reads a shop as a copy would and checks its ledger; writes nothing. */
export async function inspectShop({ engine, where }: OpenShop, progress?: Progress): Promise<readonly CopiedTable[]> {
  return engine.read(async (queries) => {
    const onRows = progressOver(await countsOf(queries), 1, progress);
    const tables: CopiedTable[] = [];
    for (const table of copied) tables.push(await readThrough(queries, table, onRows));
    await checkLedger(queries, where);
    return tables;
  }, once);
}

/** Refuses a shop that is not empty with `store_not_empty`. */
export async function checkEmpty({ engine, where }: OpenShop): Promise<void> {
  await engine.read((queries) => refuseFilled(queries, where));
}

/**
 * Copies one read snapshot in one write transaction, committed only when the target has the same rows and a consistent
 * ledger. Refuses with `store_not_empty` and `store_unreadable`.
 */
export async function copyShop(from: OpenShop, to: OpenShop, progress?: Progress): Promise<readonly CopiedTable[]> {
  return from.engine.read(async (source) => {
    // Before the transaction of the target: PostgreSQL ends one that waits for more than 5 s.
    const counts = await countsOf(source);
    return to.engine.write(async (target) => {
      await refuseFilled(target, to.where);
      const onRows = progressOver(counts, 2, progress);
      const tables: CopiedTable[] = [];
      for (const table of copied) tables.push(await readThrough(source, table, onRows, (rows) => insertInto(to, target, table, rows, from.where)));
      for (const [index, table] of copied.entries()) {
        const [read, found] = [tables[index], await readThrough(target, table, onRows)];
        if (read?.rows === counts[index] && read?.rows === found.rows && read.sha256 === found.sha256) continue;
        throw new StoreError('store_unreadable', `The copy of ${table.name} at ${to.where} differs from ${from.where}; nothing was copied.`, {
          advice: 'Try again; check the disks and the memory.',
        });
      }
      await checkLedger(target, from.where);
      await pauseAllHooks(target, 'The shop was copied.');
      return tables;
    });
  }, once);
}
