import { meaningOf } from '../domain/errors.js';
import { keptErrors, type RefusedRow, type RowError } from '../domain/imports.js';
import { placeSet, type PlaceSet } from './place-set.js';

/** The rows an import refuses: all of their places, and what is wrong with the first ones, or with all where somebody asks. */
export interface RefusedRows {
  /** Refuses a row for what stands in it. */
  readonly add: (row: RefusedRow) => void;
  /** Refuses a row for what the shop holds; `reconsider` takes it back. */
  readonly addForNow: (petId: number, row: RefusedRow) => void;
  /** Takes back what was refused for the state of these pets, or of all. */
  readonly reconsider: (pets?: ReadonlySet<number>) => void;
  readonly count: () => number;
  /** How many are refused for the state of the shop. */
  readonly countForNow: () => number;
  readonly places: () => PlaceSet;
  /** The first errors in the order of the file. */
  readonly first: () => readonly RowError[];
  /** What is wrong with the row at a place, as far as it was kept. */
  readonly at: (place: number) => RowError | undefined;
  /** Whether every row is refused for a conflict with the shop, none for its own fault. */
  readonly conflictsOnly: () => boolean;
}

const slack = 4 * keptErrors;
const conflict = meaningOf('stock_changed').exitCode;

/** Collects refused rows; without `keepAll` only the first errors are kept, and the rest are counted. */
export function refusedRows(keepAll: boolean): RefusedRows {
  const places = placeSet();
  const faults = placeSet();
  let errors = new Map<number, RowError>();
  let forNow: { readonly petId: number; readonly place: number }[] = [];
  const inOrder = (): readonly (readonly [number, RowError])[] => [...errors].toSorted(([left], [right]) => left - right).slice(0, keptErrors);
  const add = ({ place, error }: RefusedRow): void => {
    errors.set(place, error);
    places.add(place);
    if (meaningOf(error.code).exitCode !== conflict) faults.add(place);
    if (!keepAll && errors.size > slack) errors = new Map(inOrder());
  };
  return {
    add,
    addForNow: (petId, row) => {
      add(row);
      forNow.push({ petId, place: row.place });
    },
    reconsider: (pets) => {
      for (const { petId, place } of forNow) {
        if (pets?.has(petId) === false) continue;
        places.remove(place);
        faults.remove(place);
        errors.delete(place);
      }
      forNow = forNow.filter(({ petId }) => pets?.has(petId) === false);
    },
    count: places.size,
    countForNow: () => forNow.length,
    places: () => places,
    first: () => inOrder().map(([, error]) => error),
    at: (place) => errors.get(place),
    conflictsOnly: () => faults.size() === 0,
  };
}
