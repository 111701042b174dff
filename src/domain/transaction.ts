import type { BatchReader, BatchWriter } from './imports/batch-table.js';
import type { CategoryReader, CategoryWriter } from './categories/category-table.js';
import type { CodeReader, CodeWriter } from './codes/code-table.js';
import type { Conditions } from './conditions.js';
import type { CountReader, CountWriter } from './counts/count-table.js';
import type { HookReader, HookWriter } from './hooks/hook-table.js';
import type { LedgerReader, LedgerWriter } from './ledger/ledger-table.js';
import type { OrderReader, OrderWriter } from './orders/order-table.js';
import type { PetReader, PetWriter } from './pets/pet-table.js';
import type { ReportReader } from './reports/report-table.js';
import type { SettingReader, SettingWriter } from './shop-settings.js';
import type { SummaryReader } from './reports/summary.js';
import type { StockReader, StockWriter } from './inventory/stock-table.js';
import type { Scope } from './tokens/token.js';

/** The tables that a read operation sees, all in one snapshot. */
export interface ReadTransaction {
  readonly pets: PetReader;
  readonly categories: CategoryReader;
  readonly codes: CodeReader;
  readonly stock: StockReader;
  readonly orders: OrderReader;
  readonly ledger: LedgerReader;
  readonly batches: BatchReader;
  readonly counts: CountReader;
  readonly hooks: HookReader;
  readonly settings: SettingReader;
  readonly summary: SummaryReader;
  readonly reports: ReportReader;
  /** Who calls the operation. */
  readonly actor: string;
  /** What the token of the caller allows; undefined for everything. */
  readonly scopes: readonly Scope[] | undefined;
  /** The time of the transaction, in ms since 1970; in a write transaction never before the last ledger row. */
  readonly now: number;
}

/** The tables that a write operation sees and changes, and the preconditions of the request. */
export interface WriteTransaction extends ReadTransaction, Conditions {
  readonly pets: PetWriter;
  readonly categories: CategoryWriter;
  readonly codes: CodeWriter;
  readonly stock: StockWriter;
  readonly orders: OrderWriter;
  readonly ledger: LedgerWriter;
  readonly batches: BatchWriter;
  readonly counts: CountWriter;
  readonly hooks: HookWriter;
  readonly settings: SettingWriter;
  /** The names of the records that met these conditions. */
  readonly checkedRecords: Set<string>;
}
