import type { LedgerKind } from '../../domain/ledger/ledger-entry.js';
import { available, isLow } from '../../domain/inventory/stock.js';
import { duplicateRow, quantityAfter } from '../../domain/imports/stock-figure.js';
import { maximumQuantity } from '../../domain/values/numbers.js';
import type { BulkOutcome, BulkStockChange } from './bulk-port.js';
import { dueBlocks, nextOrigin, petAfter, type FigureBlock } from './figure-blocks.js';
import { absentFigure, figureAt, figureColumns, type Figure } from './sorted-figures.js';

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

/** What a movement of a pet is checked against, of pets that have a low-stock level or reserved units. */
export interface StockLimits {
  readonly petId: number;
  readonly lowAt: number | null;
  readonly reserved: number;
}

/** The limits as `StockOfPets` has them. */
export function limitsOf(rows: readonly StockLimits[]): Pick<StockOfPets, 'reserved' | 'levels'> {
  const [reserved, levels] = [new Map<number, number>(), new Map<number, number>()];
  for (const row of rows) {
    if (row.reserved > 0) reserved.set(row.petId, row.reserved);
    if (row.lowAt !== null) levels.set(row.petId, row.lowAt);
  }
  return { reserved, levels };
}

/** What a pass adds up that cannot be computed from the staged rows. */
export interface PassTotals {
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

/** The only movement of a pet, without shortage and crossing. */
export function movementRow(petId: number, before: number, after: number, origin: number, note: number): StagedRow {
  return { petId, before, after, origin, isLast: true, isShortage: false, kind: null, note };
}

/** One pass over sorted figures. */
export interface Pass {
  /** The figures to evaluate. The figures of one pet may continue in the next block. A block is valid until the second one after it is asked for. */
  readonly blocks: () => Generator<FigureBlock, void>;
  /** Evaluates the next block; `stock` must contain all of its pets that exist. */
  readonly evaluate: (due: FigureBlock, stock: StockOfPets) => void;
  /** Emits the rows that are not emitted yet. */
  readonly end: () => void;
}

/** Where a pass stages rows. */
export interface StagedRowTarget {
  readonly add: (row: StagedRow) => void;
  /** Adds the only movement of a pet, without shortage and crossing. */
  readonly addMovement: (petId: number, before: number, after: number, origin: number, note: number) => void;
}

/** Emits rows and marks the last movement of each pet. The rows of a pet are consecutive. */
function lastRowMarker(emit: StagedRowTarget['add']): { readonly add: (row: StagedRow) => void; readonly flush: () => void } {
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

interface Stage {
  readonly change: BulkStockChange;
  readonly totals: PassTotals;
  readonly add: (row: StagedRow) => void;
}

/** Evaluates one figure and stages the change; `current.quantity` is updated. `otherOrigin` is the line of another count of the same pet. */
function stageFigure({ change, totals, add }: Stage, figure: Figure, value: number, current: CurrentStock | undefined, otherOrigin: number | undefined): void {
  const { kind, policy, refused, onChange } = change;
  const { petId, expected, origin, rowIndex, note } = figure;
  if (otherOrigin !== undefined) return refused.addProvisional({ rowIndex, error: duplicateRow(petId, origin, otherOrigin) });
  const after = quantityAfter(kind, { petId, value, expected }, current, policy);
  if (typeof after === 'object') return refused.addProvisional({ rowIndex, error: { line: origin, petId, ...after } });
  if (current === undefined) return;
  const before = current.quantity;
  onChange?.(rowIndex, before, after);
  if (after === before) return;
  if (totals.changes.length < shownChanges) totals.changes.push({ petId, before, after });
  const wasLow = isLow(current);
  current.quantity = after;
  add({ petId, before, after, origin, isLast: true, isShortage: available(current) < 0, kind: null, note });
  if (isLow(current) === wasLow) return;
  add({ petId, before: null, after: null, origin, isLast: false, isShortage: false, kind: wasLow ? 'inventory.restocked' : 'inventory.low', note });
}

/** The stock of some pets, read in ascending order of their ids. */
interface StockReading extends StockOfPets {
  /** The index of the first pet that was not asked for yet. */
  index: number;
}

function stockOf(stock: StockReading, petId: number): CurrentStock | undefined {
  const { petIds, quantities, reserved, levels } = stock;
  while (stock.index < petIds.length && (petIds[stock.index] ?? 0) < petId) stock.index += 1;
  if (petIds[stock.index] !== petId) return undefined;
  return { quantity: quantities[stock.index] ?? 0, reserved: reserved.get(petId) ?? 0, lowAt: levels.get(petId) ?? null };
}

/**
 * Stages the counts from the figure `from` on for which the rules have nothing to refuse or to add: the only figure of a pet that
 * exists, without an expected quantity, of a pet without reserved units and low-stock level. `quantityAfter` accepts those as they
 * are. Returns the index of the first other figure.
 */
function stagePlainCounts(due: FigureBlock, from: number, stock: StockReading, totals: PassTotals, target: StagedRowTarget): number {
  const { numbers, starts } = due;
  const { petIds, quantities, reserved, levels } = stock;
  const { value: valueColumn, expected, origin, note } = figureColumns;
  let stockIndex = stock.index;
  let index = from;
  for (; index < starts.length; index += 1) {
    const at = starts[index] ?? 0;
    const petId = numbers[at] ?? 0;
    while (stockIndex < petIds.length && (petIds[stockIndex] ?? 0) < petId) stockIndex += 1;
    const value = numbers[at + valueColumn] ?? 0;
    const isPlain = petIds[stockIndex] === petId && value >= 0 && value <= maximumQuantity && numbers[at + expected] === absentFigure;
    if (!isPlain || petAfter(due, index) === petId || reserved.has(petId) || levels.has(petId)) break;
    const before = quantities[stockIndex] ?? 0;
    if (before === value) continue;
    if (totals.changes.length < shownChanges) totals.changes.push({ petId, before, after: value });
    target.addMovement(petId, before, value, numbers[at + origin] ?? 0, numbers[at + note] ?? 0);
  }
  stock.index = stockIndex;
  totals.due += index - from;
  totals.petsNotNamed -= index - from;
  return index;
}

/** The pet being evaluated; its figures may continue in the next block. */
interface CurrentPet {
  readonly petId: number;
  readonly current: CurrentStock | undefined;
  /** The origin (line) of its first figure. */
  first: number | undefined;
}

/** What a pass evaluates, and where its results go. */
export interface PassOptions {
  readonly change: BulkStockChange;
  /** The pets to evaluate; undefined for all of the figures. */
  readonly wanted: ReadonlySet<number> | undefined;
  /** The number of figures in a block. */
  readonly figuresTogether: number;
  readonly totals: PassTotals;
  readonly target: StagedRowTarget;
}

/** A pass that evaluates sorted figures and stages the rows to write. */
export function stockPass({ change, wanted, figuresTogether, totals, target }: PassOptions): Pass {
  const { add, flush } = lastRowMarker(target.add);
  const stage: Stage = { change, totals, add };
  const hasPlainCounts = change.kind === 'count' && change.onChange === undefined && wanted === undefined;
  let pet: CurrentPet = { petId: 0, current: undefined, first: undefined };
  const evaluateFigure = (due: FigureBlock, index: number, stock: StockReading): void => {
    const figure = figureAt(due.numbers, due.starts[index] ?? 0);
    const { petId, value, origin, rowIndex } = figure;
    if (petId !== pet.petId) {
      pet = { petId, current: stockOf(stock, petId), first: undefined };
      if (pet.current) totals.petsNotNamed -= 1;
    }
    if (value === undefined) return;
    totals.due += 1;
    // This pet changed after staging, so its earlier refusal no longer counts.
    if (wanted !== undefined) change.refused.clearProvisional(rowIndex);
    const otherOrigin = change.kind === 'count' ? (pet.first ?? nextOrigin(due, index)) : undefined;
    pet.first ??= origin;
    stageFigure(stage, figure, value, pet.current, otherOrigin);
  };
  return {
    blocks: () => dueBlocks(change, totals, wanted, figuresTogether),
    evaluate: (due, { petIds, quantities, reserved, levels }) => {
      // Not by a spread: see `figureBlock`.
      const stock: StockReading = { petIds, quantities, reserved, levels, index: 0 };
      for (let index = 0; index < due.starts.length; index += 1) {
        // A further figure of the same pet needs the rules.
        if (hasPlainCounts && due.numbers[due.starts[index] ?? 0] !== pet.petId) {
          flush();
          index = stagePlainCounts(due, index, stock, totals, target);
        }
        if (index < due.starts.length) evaluateFigure(due, index, stock);
      }
    },
    end: flush,
  };
}
