import type { BulkStockChange } from './bulk-port.js';
import type { RowBlock, RowFilter } from './external-sort.js';
import { absentNumber, stockRowColumns } from './sorted-stock-rows.js';

/** A block is dense, and its stock is read as one id range, when the range is less than this many times its length. */
const denseSpread = 4;

/** Rows in ascending order of their pets, as numbers: an object for each would be copied by the garbage collector. */
export interface StockRowBlock extends RowBlock {
  /** The first rows of the next block. */
  readonly next: RowBlock | undefined;
}

function petAt({ numbers, starts }: RowBlock, index: number): number | undefined {
  return numbers[(starts[index] ?? 0) + stockRowColumns.petId];
}

/** The pet of the row after the one at `index`. */
export function petAfter(block: StockRowBlock, index: number): number | undefined {
  if (index + 1 < block.starts.length) return petAt(block, index + 1);
  return block.next && petAt(block.next, 0);
}

/** The line or entry of the row after the one at `index`, if it is of the same pet. */
export function nextLineOrEntry(block: StockRowBlock, index: number): number | undefined {
  if (petAfter(block, index) !== petAt(block, index)) return undefined;
  const [{ numbers, starts }, at] = index + 1 < block.starts.length ? [block, index + 1] : [block.next ?? block, 0];
  return numbers[(starts[at] ?? 0) + stockRowColumns.lineOrEntry];
}

/** The range of pet ids in a block, and whether it is dense enough to read as one range. */
export function petRange(block: StockRowBlock): { readonly low: number; readonly high: number; readonly isDense: boolean } {
  const count = block.starts.length;
  const [low, high] = [petAt(block, 0) ?? 0, petAt(block, count - 1) ?? 0];
  return { low, high, isDense: high - low < count * denseSpread };
}

/** The ids of the pets in a block. */
export function petIdsIn(block: StockRowBlock): readonly number[] {
  return [...new Set(Array.from(block.starts, (start) => block.numbers[start + stockRowColumns.petId] ?? 0))];
}

/** Not by a spread: the objects would have many shapes, and V8 would compile their readers again and again. */
function stockRowBlock({ numbers, starts }: RowBlock, next: RowBlock | undefined): StockRowBlock {
  return { numbers, starts, next };
}

/** Counts the rows that an earlier import of the file applied. */
interface AppliedEarlier {
  alreadyApplied: number;
}

/** What chooses the rows to evaluate: of the wanted pets, not applied earlier, and only the first of a pet's refused rows. */
function evaluationFilter({ wasApplied }: BulkStockChange, totals: AppliedEarlier, wanted: ReadonlySet<number> | undefined): RowFilter {
  let lastPet = 0;
  return (numbers, at) => {
    const petId = numbers[at + stockRowColumns.petId] ?? 0;
    const isRefused = numbers[at + stockRowColumns.value] === absentNumber;
    const repeats = petId === lastPet;
    lastPet = petId;
    if ((isRefused && repeats) || wanted?.has(petId) === false) return false;
    if (wasApplied?.(numbers[at + stockRowColumns.rowIndex] ?? 0) !== true) return true;
    if (!isRefused) totals.alreadyApplied += 1;
    return false;
  };
}

/**
 * The rows to evaluate. Each block names the next one, because the errors of two counts of one pet name each other's line. A
 * block is valid until the second one after it is asked for.
 */
export function* blocksToEvaluate(
  change: BulkStockChange,
  totals: AppliedEarlier,
  wanted: ReadonlySet<number> | undefined,
  rowsTogether: number,
): Generator<StockRowBlock, void> {
  const isEach = change.wasApplied === undefined && wanted === undefined && change.refused.count() === 0;
  let before: RowBlock | undefined;
  for (const next of change.stockRows.blocks(rowsTogether, isEach ? undefined : evaluationFilter(change, totals, wanted))) {
    change.signal?.throwIfAborted();
    if (before) yield stockRowBlock(before, next);
    before = next;
  }
  if (before) yield stockRowBlock(before, undefined);
}
