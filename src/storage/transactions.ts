import { entryTime, ledgerWithBatches } from './tables/fragments.js';
import type { Caller } from '../domain/caller.js';
import { checkedNote } from '../domain/ledger/ledger-entry.js';
import type { CallOptions } from '../domain/call.js';
import type { ReadTransaction, WriteTransaction } from '../domain/transaction.js';
import type { Queries } from './queries.js';
import { builtOnce, sql } from './sql.js';
import { batchTable } from './tables/batch-table.js';
import { categoryTable } from './tables/category-table.js';
import { countTable } from './tables/count-table.js';
import { ledgerTable, type Stamp } from './tables/ledger-table.js';
import { orderTable } from './tables/order-table.js';
import { petTable } from './tables/pet-table.js';
import { reportTable } from './tables/report-table.js';
import { stockTable } from './tables/stock-table.js';
import { summaryTable } from './tables/summary-table.js';

const noStamp: Stamp = { at: 0, actor: '', source: 'cli', note: undefined };

/** What the tables of a transaction are built from, and those built so far. */
interface Base {
  readonly queries: Queries;
  readonly stamp: Stamp;
  readonly built: Record<string, unknown>;
}

const builders = {
  pets: ({ queries }: Base) => petTable(queries),
  categories: ({ queries }: Base) => categoryTable(queries),
  stock: ({ queries }: Base) => stockTable(queries),
  orders: ({ queries }: Base) => orderTable(queries),
  ledger: ({ queries, stamp }: Base) => ledgerTable(queries, stamp),
  batches: ({ queries, stamp }: Base) => batchTable(queries, stamp),
  counts: ({ queries, stamp }: Base) => countTable(queries, stamp),
  summary: ({ queries }: Base) => summaryTable(queries),
  reports: ({ queries }: Base) => reportTable(queries),
};

type Tables = { readonly [Name in keyof typeof builders]: ReturnType<(typeof builders)[Name]> };

/** A property for each table, which builds it on first use: most operations use one or two, and all together cost as much as reading a pet. */
const lazyTables: object = Object.defineProperties(
  {},
  Object.fromEntries(
    Object.entries(builders).map(([name, build]) => [
      name,
      {
        get(this: Base) {
          return (this.built[name] ??= build(this));
        },
      },
    ]),
  ),
);

function withTables<Facts extends object>(queries: Queries, stamp: Stamp, facts: Facts): Facts & Tables {
  const base: Base = { queries, stamp, built: {} };
  return Object.assign(Object.create(lazyTables) as Tables, base, facts);
}

/** The tables of a read snapshot. */
export function readTransaction(queries: Queries, { actor, scopes, clock }: Pick<Caller, 'actor' | 'scopes' | 'clock'>): ReadTransaction {
  return withTables(queries, noStamp, { actor, scopes, now: clock() });
}

const selectNewestTime = builtOnce(() => sql`SELECT ${entryTime} AS at FROM ${ledgerWithBatches} ORDER BY l.id DESC LIMIT 1`);

async function newestTime(queries: Queries): Promise<number> {
  if (queries.newest) return queries.newest.at();
  const last = await queries.get<{ readonly at: number }>(selectNewestTime());
  return last?.at ?? 0;
}

/** The tables of a write transaction. Its time is never before that of the newest ledger entry, even if the clock was set back. */
export async function writeTransaction(queries: Queries, caller: Caller, { note: text, ifMatch, ifNoneMatch }: CallOptions): Promise<WriteTransaction> {
  const note = text === undefined ? undefined : checkedNote(text);
  const now = Math.max(caller.clock(), await newestTime(queries));
  // Later writes of the same transaction must not be earlier.
  queries.newest?.advanceTo(now);
  const stamp: Stamp = { at: now, actor: caller.actor, source: caller.source, note };
  return withTables(queries, stamp, { actor: caller.actor, scopes: caller.scopes, now, ifMatch, ifNoneMatch });
}
