import type { LedgerKind } from '../../domain/ledger/ledger-entry.js';
import { available, isLow } from '../../domain/inventory/stock.js';
import { duplicateRow, quantityAfter, type MoveFigure } from '../../domain/imports/stock-move.js';
import type { BulkStockChange, BulkOutcome } from '../engine.js';
import type { Figure } from './sorted-figures.js';

/** Where a chunk's pets lie at most so far apart, all stock between them is read in one sweep. */
const denseSpread = 4;
const shownChanges = 20;

/** The stock of a pet as the moves find it; `quantity` follows them. */
export interface CurrentStock {
  quantity: number;
  readonly reserved: number;
  readonly lowAt: number | null;
}

/** What one pass over the figures counts; the rest is counted from what was staged. */
export interface Tally {
  /** Figures that an earlier run has not applied. */
  due: number;
  /** Figures that were passed over because an earlier run applied them. */
  alreadyApplied: number;
  /** Live pets that are not named. */
  petsNotNamed: number;
  readonly changes: BulkOutcome['changes'][number][];
}

/** A move, or the crossing of the low level that follows from it, which has no figures but a kind of its own. */
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

/** The columns of a staged row, in its order. */
export const stagedColumns = ['pet_id', 'before', 'after', 'origin', 'last', 'shortage', 'kind', 'note'] as const;

/** One pass over sorted figures. */
export interface Pass {
  /** The figures to work out; those of one pet may reach from one chunk into the next. */
  readonly chunks: () => Generator<readonly Figure[], void>;
  /** Works out the next chunk from the stock of its pets, which has to be complete. */
  readonly evaluate: (due: readonly Figure[], stock: ReadonlyMap<number, CurrentStock>) => void;
  /** Emits what was held back. */
  readonly end: () => void;
}

/** Whether the stock of a chunk's pets is better read from the lowest to the highest than one by one; and who they are. */
export function petRange(chunk: readonly Figure[]): { readonly low: number; readonly high: number; readonly dense: boolean } {
  const low = chunk[0]?.petId ?? 0;
  const high = chunk.at(-1)?.petId ?? 0;
  return { low, high, dense: high - low < chunk.length * denseSpread };
}

/** Passes rows on; of the rows of a pet, which come in a row, the last move is marked. */
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

/** The figures that count: of the wanted pets, not applied by an earlier run, and of rows that only name a pet the first of each pet. */
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

/** The same figures cut so that the first two of a pet are in one chunk: two counts of a pet name each other. */
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
  readonly moves: BulkStockChange;
  readonly tally: Tally;
  readonly add: (row: StagedRow) => void;
}

/** Works out one figure and stages what it changes; `current` then holds the new quantity. */
function stageFigure({ moves, tally, add }: Stage, figure: Figure & MoveFigure, current: CurrentStock | undefined, twin: number | undefined): void {
  const { kind, policy, refused, notes, onMove } = moves;
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

/** The pet whose figures are worked out; they may go on in the next chunk. */
interface CurrentPet {
  readonly petId: number;
  readonly current: CurrentStock | undefined;
  /** The origin of its first figure. */
  first: number | undefined;
}

/** The origin of the first other counted quantity for the same pet. */
function otherCountOf({ petId, first }: CurrentPet, next: Figure | undefined): number | undefined {
  return first ?? (next?.petId === petId ? next.origin : undefined);
}

/** Works out the sorted figures, of the wanted pets only where any are named, one after the other; what they change is emitted. */
export function stockPass(
  moves: BulkStockChange,
  tally: Tally,
  wanted: ReadonlySet<number> | undefined,
  rowsTogether: number,
  emit: (row: StagedRow) => void,
): Pass {
  const { add, flush } = lastRowMarker(emit);
  const stage: Stage = { moves, tally, add };
  let pet: CurrentPet = { petId: 0, current: undefined, first: undefined };
  return {
    chunks: () => firstTwoTogether(dueFigures(moves, tally, wanted, rowsTogether)),
    evaluate: (due, stock) => {
      for (const [index, figure] of due.entries()) {
        const { petId, value, origin, rowIndex } = figure;
        if (petId !== pet.petId) {
          pet = { petId, current: stock.get(petId), first: undefined };
          if (pet.current) tally.petsNotNamed -= 1;
        }
        if (value === undefined) continue;
        tally.due += 1;
        // A pet that changed meanwhile is worked out once more.
        if (wanted !== undefined) moves.refused.clearProvisional(rowIndex);
        const twin = moves.kind === 'count' ? otherCountOf(pet, due[index + 1]) : undefined;
        pet.first ??= origin;
        stageFigure(stage, { ...figure, value }, pet.current, twin);
      }
    },
    end: flush,
  };
}
