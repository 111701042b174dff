import type { LedgerKind } from '../../domain/ledger/ledger-entry.js';
import { available, isLow } from '../../domain/inventory/stock.js';
import { duplicateRow, quantityAfter, type MoveFigure } from '../../domain/imports/stock-move.js';
import type { BulkStockChange, BulkOutcome } from '../engine.js';
import type { Figure } from './sorted-figures.js';

/** A chunk is dense, and its stock is read as one id range, when the range is less than this many times its length. */
const denseSpread = 4;
const shownChanges = 100;

/** The stock of a pet while its figures are evaluated; `quantity` is updated after each. */
export interface CurrentStock {
  quantity: number;
  readonly reserved: number;
  readonly lowAt: number | null;
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

/** A row to write to the ledger: a movement, or the low-level crossing it causes, which has a kind but no quantities. */
export type StagedRow = [
  petId: number,
  before: number | null,
  after: number | null,
  origin: number,
  last: 0 | 1,
  shortage: 1 | null,
  kind: LedgerKind | null,
  note: string | null,
];

/** The columns of a staged row, in the order of its values. */
export const stagedColumns = ['pet_id', 'before', 'after', 'origin', 'last', 'shortage', 'kind', 'note'] as const;

/** One pass over sorted figures. */
export interface Pass {
  /** The figures to evaluate. The figures of one pet may continue in the next chunk. */
  readonly chunks: () => Generator<readonly Figure[], void>;
  /** Evaluates the next chunk; `stock` must contain all of its pets that exist. */
  readonly evaluate: (due: readonly Figure[], stock: ReadonlyMap<number, CurrentStock>) => void;
  /** Emits the rows that are not emitted yet. */
  readonly end: () => void;
}

/** The range of pet ids in a chunk, and whether it is dense enough to read as one range. */
export function petRange(chunk: readonly Figure[]): { readonly low: number; readonly high: number; readonly dense: boolean } {
  const low = chunk[0]?.petId ?? 0;
  const high = chunk.at(-1)?.petId ?? 0;
  return { low, high, dense: high - low < chunk.length * denseSpread };
}

/** Emits rows and marks the last movement of each pet. The rows of a pet are consecutive. */
function lastRowMarker(emit: (row: StagedRow) => void): { readonly add: (row: StagedRow) => void; readonly flush: () => void } {
  let held: StagedRow[] = [];
  return {
    add: (row) => {
      if (row[6] !== null) {
        held.push(row);
        return;
      }
      for (const one of held) {
        if (one[0] === row[0]) one[4] = 0;
        emit(one);
      }
      held = [row];
    },
    flush: () => {
      for (const one of held) emit(one);
      held = [];
    },
  };
}

/** The figures to evaluate: of the wanted pets, not applied earlier, and only the first of a pet's refused rows. */
function* dueFigures(
  { figures, skip, signal }: BulkStockChange,
  tally: Tally,
  wanted: ReadonlySet<number> | undefined,
  rowsTogether: number,
): Generator<readonly Figure[], void> {
  let lastPet = 0;
  const isDue = ({ petId, value, rowIndex }: Figure): boolean => {
    const repeats = petId === lastPet;
    lastPet = petId;
    if ((value === undefined && repeats) || wanted?.has(petId) === false) return false;
    if (!skip(rowIndex)) return true;
    if (value !== undefined) tally.alreadyApplied += 1;
    return false;
  };
  for (const chunk of figures.chunks(rowsTogether)) {
    signal?.throwIfAborted();
    const due = chunk.filter(isDue);
    if (due.length > 0) yield due;
  }
}

/** Regroups chunks to have the first two figures of a pet in one chunk, because the errors of two counts of one pet name each other's line. */
function* firstTwoTogether(chunks: Iterable<readonly Figure[]>): Generator<readonly Figure[], void> {
  let held: Figure | undefined;
  for (const chunk of chunks) {
    const figures = held ? [held, ...chunk] : chunk;
    const [before, last] = [figures.at(-2), figures.at(-1)];
    const isSecond = before?.petId === last?.petId && before?.value !== undefined;
    held = isSecond ? undefined : last;
    const ready = held ? figures.slice(0, -1) : figures;
    if (ready.length > 0) yield ready;
  }
  if (held) yield [held];
}

interface Stage {
  readonly change: BulkStockChange;
  readonly tally: Tally;
  readonly add: (row: StagedRow) => void;
}

/** Evaluates one figure and stages the change; `current.quantity` is updated. */
function stageFigure({ change, tally, add }: Stage, figure: Figure & MoveFigure, current: CurrentStock | undefined, twin: number | undefined): void {
  const { kind, policy, refused, notes, onMove } = change;
  const { petId, origin, rowIndex, note: noteAt } = figure;
  if (twin !== undefined) return refused.addProvisional({ rowIndex, error: duplicateRow(petId, origin, twin) });
  const after = quantityAfter(kind, figure, current, policy);
  if (typeof after === 'object') return refused.addProvisional({ rowIndex, error: { line: origin, petId, ...after } });
  if (current === undefined) return;
  onMove?.(rowIndex, current.quantity, after);
  if (after === current.quantity) return;
  if (tally.changes.length < shownChanges) tally.changes.push({ petId, before: current.quantity, after });
  const next = { ...current, quantity: after };
  const note = noteAt === 0 ? null : notes.at(noteAt);
  add([petId, current.quantity, after, origin, 1, available(next) < 0 ? 1 : null, null, note]);
  if (isLow(current) !== isLow(next)) add([petId, null, null, origin, 0, null, isLow(next) ? 'inventory.low' : 'inventory.restocked', note]);
  current.quantity = after;
}

/** The pet being evaluated; its figures may continue in the next chunk. */
interface CurrentPet {
  readonly petId: number;
  readonly current: CurrentStock | undefined;
  /** The origin (line) of its first figure. */
  first: number | undefined;
}

/** The origin of another count for the same pet, if there is one. */
function otherCountOf({ petId, first }: CurrentPet, next: Figure | undefined): number | undefined {
  return first ?? (next?.petId === petId ? next.origin : undefined);
}

/** A pass that evaluates sorted figures, optionally only of the wanted pets, and emits the rows to stage. */
export function stockPass(
  change: BulkStockChange,
  tally: Tally,
  wanted: ReadonlySet<number> | undefined,
  rowsTogether: number,
  emit: (row: StagedRow) => void,
): Pass {
  const { add, flush } = lastRowMarker(emit);
  const stage: Stage = { change, tally, add };
  let pet: CurrentPet = { petId: 0, current: undefined, first: undefined };
  return {
    chunks: () => firstTwoTogether(dueFigures(change, tally, wanted, rowsTogether)),
    evaluate: (due, stock) => {
      for (const [index, figure] of due.entries()) {
        const { petId, value, origin, rowIndex } = figure;
        if (petId !== pet.petId) {
          pet = { petId, current: stock.get(petId), first: undefined };
          if (pet.current) tally.petsNotNamed -= 1;
        }
        if (value === undefined) continue;
        tally.due += 1;
        // This pet changed after staging, so its earlier refusal no longer counts.
        if (wanted !== undefined) change.refused.clearProvisional(rowIndex);
        const twin = change.kind === 'count' ? otherCountOf(pet, due[index + 1]) : undefined;
        pet.first ??= origin;
        stageFigure(stage, { ...figure, value }, pet.current, twin);
      }
    },
    end: flush,
  };
}
