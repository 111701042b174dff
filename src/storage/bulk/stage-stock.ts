import type { LedgerKind } from '../../domain/ledger/ledger-entry.js';
import { available, isLow } from '../../domain/inventory/stock.js';
import { duplicateRow, quantityAfter, type StockRow } from '../../domain/imports/stock-change.js';
import type { BulkOutcome, BulkStockChange } from './bulk-port.js';
import { blocksToEvaluate, nextLineOrEntry, type StockRowBlock } from './stock-row-blocks.js';
import { stockRowAt, hasValue, type SortedStockRow, type Mutable } from './sorted-stock-rows.js';

const shownChanges = 100;

/** The stock of pets in ascending order, four numbers for each: an array or object for each takes twice the time to read. */
export type StockList = readonly number[];

/** The positions of the numbers of a pet in a list of stock. */
const stockColumns = { petId: 0, quantity: 1, reserved: 2, lowAt: 3 } as const;
const stockWidth = 4;
/** In place of the low-stock level of a pet without one. */
const noLevel = -1;

/** The expression that makes a list of stock, in JSON without its brackets, from the rows of `stock` in their order. */
export const stockListText = `string_agg(pet_id || ',' || quantity || ',' || reserved || ',' || coalesce(low_at, ${noLevel}), ',')`;

/** What a pass adds up that cannot be computed from the staged rows. */
export interface PassTotals {
  /** Rows that an earlier run has not applied. */
  evaluated: number;
  /** Rows that an earlier run applied. */
  alreadyApplied: number;
  /** Live pets that no row names. */
  notInFile: number;
  readonly changes: BulkOutcome['changes'][number][];
}

/** The kinds of the ledger rows that a movement across the low-stock level adds. */
export const crossingKinds = ['inventory.low', 'inventory.restocked'] as const satisfies readonly LedgerKind[];

/** A row to write to the ledger: a movement, or the low-level crossing it causes, which has a kind but no quantities. */
export interface StagedRow {
  readonly petId: number;
  readonly before: number | null;
  readonly after: number | null;
  /** The line of the file, or the id of the ledger entry, that the row comes from. */
  readonly lineOrEntry: number;
  /** Whether this is the last movement of its pet. */
  readonly isLast: boolean;
  /** Whether the movement leaves less on hand than reserved. */
  readonly isShortage: boolean;
  readonly kind: (typeof crossingKinds)[number] | null;
  /** The position of the note in the text file; 0 for none. */
  readonly note: number;
}

/** One pass over sorted rows. */
export interface Pass {
  /** The rows to evaluate. The rows of one pet may continue in the next block. A block is valid until the second one after it is asked for. */
  readonly blocks: () => Generator<StockRowBlock, void>;
  /** Evaluates the next block; `stock` must contain all of its pets that exist, in ascending order. */
  readonly evaluate: (block: StockRowBlock, stock: StockList) => void;
  /** Emits the row that is not emitted yet. */
  readonly end: () => void;
}

/** Receives a row to stage, which is valid during the call: all movements are one object, because many objects take a fifth of the time. */
export type AddStagedRow = (row: StagedRow) => void;

/** What a pass evaluates, and where its results go. */
export interface PassOptions {
  readonly change: BulkStockChange;
  /** The pets to evaluate; undefined for all of the rows. */
  readonly wanted: ReadonlySet<number> | undefined;
  /** The number of rows in a block. */
  readonly rowsTogether: number;
  readonly totals: PassTotals;
  readonly add: AddStagedRow;
}

/** Emits movements, and after each the crossing it causes. A movement waits for the next one, which tells whether it is the last of its pet. */
function movementStager(add: AddStagedRow): {
  readonly stage: (petId: number, before: number, after: number, from: Pick<StagedRow, 'lineOrEntry' | 'note'>, isShortage: boolean) => void;
  readonly cross: (kind: StagedRow['kind']) => void;
  readonly flush: () => void;
} {
  const movement: Mutable<StagedRow> = { petId: 0, before: 0, after: 0, lineOrEntry: 0, isLast: true, isShortage: false, kind: null, note: 0 };
  let crossing: StagedRow | undefined;
  let isWaiting = false;
  const flush = (): void => {
    if (isWaiting) add(movement);
    if (crossing) add(crossing);
    isWaiting = false;
    crossing = undefined;
  };
  return {
    stage: (petId, before, after, { lineOrEntry, note }, isShortage) => {
      movement.isLast = movement.petId !== petId;
      flush();
      movement.petId = petId;
      movement.before = before;
      movement.after = after;
      movement.lineOrEntry = lineOrEntry;
      movement.isLast = true;
      movement.isShortage = isShortage;
      movement.note = note;
      isWaiting = true;
    },
    cross: (kind) => {
      crossing = { ...movement, before: null, after: null, isLast: false, isShortage: false, kind };
    },
    flush,
  };
}

/** A pass that evaluates sorted rows and stages the rows to write. */
export function stockPass({ change, wanted, rowsTogether, totals, add }: PassOptions): Pass {
  const { kind, policy, refused, onChange } = change;
  const { stage, cross, flush } = movementStager(add);
  // One object each for all rows and pets, see `AddStagedRow`.
  const row: SortedStockRow = { petId: 0, value: undefined, expected: undefined, lineOrEntry: 0, rowIndex: 0, note: 0 };
  const current = { quantity: 0, reserved: 0, lowAt: null as number | null };
  let petId = 0;
  let exists = false;
  /** The line or entry of the first row of the pet. */
  let first: number | undefined;
  const moveTo = (pet: number, stock: StockList, at: number): void => {
    petId = pet;
    exists = stock[at + stockColumns.petId] === pet;
    first = undefined;
    if (!exists) return;
    current.quantity = stock[at + stockColumns.quantity] ?? 0;
    current.reserved = stock[at + stockColumns.reserved] ?? 0;
    const level = stock[at + stockColumns.lowAt] ?? noLevel;
    current.lowAt = level === noLevel ? null : level;
    totals.notInFile -= 1;
  };
  const evaluateRow = (present: SortedStockRow & StockRow, otherLine: number | undefined): void => {
    const { lineOrEntry, rowIndex } = present;
    if (otherLine !== undefined) return refused.addProvisional({ rowIndex, error: duplicateRow(petId, lineOrEntry, otherLine) });
    const before = current.quantity;
    const after = quantityAfter(kind, present, exists ? current : undefined, policy);
    if (typeof after === 'object') return refused.addProvisional({ rowIndex, error: { line: lineOrEntry, petId, ...after } });
    onChange?.(rowIndex, before, after);
    if (after === before) return;
    if (totals.changes.length < shownChanges) totals.changes.push({ petId, before, after });
    const wasLow = isLow(current);
    current.quantity = after;
    stage(petId, before, after, present, available(current) < 0);
    if (isLow(current) !== wasLow) cross(wasLow ? 'inventory.restocked' : 'inventory.low');
  };
  return {
    blocks: () => blocksToEvaluate(change, totals, wanted, rowsTogether),
    evaluate: (block, stock) => {
      const { numbers, starts } = block;
      let stockAt = 0;
      for (let index = 0; index < starts.length; index += 1) {
        stockRowAt(numbers, starts[index] ?? 0, row);
        if (row.petId !== petId) {
          while ((stock[stockAt + stockColumns.petId] ?? Number.POSITIVE_INFINITY) < row.petId) stockAt += stockWidth;
          moveTo(row.petId, stock, stockAt);
        }
        if (!hasValue(row)) continue;
        totals.evaluated += 1;
        // This pet changed after staging, so its earlier refusal no longer counts.
        if (wanted !== undefined) refused.clearProvisional(row.rowIndex);
        const otherLine = kind === 'count' ? (first ?? nextLineOrEntry(block, index)) : undefined;
        first ??= row.lineOrEntry;
        evaluateRow(row, otherLine);
      }
    },
    end: flush,
  };
}
