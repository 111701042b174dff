import type { LedgerKind } from '../domain/ledger.js';
import { available, isLow } from '../domain/stock.js';
import { duplicateRow, quantityAfter } from '../domain/stock-imports.js';
import type { Moves, Outcome } from './engine.js';
import type { Figure } from './runs.js';

/** Where a chunk's pets lie at most so far apart, all stock between them is read in one sweep. */
const denseSpread = 4;
const shownChanges = 20;

/** The stock of a pet as the moves find it; `quantity` follows them. */
export interface Current {
  quantity: number;
  readonly promised: number;
  readonly lowAt: number | null;
}

/** What one pass over the figures counts; the rest is counted from what was staged. */
export interface Tally {
  /** Figures that an earlier run has not applied. */
  due: number;
  /** Live pets that are not named. */
  others: number;
  readonly changes: Outcome['changes'][number][];
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
  /** The figures to work out, in chunks that hold all figures of each of their pets. */
  readonly chunks: () => Generator<readonly Figure[], void>;
  /** Works out a chunk from the stock of its pets, which has to be complete. */
  readonly workOut: (due: readonly Figure[], stock: ReadonlyMap<number, Current>) => void;
  /** Emits what was held back; answers the pets that only rows refused for their own fault name. */
  readonly end: () => ReadonlySet<number>;
}

/** Whether the stock of a chunk's pets is better read from the lowest to the highest than one by one; and who they are. */
export function petsOf(chunk: readonly Figure[]): { readonly low: number; readonly high: number; readonly dense: boolean } {
  const low = chunk[0]?.petId ?? 0;
  const high = chunk.at(-1)?.petId ?? 0;
  return { low, high, dense: high - low < chunk.length * denseSpread };
}

/** Passes rows on; of the rows of a pet, which come in a row, the last move is marked. */
function marker(emit: (row: StagedRow) => void): { readonly add: (row: StagedRow) => void; readonly flush: () => void } {
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

/** The same chunks cut so that all figures of a pet are in one. */
function* wholePets(chunks: Iterable<readonly Figure[]>): Generator<readonly Figure[], void> {
  // The figures of the last pet so far, of which the next chunk may hold more: looked at once, however many there are.
  let carried: Figure[] = [];
  for (const chunk of chunks) {
    const lastPet = chunk.at(-1)?.petId;
    let end = chunk.length;
    while (end > 0 && chunk[end - 1]?.petId === lastPet) end -= 1;
    if (end > 0 || carried[0]?.petId !== lastPet) {
      const whole = [...carried, ...chunk.slice(0, end)];
      if (whole.length > 0) yield whole;
      carried = [];
    }
    for (let index = end; index < chunk.length; index += 1) {
      const figure = chunk[index];
      if (figure) carried.push(figure);
    }
  }
  if (carried.length > 0) yield carried;
}

/** The line of the first other counted quantity for the same pet; `start` is where the figures of the pet begin. */
function twinOf(figures: readonly Figure[], start: number, index: number): number | undefined {
  const other = figures[index === start ? index + 1 : start];
  return other?.petId === figures[index]?.petId ? other?.origin : undefined;
}

interface Stage {
  readonly moves: Moves;
  readonly tally: Tally;
  readonly add: (row: StagedRow) => void;
}

/** Works out one figure and stages what it changes; `current` then holds the new quantity. */
function stageFigure({ moves, tally, add }: Stage, figure: Figure, current: Current | undefined, twin: number | undefined): void {
  const { kind, policy, refused, notes, onMove } = moves;
  const { petId, origin, place } = figure;
  if (twin !== undefined) return refused.addForNow(petId, { place, error: duplicateRow(petId, origin, twin) });
  const after = quantityAfter(kind, figure, current, policy);
  if (typeof after === 'object') return refused.addForNow(petId, { place, error: { line: origin, petId, ...after } });
  if (current === undefined) return;
  onMove?.(place, current.quantity, after);
  if (after === current.quantity) return;
  if (tally.changes.length < shownChanges) tally.changes.push({ petId, before: current.quantity, after });
  const next = { ...current, quantity: after };
  const note = notes.get(place) ?? null;
  add([petId, current.quantity, after, origin, 1, available(next) < 0 ? 1 : null, null, note]);
  if (isLow(current) !== isLow(next)) add([petId, null, null, origin, 0, null, isLow(next) ? 'inventory.low' : 'inventory.restocked', note]);
  current.quantity = after;
}

/** Works out the sorted figures, of the wanted pets only where any are named, one after the other; what they change is emitted. */
export function passOver(moves: Moves, tally: Tally, wanted: ReadonlySet<number> | undefined, rowsTogether: number, emit: (row: StagedRow) => void): Pass {
  const { add, flush } = marker(emit);
  const stage: Stage = { moves, tally, add };
  const named = new Set(moves.named);
  return {
    chunks: function* chunks() {
      for (const chunk of wholePets(moves.figures.chunks(rowsTogether))) {
        const due = chunk.filter(({ petId, place }) => (wanted === undefined || wanted.has(petId)) && !moves.skip(place));
        if (due.length > 0) yield due;
      }
    },
    workOut: (due, stock) => {
      tally.due += due.length;
      let start = 0;
      for (const [index, figure] of due.entries()) {
        const { petId } = figure;
        const current = stock.get(petId);
        if (petId !== due[start]?.petId) start = index;
        if (current && start === index) tally.others -= 1;
        if (named.size > 0) named.delete(petId);
        stageFigure(stage, figure, current, moves.kind === 'count' ? twinOf(due, start, index) : undefined);
      }
    },
    end: () => {
      flush();
      return named;
    },
  };
}
