import { isLow, unreserved } from '../../domain/inventory/stock.js';
import type { StopSignal } from '../../domain/imports/import-options.js';
import { duplicateRow, quantityAfter, type StockChange, type StockPolicy } from '../../domain/imports/stock-change.js';
import type { Queries } from '../queries.js';
import { list, sql } from '../sql.js';
import { countLive } from '../tables/pet-table.js';
import type { RefusedRows } from './refused-rows.js';
import { absentNumber, stockRowColumns, stockRowWidth, type SortedStockRows } from './sorted-stock-rows.js';
import { absentQuantity, stagedMarks, stagedRows, type RowsToWrite, type StagedRows } from './staged-rows.js';
import { numbersOf } from './pet-look-ups.js';

/** A change of the stock of many pets: a count, an adjustment, or the undo of a batch. */
export interface BulkStockChange extends Pick<RowsToWrite, 'kind' | 'notes'> {
  readonly stockRows: SortedStockRows;
  readonly policy: StockPolicy;
  /** Collects the rows that conflict with the state of the shop. */
  readonly refused: RefusedRows;
  /** Whether an earlier import of this file applied the row with this index; undefined without an earlier import. */
  readonly wasApplied: ((rowIndex: number) => boolean) | undefined;
  /** Aborts the work, for example when the client has disconnected. */
  readonly signal?: StopSignal | undefined;
  /** Called with the quantities before and after each row that is not refused. */
  readonly onChange?: ((rowIndex: number, before: number, after: number) => void) | undefined;
}

/** What a bulk stock change does to the present state of the shop. */
export interface BulkOutcome {
  applied: number;
  /** The ledger entries that it writes. */
  entries: number;
  unchanged: number;
  /** Rows that an earlier import of the file applied. */
  alreadyApplied: number;
  /** Live pets that no row names. */
  notInFile: number;
  /** Pets that it leaves with nothing on hand. */
  toZero: number;
  /** The first changes, ordered by pet. */
  readonly changes: Omit<StockChange, 'name'>[];
}

const shownChanges = 100;
/** The rows whose stock is read together. */
const rowsTogether = 1 << 11;
/** A block is dense, and its stock is read as one id range, when the range is less than this many times its length. */
const denseSpread = 4;

/** The stock of pets in ascending order: `stockWidth` numbers for each, its id, quantity, reserved units and low-stock level. */
export type StockNumbers = readonly (number | null)[];
const stockWidth = 4;

/** Reads the stock of the pets of a block. */
async function stockOf(queries: Queries, block: Readonly<Float64Array>): Promise<StockNumbers> {
  const [low, high] = [block[stockRowColumns.petId] ?? 0, block[block.length - stockRowWidth + stockRowColumns.petId] ?? 0];
  const isDense = (high - low) * stockRowWidth < block.length * denseSpread;
  const petIds = isDense ? [] : block.filter((_, at) => at % stockRowWidth === stockRowColumns.petId);
  const wanted = isDense ? sql`pet_id BETWEEN ${low} AND ${high}` : sql`pet_id IN ${list([...new Set(petIds)])}`;
  return numbersOf(queries, ['pet_id', 'quantity', 'reserved', 'low_at'], sql`FROM stock WHERE ${wanted} ORDER BY pet_id`);
}

/** The evaluation of sorted rows, which stages the rows to write. */
export interface Evaluation {
  /** Evaluates the next block; `stock` must contain all of its pets that exist. The rows of one pet may continue in the next block. */
  readonly evaluate: (block: Readonly<Float64Array>, stock: StockNumbers) => void;
  /** Evaluates the last row. */
  readonly end: () => void;
}

/** The row that waits to be evaluated. */
interface WaitingRow {
  petId: number;
  value: number;
  expected: number | undefined;
  lineOrEntry: number;
  rowIndex: number;
  note: number;
}

function readRow(block: Readonly<Float64Array>, at: number, into: WaitingRow): void {
  const expected = block[at + stockRowColumns.expected];
  into.value = block[at + stockRowColumns.value] ?? 0;
  into.expected = expected === absentNumber ? undefined : expected;
  into.lineOrEntry = block[at + stockRowColumns.lineOrEntry] ?? 0;
  into.rowIndex = block[at + stockRowColumns.rowIndex] ?? 0;
  into.note = block[at + stockRowColumns.note] ?? 0;
}

/** Stages the movement that a row makes, and the crossing of the low-stock level that this causes. */
function stager(outcome: BulkOutcome, staged: StagedRows) {
  let movedBefore = 0;
  return (
    { petId, lineOrEntry, note }: WaitingRow,
    current: { quantity: number; readonly reserved: number; readonly lowAt: number | null },
    after: number,
  ): void => {
    const before = current.quantity;
    if (outcome.changes.length < shownChanges) outcome.changes.push({ petId, before, after });
    outcome.applied += 1;
    outcome.entries += 1;
    outcome.toZero += Number(after === 0) - Number(before === 0 && movedBefore === petId);
    movedBefore = petId;
    const wasLow = isLow(current);
    current.quantity = after;
    staged.add(petId, before, after, lineOrEntry, note, unreserved(current) < 0 ? stagedMarks.shortage : stagedMarks.none);
    if (isLow(current) === wasLow) return;
    outcome.entries += 1;
    staged.add(petId, absentQuantity, absentQuantity, lineOrEntry, note, wasLow ? stagedMarks.restocked : stagedMarks.low);
  };
}

/** Evaluates a row when the next one is known: where a pet is counted twice, the error of each line names the other. */
export function evaluation(change: BulkStockChange, outcome: BulkOutcome, staged: StagedRows): Evaluation {
  const { kind, policy, refused, wasApplied, onChange } = change;
  const stage = stager(outcome, staged);
  // One object each for all rows and pets, which is faster than many.
  const row: WaitingRow = { petId: 0, value: 0, expected: undefined, lineOrEntry: 0, rowIndex: 0, note: 0 };
  const current: { quantity: number; reserved: number; lowAt: number | null } = { quantity: 0, reserved: 0, lowAt: null };
  let exists = false;
  /** The line or entry of the first row of the pet. */
  let first: number | undefined;
  let isWaiting = false;
  const moveTo = (petId: number, stock: StockNumbers, at: number): void => {
    row.petId = petId;
    exists = stock[at] === petId;
    first = undefined;
    if (!exists) return;
    current.quantity = stock[at + 1] ?? 0;
    current.reserved = stock[at + 2] ?? 0;
    current.lowAt = stock[at + 3] ?? null;
    outcome.notInFile -= 1;
  };
  /** Evaluates the waiting row; `nextLine` is the line of the next row of its pet. */
  const settle = (nextLine: number | undefined): void => {
    const { petId, lineOrEntry, rowIndex } = row;
    if (!isWaiting) return;
    isWaiting = false;
    const otherLine = kind === 'count' ? (first ?? nextLine) : undefined;
    first ??= lineOrEntry;
    if (otherLine !== undefined) return refused.addProvisional({ rowIndex, error: duplicateRow(petId, lineOrEntry, otherLine) });
    const after = quantityAfter(kind, row, exists ? current : undefined, policy);
    if (typeof after === 'object') return refused.addProvisional({ rowIndex, error: { line: lineOrEntry, petId, ...after } });
    onChange?.(rowIndex, current.quantity, after);
    if (after === current.quantity) outcome.unchanged += 1;
    else stage(row, current, after);
  };
  return {
    evaluate: (block, stock) => {
      let stockAt = 0;
      for (let at = 0; at < block.length; at += stockRowWidth) {
        const petId = block[at + stockRowColumns.petId] ?? 0;
        if (petId !== row.petId) {
          settle(undefined);
          while ((stock[stockAt] ?? Number.POSITIVE_INFINITY) < petId) stockAt += stockWidth;
          moveTo(petId, stock, stockAt);
        }
        if (block[at + stockRowColumns.value] === absentNumber) continue;
        if (wasApplied?.(block[at + stockRowColumns.rowIndex] ?? 0) === true) outcome.alreadyApplied += 1;
        else {
          settle(block[at + stockRowColumns.lineOrEntry]);
          readRow(block, at, row);
          isWaiting = true;
        }
      }
    },
    end: () => settle(undefined),
  };
}

/** Evaluates the rows on the present state of the shop and stages the changes. */
export async function stageRows(queries: Queries, change: BulkStockChange): Promise<{ readonly rows: StagedRows; readonly outcome: BulkOutcome }> {
  change.refused.clearProvisional();
  const notInFile = await countLive(queries);
  const outcome: BulkOutcome = { applied: 0, entries: 0, unchanged: 0, alreadyApplied: 0, notInFile, toZero: 0, changes: [] };
  const rows = stagedRows();
  try {
    const { evaluate, end } = evaluation(change, outcome, rows);
    for (const block of change.stockRows.blocks(rowsTogether)) {
      change.signal?.throwIfAborted();
      evaluate(block, await stockOf(queries, block));
    }
    end();
    return { rows, outcome };
  } catch (error) {
    rows.close();
    throw error;
  }
}
