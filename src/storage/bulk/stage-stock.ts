import type { LedgerKind } from '../../domain/ledger/ledger-entry.js';
import { available, isLow } from '../../domain/inventory/stock.js';
import { duplicateRow, quantityAfter } from '../../domain/imports/stock-move.js';
import type { BulkStockChange, BulkOutcome } from '../engine.js';
import { absentFigure, figureAt, figureColumns, figureWidth, type Figure } from './sorted-figures.js';

/** A block is dense, and its stock is read as one id range, when the range is less than this many times its length. */
const denseSpread = 4;
const shownChanges = 100;

/** The stock of a pet while its figures are evaluated; `quantity` is updated after each. */
export interface CurrentStock {
  quantity: number;
  readonly reserved: number;
  readonly lowAt: number | null;
}

/** The stock of some pets: the ids of those that exist, ascending, and the quantity of each. */
export interface StockOfPets {
  readonly petIds: ArrayLike<number>;
  readonly quantities: ArrayLike<number>;
  /** The reserved units of the pets that have any. */
  readonly reserved: ReadonlyMap<number, number>;
  /** The low-stock levels of the pets that have one. */
  readonly levels: ReadonlyMap<number, number>;
}

/** The counts of a pass that cannot be computed from the staged rows. */
export interface Tally {
  /** Figures that an earlier run has not applied. */
  due: number;
  /** Figures that an earlier run applied. */
  alreadyApplied: number;
  /** Live pets that no figure names. */
  petsNotNamed: number;
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
  readonly origin: number;
  /** Whether this is the last movement of its pet. */
  isLast: boolean;
  /** Whether the movement leaves less on hand than reserved. */
  readonly isShortage: boolean;
  readonly kind: (typeof crossingKinds)[number] | null;
  /** The position of the note in the text file; 0 for none. */
  readonly note: number;
}

/** Figures in ascending order of their pets, as numbers: an object for each would be copied by the garbage collector. */
export interface FigureBlock {
  readonly numbers: Readonly<Float64Array>;
  /** The number of figures. */
  readonly count: number;
}

/** One pass over sorted figures. */
export interface Pass {
  /** The figures to evaluate. The figures of one pet may continue in the next block. A block is valid until the second one after it is read. */
  readonly blocks: () => Generator<FigureBlock, void>;
  /** Evaluates the next block; `stock` must contain all of its pets that exist. */
  readonly evaluate: (due: FigureBlock, stock: StockOfPets) => void;
  /** Emits the rows that are not emitted yet. */
  readonly end: () => void;
}

function petAt({ numbers }: FigureBlock, index: number): number {
  return numbers[index * figureWidth + figureColumns.petId] ?? 0;
}

/** The range of pet ids in a block, and whether it is dense enough to read as one range. */
export function petRange(block: FigureBlock): { readonly low: number; readonly high: number; readonly dense: boolean } {
  const [low, high] = [petAt(block, 0), petAt(block, block.count - 1)];
  return { low, high, dense: high - low < block.count * denseSpread };
}

/** The ids of the pets in a block. */
export function petIdsIn(block: FigureBlock): readonly number[] {
  return [...new Set(Array.from({ length: block.count }, (_, index) => petAt(block, index)))];
}

/** Emits rows and marks the last movement of each pet. The rows of a pet are consecutive. */
function lastRowMarker(emit: (row: StagedRow) => void): { readonly add: (row: StagedRow) => void; readonly flush: () => void } {
  let movement: StagedRow | undefined;
  let crossing: StagedRow | undefined;
  const flush = (): void => {
    if (movement) emit(movement);
    if (crossing) emit(crossing);
    movement = crossing = undefined;
  };
  return {
    add: (row) => {
      if (row.kind !== null) {
        crossing = row;
        return;
      }
      if (movement?.petId === row.petId) movement.isLast = false;
      flush();
      movement = row;
    },
    flush,
  };
}

/** Whether a figure is to be evaluated: of the wanted pets, not applied earlier, and only the first of a pet's refused rows. */
function dueFilter({ skip }: BulkStockChange, tally: Tally, wanted: ReadonlySet<number> | undefined): (numbers: Readonly<Float64Array>, at: number) => boolean {
  let lastPet = 0;
  return (numbers, at) => {
    const petId = numbers[at + figureColumns.petId] ?? 0;
    const isRefused = numbers[at + figureColumns.value] === absentFigure;
    const repeats = petId === lastPet;
    lastPet = petId;
    if ((isRefused && repeats) || wanted?.has(petId) === false) return false;
    if (!skip(numbers[at + figureColumns.rowIndex] ?? 0)) return true;
    if (!isRefused) tally.alreadyApplied += 1;
    return false;
  };
}

/** Whether the last figure of a block is the second one of its pet, and not after a refused row. */
function endsWithSecond({ numbers, count }: FigureBlock): boolean {
  const last = (count - 1) * figureWidth;
  const before = last - figureWidth;
  return count > 1 && numbers[before + figureColumns.petId] === numbers[last + figureColumns.petId] && numbers[before + figureColumns.value] !== absentFigure;
}

/**
 * The figures to evaluate. The first two figures of a pet are in one block, because the errors of two counts of one pet name
 * each other's line: so the last figure of a block is held for the next one.
 */
function* dueBlocks(change: BulkStockChange, tally: Tally, wanted: ReadonlySet<number> | undefined, figuresTogether: number): Generator<FigureBlock, void> {
  const next = change.figures.pass();
  const isDue = dueFilter(change, tally, wanted);
  let [numbers, other] = [new Float64Array((figuresTogether + 1) * figureWidth), new Float64Array((figuresTogether + 1) * figureWidth)];
  let filled = 0;
  for (let row = next(); row !== undefined; row = next()) {
    if (!isDue(row.numbers, row.at)) continue;
    for (let field = 0; field < figureWidth; field += 1) numbers[filled + field] = row.numbers[row.at + field] ?? 0;
    filled += figureWidth;
    if (filled < numbers.length) continue;
    change.signal?.throwIfAborted();
    const full = { numbers, count: figuresTogether + 1 };
    const held = endsWithSecond(full) ? 0 : 1;
    yield { numbers, count: full.count - held };
    if (held === 1) other.set(numbers.subarray(filled - figureWidth, filled));
    filled = held * figureWidth;
    [numbers, other] = [other, numbers];
  }
  if (filled > 0) yield { numbers, count: filled / figureWidth };
}

interface Stage {
  readonly change: BulkStockChange;
  readonly tally: Tally;
  readonly add: (row: StagedRow) => void;
}

/** Evaluates one figure and stages the change; `current.quantity` is updated. */
function stageFigure({ change, tally, add }: Stage, figure: Figure, value: number, current: CurrentStock | undefined, twin: number | undefined): void {
  const { kind, policy, refused, onMove } = change;
  const { petId, expected, origin, rowIndex, note } = figure;
  if (twin !== undefined) return refused.addProvisional({ rowIndex, error: duplicateRow(petId, origin, twin) });
  const after = quantityAfter(kind, { petId, value, expected }, current, policy);
  if (typeof after === 'object') return refused.addProvisional({ rowIndex, error: { line: origin, petId, ...after } });
  if (current === undefined) return;
  const before = current.quantity;
  onMove?.(rowIndex, before, after);
  if (after === before) return;
  if (tally.changes.length < shownChanges) tally.changes.push({ petId, before, after });
  const wasLow = isLow(current);
  current.quantity = after;
  add({ petId, before, after, origin, isLast: true, isShortage: available(current) < 0, kind: null, note });
  if (isLow(current) === wasLow) return;
  add({ petId, before: null, after: null, origin, isLast: false, isShortage: false, kind: wasLow ? 'inventory.restocked' : 'inventory.low', note });
}

/** Looks up the stock of pets whose ids are asked for in ascending order. */
function stockInOrder({ petIds, quantities, reserved, levels }: StockOfPets): (petId: number) => CurrentStock | undefined {
  let index = 0;
  return (petId) => {
    while (index < petIds.length && (petIds[index] ?? 0) < petId) index += 1;
    if (petIds[index] !== petId) return undefined;
    return { quantity: quantities[index] ?? 0, reserved: reserved.get(petId) ?? 0, lowAt: levels.get(petId) ?? null };
  };
}

/** The pet being evaluated; its figures may continue in the next block. */
interface CurrentPet {
  readonly petId: number;
  readonly current: CurrentStock | undefined;
  /** The origin (line) of its first figure. */
  first: number | undefined;
}

/** The origin of the figure at `index`, if it is of this pet. */
function originOf(petId: number, { numbers, count }: FigureBlock, index: number): number | undefined {
  const at = index * figureWidth;
  return index < count && numbers[at + figureColumns.petId] === petId ? numbers[at + figureColumns.origin] : undefined;
}

/** A pass that evaluates sorted figures, optionally only of the wanted pets, and emits the rows to stage. */
export function stockPass(
  change: BulkStockChange,
  tally: Tally,
  wanted: ReadonlySet<number> | undefined,
  figuresTogether: number,
  emit: (row: StagedRow) => void,
): Pass {
  const { add, flush } = lastRowMarker(emit);
  const stage: Stage = { change, tally, add };
  let pet: CurrentPet = { petId: 0, current: undefined, first: undefined };
  return {
    blocks: () => dueBlocks(change, tally, wanted, figuresTogether),
    evaluate: (due, stock) => {
      const stockOf = stockInOrder(stock);
      for (let index = 0; index < due.count; index += 1) {
        const figure = figureAt(due.numbers, index * figureWidth);
        const { petId, value, origin, rowIndex } = figure;
        if (petId !== pet.petId) {
          pet = { petId, current: stockOf(petId), first: undefined };
          if (pet.current) tally.petsNotNamed -= 1;
        }
        if (value === undefined) continue;
        tally.due += 1;
        // This pet changed after staging, so its earlier refusal no longer counts.
        if (wanted !== undefined) change.refused.clearProvisional(rowIndex);
        const twin = change.kind === 'count' ? (pet.first ?? originOf(petId, due, index + 1)) : undefined;
        pet.first ??= origin;
        stageFigure(stage, figure, value, pet.current, twin);
      }
    },
    end: flush,
  };
}
