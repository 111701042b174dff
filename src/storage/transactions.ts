import type { Caller } from '../domain/caller.js';
import { checkedNote } from '../domain/ledger/ledger-entry.js';
import type { CallOptions } from '../domain/call.js';
import type { ReadTransaction, WriteTransaction } from '../domain/transaction.js';
import type { Queries, WriteQueries } from './queries.js';
import { batchTable } from './tables/batch-table.js';
import { categoryTable } from './tables/category-table.js';
import { codeTable } from './tables/code-table.js';
import { countTable } from './tables/count-table.js';
import { hookTable } from './tables/hook-table.js';
import { ledgerTable, type Stamp } from './tables/ledger-table.js';
import { orderTable } from './tables/order-table.js';
import { petTable } from './tables/pet-table.js';
import { reportTable } from './tables/report-table.js';
import { settingTable } from './tables/setting-table.js';
import { stockTable } from './tables/stock-table.js';
import { summaryTable } from './tables/summary-table.js';

const noStamp: Stamp = { at: 0, actor: '', source: 'cli', note: undefined };

/** The tables over the queries of one transaction. */
function tablesOf(queries: Queries, stamp: Stamp) {
  return {
    pets: petTable(queries),
    categories: categoryTable(queries),
    codes: codeTable(queries),
    stock: stockTable(queries),
    orders: orderTable(queries),
    ledger: ledgerTable(queries, stamp),
    batches: batchTable(queries, stamp),
    counts: countTable(queries, stamp),
    hooks: hookTable(queries),
    settings: settingTable(queries),
    summary: summaryTable(queries),
    reports: reportTable(queries),
  };
}

/** The tables of a read snapshot. */
export function readTransaction(queries: Queries, { actor, scopes, clock }: Pick<Caller, 'actor' | 'scopes' | 'clock'>): ReadTransaction {
  return { actor, scopes, now: clock(), ...tablesOf(queries, noStamp) };
}

/** The tables of a write transaction. Its time is never before that of the newest ledger entry, even if the clock was set back. */
export function writeTransaction(queries: WriteQueries, caller: Caller, { note: text, ifMatch, ifNoneMatch }: CallOptions): WriteTransaction {
  const note = text === undefined ? undefined : checkedNote(text);
  const now = Math.max(caller.clock(), queries.clock.at());
  // Later writes of the same transaction must not be earlier.
  queries.clock.advanceTo(now);
  const stamp: Stamp = { at: now, actor: caller.actor, source: caller.source, note };
  return { actor: caller.actor, scopes: caller.scopes, now, ifMatch, ifNoneMatch, checkedRecords: new Set(), ...tablesOf(queries, stamp) };
}
