import { isLow, unreserved } from '../../domain/inventory/stock.js';
import type { StopSignal } from '../../domain/imports/import-options.js';
import { duplicateRow, quantityAfter, type StockChange, type StockPolicy, type StockRowKind } from '../../domain/imports/stock-change.js';
import type { Queries } from '../queries.js';
import { list, sql } from '../sql.js';
import type { RefusedRows } from './refused-rows.js';
import { absentNumber, stockRowColumns, stockRowWidth, type SortedStockRows } from './sorted-stock-rows.js';
import { stagedRows, type StagedRows } from './staged-rows.js';
import type { TextFile } from './text-file.js';

/** A change of the stock of many pets: a count, an adjustment, or the undo of a batch. */
export interface BulkStockChange {
  readonly kind: StockRowKind;
  readonly stockRows: SortedStockRows;
  readonly policy: StockPolicy;
  /** Collects the rows that conflict with the state of the shop. */
  readonly refused: RefusedRows;
  /** Whether an earlier import of this file applied the row with this index; undefined without an earlier import. */
  readonly wasApplied: ((rowIndex: number) => boolean) | undefined;
  /** The notes of rows, by the position stored with them. */
  readonly notes: Pick<TextFile, 'at'>;
  /** Aborts the work, for example when the client has disconnected. */
  readonly signal?: StopSignal | undefined;
  /** Called with the quantities before and after each row that is not refused. */
  readonly onChange?: ((rowIndex: number, before: number, after: number) => void) | undefined;
}

/** What a bulk stock change does to the present state of the shop. */
export interface BulkOutcome {
  readonly applied: number;
  /** The ledger entries that it writes. */
  readonly entries: number;
  readonly unchanged: number;
  /** Rows that an earlier import of the file applied. */
  readonly alreadyApplied: number;
  /** Live pets that no row names. */
  readonly notInFile: number;
  readonly toZero: number;
  /** The first changes, ordered by pet. */
  readonly changes: readonly Omit<StockChange, 'name'>[];
}

const shownChanges = 100;
/** The rows whose stock is read together. */
const rowsTogether = 1 << 11;
/** A block is dense, and its stock is read as one id range, when the range is less than this many times its length. */
const denseSpread = 4;

/** What an evaluation adds up that cannot be computed from the staged rows. */
export interface EvaluationTotals {
  /** Rows that an earlier import of the file has not applied. */
  evaluated: number;
  /** Rows that an earlier import of the file applied. */
  alreadyApplied: number;
  /** Live pets that no row names. */
  notInFile: number;
  readonly changes: BulkOutcome['changes'][number][];
}

/** The stock of pets in ascending order, a row for each. */
export type StockList = readonly (readonly [petId: number, quantity: number, reserved: number, lowAt: number | null])[];

/** Reads the stock of the pets of a block. */
async function stockOf(queries: Queries, block: Readonly<Float64Array>): Promise<StockList> {
  const [low, high] = [block[stockRowColumns.petId] ?? 0, block[block.length - stockRowWidth + stockRowColumns.petId] ?? 0];
  const isDense = (high - low) * stockRowWidth < block.length * denseSpread;
  const petIds = isDense ? [] : block.filter((_, at) => at % stockRowWidth === stockRowColumns.petId);
  const wanted = isDense ? sql`pet_id BETWEEN ${low} AND ${high}` : sql`pet_id IN ${list([...new Set(petIds)])}`;
  const rows = await queries.rows(sql`SELECT pet_id, quantity, reserved, low_at FROM stock WHERE ${wanted} ORDER BY pet_id`);
  return rows as unknown as StockList;
}

/** The evaluation of sorted rows, which stages the rows to write. */
export interface Evaluation {
  /** Evaluates the next block; `stock` must contain all of its pets that exist, in ascending order. The rows of one pet may continue in the next block. */
  readonly evaluate: (block: Readonly<Float64Array>, stock: StockList) => void;
  /** Evaluates the last row. */
  readonly end: () => void;
}

/** The stock of a pet while its rows are evaluated. */
interface CurrentStock {
  quantity: number;
  reserved: number;
  lowAt: number | null;
}

function readStock([, quantity, reserved, lowAt]: StockList[number], into: CurrentStock): void {
  into.quantity = quantity;
  into.reserved = reserved;
  into.lowAt = lowAt;
}

/** The row that waits to be evaluated. */
interface CurrentRow {
  value: number;
  expected: number | undefined;
  lineOrEntry: number;
  rowIndex: number;
  note: number;
}

function readRow(block: Readonly<Float64Array>, at: number, into: CurrentRow): void {
  const expected = block[at + stockRowColumns.expected];
  into.value = block[at + stockRowColumns.value] ?? 0;
  into.expected = expected === absentNumber ? undefined : expected;
  into.lineOrEntry = block[at + stockRowColumns.lineOrEntry] ?? 0;
  into.rowIndex = block[at + stockRowColumns.rowIndex] ?? 0;
  into.note = block[at + stockRowColumns.note] ?? 0;
}

/** Evaluates rows one row late: the error of a count that is repeated names the line of the next one. */
export function evaluation(change: BulkStockChange, totals: EvaluationTotals, staged: StagedRows): Evaluation {
  const { kind, policy, refused, wasApplied, onChange } = change;
  // One object each for all rows and pets, which is faster than many.
  const row: CurrentRow = { value: 0, expected: undefined, lineOrEntry: 0, rowIndex: 0, note: 0 };
  const current: CurrentStock = { quantity: 0, reserved: 0, lowAt: null };
  let petId = 0;
  let exists = false;
  /** The line or entry of the first row of the pet. */
  let first: number | undefined;
  let isWaiting = false;
  const moveTo = (pet: number, found: StockList[number] | undefined): void => {
    petId = pet;
    exists = found?.[0] === pet;
    first = undefined;
    if (found === undefined || !exists) return;
    readStock(found, current);
    totals.notInFile -= 1;
  };
  /** Evaluates the waiting row; `nextLine` is the line of the next row of its pet. */
  const settle = (nextLine: number | undefined): void => {
    const { value, lineOrEntry, rowIndex } = row;
    if (!isWaiting) return;
    isWaiting = false;
    const otherLine = kind === 'count' ? (first ?? nextLine) : undefined;
    first ??= lineOrEntry;
    if (otherLine !== undefined) return refused.addProvisional({ rowIndex, error: duplicateRow(petId, lineOrEntry, otherLine) });
    const before = current.quantity;
    const after = quantityAfter(kind, { petId, value, expected: row.expected }, exists ? current : undefined, policy);
    if (typeof after === 'object') return refused.addProvisional({ rowIndex, error: { line: lineOrEntry, petId, ...after } });
    onChange?.(rowIndex, before, after);
    if (after === before) return;
    if (totals.changes.length < shownChanges) totals.changes.push({ petId, before, after });
    const wasLow = isLow(current);
    current.quantity = after;
    staged.move(petId, before, after, lineOrEntry, row.note, unreserved(current) < 0);
    if (isLow(current) !== wasLow) staged.cross(wasLow ? 'inventory.restocked' : 'inventory.low');
  };
  return {
    evaluate: (block, stock) => {
      let stockAt = 0;
      for (let at = 0; at < block.length; at += stockRowWidth) {
        const pet = block[at + stockRowColumns.petId] ?? 0;
        if (pet !== petId) {
          settle(undefined);
          while ((stock[stockAt]?.[0] ?? Number.POSITIVE_INFINITY) < pet) stockAt += 1;
          moveTo(pet, stock[stockAt]);
        }
        if (block[at + stockRowColumns.value] === absentNumber) continue;
        if (wasApplied?.(block[at + stockRowColumns.rowIndex] ?? 0) === true) totals.alreadyApplied += 1;
        else {
          settle(block[at + stockRowColumns.lineOrEntry]);
          readRow(block, at, row);
          isWaiting = true;
          totals.evaluated += 1;
        }
      }
    },
    end: () => settle(undefined),
  };
}

/** Evaluates the rows and stages the changes. */
export async function stageRows(queries: Queries, change: BulkStockChange, totals: EvaluationTotals): Promise<StagedRows> {
  const staged = stagedRows();
  try {
    const { evaluate, end } = evaluation(change, totals, staged);
    for (const block of change.stockRows.blocks(rowsTogether)) {
      change.signal?.throwIfAborted();
      evaluate(block, await stockOf(queries, block));
    }
    end();
    return staged;
  } catch (error) {
    staged.close();
    throw error;
  }
}
