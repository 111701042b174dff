import type Database from 'better-sqlite3';
import { StoreError } from '../../domain/errors.js';
import type { BulkOutcome, BulkStock, BulkStockChange, RecordedBatch } from '../bulk/bulk-port.js';
import type { Queries } from '../queries.js';
import { petIdsIn, petRange, type FigureBlock } from '../bulk/figure-blocks.js';
import { stockPass, type PassTotals, type StockOfPet } from '../bulk/stage-stock.js';
import { addToTotals, stagedRowAt, stagedRowColumns, stagedRows, type StagedTotals, type StagedRows } from '../bulk/staged-rows.js';
import { ledgerInsert, rowsPerStatement } from './ledger-insert.js';

/** Figures per block. */
const blockRows = 1 << 11;

/** Statements of entries after which the stock is updated, while the entries are still in the page cache. */
const statementsPerUpdate = 10;

/** A private connection. */
export interface BulkConnection {
  readonly database: Database.Database;
  readonly queries: () => { readonly queries: Queries; readonly end: () => void };
  /** Takes the write lock; refuses with `store_busy`. */
  readonly begin: () => Promise<void>;
  readonly explain: (error: unknown) => unknown;
  readonly close: () => Promise<void>;
}

/** The staged rows and the state of the shop they are based on. */
interface Staged {
  readonly change: BulkStockChange;
  readonly totals: PassTotals;
  /** The newest ledger entry at that time. */
  readonly newest: number;
  readonly rows: StagedRows;
}

/** Rows that replace those of pets that changed since they were staged. */
interface Restaged {
  readonly changed: ReadonlySet<number>;
  readonly rows: StagedRows;
}

/** Reads the stock of the pets of a block. */
function stockReader(database: Database.Database): (block: FigureBlock) => readonly StockOfPet[] {
  // The condition is on the key, so SQLite reads the pets in ascending order. Arrays, which take half the time of objects.
  const among = (condition: string): Database.Statement<(string | number)[], StockOfPet> =>
    database.prepare<(string | number)[], StockOfPet>(`SELECT pet_id, quantity, reserved, low_at FROM stock WHERE pet_id ${condition}`).raw();
  const [range, list] = [among('BETWEEN ? AND ?'), among('IN (SELECT value FROM json_each(?))')];
  return (block) => {
    const { low, high, isDense } = petRange(block);
    return isDense ? range.all(low, high) : list.all(JSON.stringify(petIdsIn(block)));
  };
}

/** Evaluates the figures, optionally only of the wanted pets, and stages the changes. */
function stageFigures(database: Database.Database, change: BulkStockChange, totals: PassTotals, wanted: ReadonlySet<number> | undefined): StagedRows {
  const stockOf = stockReader(database);
  const rows = stagedRows();
  try {
    const pass = stockPass({ change, wanted, figuresTogether: blockRows, totals, add: rows.add });
    for (const block of pass.blocks()) pass.evaluate(block, stockOf(block));
    pass.end();
    return rows;
  } catch (error) {
    rows.close();
    throw error;
  }
}

/** The pets that changed after a ledger entry. For DISTINCT alone SQLite would read its index of all pets, while the shop is locked. */
export const changedPets = 'SELECT DISTINCT pet_id FROM ledger NOT INDEXED WHERE id > ? AND pet_id IS NOT NULL';

/** Evaluates again the pets that changed since staging; every change has a ledger entry. */
function restage(database: Database.Database, { change, totals, newest }: Staged): Restaged | undefined {
  if (database.prepare("SELECT 1 FROM ledger WHERE id > ? AND kind = 'shop.restored'").get(newest) !== undefined)
    throw new StoreError('store_busy', 'The shop was restored from a backup in the meantime; nothing was changed.', {
      advice: 'Check the shop, then run the command again.',
    });
  const changed = new Set(database.prepare<[number], number>(changedPets).pluck().all(newest));
  return changed.size === 0 ? undefined : { changed, rows: stageFigures(database, change, { ...totals, changes: [] }, changed) };
}

/** Visits the rows to write; those that were staged again come last. */
function eachRow({ rows }: Staged, again: Restaged | undefined, visit: (numbers: Readonly<Float64Array>, at: number) => void): void {
  if (again === undefined) return rows.each(visit);
  rows.each((numbers, at) => {
    if (!again.changed.has(numbers[at + stagedRowColumns.petId] ?? 0)) visit(numbers, at);
  });
  again.rows.each(visit);
}

function outcomeOf(staged: Staged, again?: Restaged): BulkOutcome {
  const { refused } = staged.change;
  const { evaluated, alreadyApplied, notInFile, changes } = staged.totals;
  let totals: StagedTotals = staged.rows.totals;
  if (again) {
    const restagedTotals = (totals = { applied: 0, toZero: 0 });
    eachRow(staged, again, (numbers, at) => addToTotals(restagedTotals, stagedRowAt(numbers, at)));
  }
  const { applied, toZero } = totals;
  return { applied, unchanged: evaluated - applied - refused.countProvisional(), alreadyApplied, notInFile, toZero, changes };
}

/** Writes the staged rows: ledger entries ordered by pet, and the quantities that they state. */
function writeStaged(database: Database.Database, staged: Staged, again: Restaged | undefined, batch: RecordedBatch): void {
  const { kind, notes } = staged.change;
  const { add, flush } = ledgerInsert(database, kind, batch, notes);
  const newestRow = database.prepare<[], number>(newestEntry).pluck();
  // Every pet has a row, so this only updates; it is faster than UPDATE … FROM. Of several movements of a pet the last one totals.
  const updateStock = database.prepare<[number]>(
    `INSERT INTO stock (pet_id, quantity) SELECT pet_id, quantity_after FROM ledger WHERE id > ? AND quantity_after IS NOT NULL ORDER BY id
     ON CONFLICT (pet_id) DO UPDATE SET quantity = excluded.quantity`,
  );
  let updated = newestRow.get() ?? 0;
  let waiting = 0;
  const update = (): void => {
    flush();
    updateStock.run(updated);
    updated = newestRow.get() ?? 0;
    waiting = 0;
  };
  eachRow(staged, again, (numbers, at) => {
    add(numbers, at);
    waiting += 1;
    if (waiting === rowsPerStatement * statementsPerUpdate) update();
  });
  update();
}

const newestEntry = 'SELECT coalesce(max(id), 0) FROM ledger';

/** Bulk stock changes, staged in a temporary file. */
export function bulkStock({ database, queries, begin, explain, close }: BulkConnection): BulkStock {
  // In KiB. Figures are sorted by pet, so a small cache is enough.
  database.pragma('cache_size = -8192');
  // The former pages of each statement, which SQLite keeps to undo it, are few: in a file they take a tenth of the time.
  database.pragma('temp_store = MEMORY');
  const newestRow = database.prepare<[], number>(newestEntry).pluck();
  const livePets = database.prepare<[], number>('SELECT count(*) FROM stock').pluck();
  let staged: Staged | undefined;
  const discard = (): void => {
    staged?.rows.close();
    staged = undefined;
  };
  const rollBack = (error: unknown): unknown => {
    if (database.inTransaction) database.exec('ROLLBACK');
    return explain(error);
  };
  return {
    stage: async (change) => {
      discard();
      change.refused.clearProvisional();
      try {
        // The first read takes the snapshot.
        database.exec('BEGIN');
        const totals: PassTotals = { evaluated: 0, alreadyApplied: 0, notInFile: livePets.get() ?? 0, changes: [] };
        const newest = newestRow.get() ?? 0;
        staged = { change, totals, newest, rows: stageFigures(database, change, totals, undefined) };
        database.exec('COMMIT');
        return outcomeOf(staged);
      } catch (error) {
        throw rollBack(error);
      }
    },
    apply: async (decide) => {
      if (staged === undefined) throw new Error('Nothing was staged.');
      await begin();
      const scope = queries();
      let again: Restaged | undefined;
      try {
        again = restage(database, staged);
        const outcome = outcomeOf(staged, again);
        const decision = await decide(scope.queries, outcome);
        if (decision) writeStaged(database, staged, again, decision);
        database.exec('COMMIT');
        return outcome;
      } catch (error) {
        throw rollBack(error);
      } finally {
        again?.rows.close();
        scope.end();
      }
    },
    close: async () => {
      discard();
      await close();
    },
  };
}
