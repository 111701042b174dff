import type { BulkStockChange } from './bulk-port.js';
import type { RowBlock, RowFilter } from './external-sort.js';
import { absentFigure, figureColumns } from './sorted-figures.js';

/** A block is dense, and its stock is read as one id range, when the range is less than this many times its length. */
const denseSpread = 4;

/** Figures in ascending order of their pets, as numbers: an object for each would be copied by the garbage collector. */
export interface FigureBlock extends RowBlock {
  /** The first figures of the next block. */
  readonly next: RowBlock | undefined;
}

function petAt({ numbers, starts }: RowBlock, index: number): number | undefined {
  return numbers[(starts[index] ?? 0) + figureColumns.petId];
}

/** The pet of the figure after the one at `index`. */
export function petAfter(block: FigureBlock, index: number): number | undefined {
  if (index + 1 < block.starts.length) return petAt(block, index + 1);
  return block.next && petAt(block.next, 0);
}

/** The origin of the figure after the one at `index`, if it is of the same pet. */
export function nextOrigin(block: FigureBlock, index: number): number | undefined {
  if (petAfter(block, index) !== petAt(block, index)) return undefined;
  const [{ numbers, starts }, at] = index + 1 < block.starts.length ? [block, index + 1] : [block.next ?? block, 0];
  return numbers[(starts[at] ?? 0) + figureColumns.origin];
}

/** The range of pet ids in a block, and whether it is dense enough to read as one range. */
export function petRange(block: FigureBlock): { readonly low: number; readonly high: number; readonly isDense: boolean } {
  const count = block.starts.length;
  const [low, high] = [petAt(block, 0) ?? 0, petAt(block, count - 1) ?? 0];
  return { low, high, isDense: high - low < count * denseSpread };
}

/** The ids of the pets in a block. */
export function petIdsIn(block: FigureBlock): readonly number[] {
  return [...new Set(Array.from(block.starts, (start) => block.numbers[start + figureColumns.petId] ?? 0))];
}

/** Not by a spread: the objects would have many shapes, and V8 would compile their readers again and again. */
function figureBlock({ numbers, starts }: RowBlock, next: RowBlock | undefined): FigureBlock {
  return { numbers, starts, next };
}

/** Counts the figures that an earlier import of the file applied. */
interface AppliedEarlier {
  alreadyApplied: number;
}

/** What chooses the figures to evaluate: of the wanted pets, not applied earlier, and only the first of a pet's refused rows. */
function evaluationFilter({ wasApplied }: BulkStockChange, totals: AppliedEarlier, wanted: ReadonlySet<number> | undefined): RowFilter {
  let lastPet = 0;
  return (numbers, at) => {
    const petId = numbers[at + figureColumns.petId] ?? 0;
    const isRefused = numbers[at + figureColumns.value] === absentFigure;
    const repeats = petId === lastPet;
    lastPet = petId;
    if ((isRefused && repeats) || wanted?.has(petId) === false) return false;
    if (wasApplied?.(numbers[at + figureColumns.rowIndex] ?? 0) !== true) return true;
    if (!isRefused) totals.alreadyApplied += 1;
    return false;
  };
}

/**
 * The figures to evaluate. Each block names the next one, because the errors of two counts of one pet name each other's line. A
 * block is valid until the second one after it is asked for.
 */
export function* blocksToEvaluate(
  change: BulkStockChange,
  totals: AppliedEarlier,
  wanted: ReadonlySet<number> | undefined,
  figuresTogether: number,
): Generator<FigureBlock, void> {
  const isEach = change.wasApplied === undefined && wanted === undefined && change.refused.count() === 0;
  let before: RowBlock | undefined;
  for (const next of change.figures.blocks(figuresTogether, isEach ? undefined : evaluationFilter(change, totals, wanted))) {
    change.signal?.throwIfAborted();
    if (before) yield figureBlock(before, next);
    before = next;
  }
  if (before) yield figureBlock(before, undefined);
}
