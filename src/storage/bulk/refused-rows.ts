import { meaningOf } from '../../domain/errors.js';
import { keptErrors, type RefusedRow, type RowError } from '../../domain/imports/row-error.js';
import { sortedRows } from './external-sort.js';
import { placeSet, type PlaceSet } from './row-set.js';
import { lookUpInOrder } from './row-changes.js';
import { textFile } from './text-file.js';

/** The rows an import refuses: all of their places, and what is wrong with the first ones, or with all where somebody asks. */
export interface RefusedRows {
  /** Refuses a row for what stands in it. */
  readonly add: (row: RefusedRow) => void;
  /** Refuses a row for what the shop holds; `reconsider` takes it back. */
  readonly addForNow: (row: RefusedRow) => void;
  /** Takes back that the row at a place, or every row, was refused for the state of the shop. */
  readonly reconsider: (place?: number) => void;
  readonly count: () => number;
  /** How many are refused for the state of the shop. */
  readonly countForNow: () => number;
  readonly places: () => PlaceSet;
  /** The first errors in the order of the file. */
  readonly first: () => readonly RowError[];
  /** A look-up of what is wrong with the row at a place, to be asked in ascending order; knows all only where all are kept. */
  readonly inOrder: () => (place: number) => RowError | undefined;
  /** Whether every row is refused for a conflict with the shop, none for its own fault. */
  readonly conflictsOnly: () => boolean;
  readonly close: () => void;
}

const slack = 4 * keptErrors;
const conflict = meaningOf('stock_changed').exitCode;

/** All errors by their places, in temporary files beyond the first thousands. */
interface ErrorFile {
  readonly add: (place: number, text: string) => void;
  readonly inOrder: () => (place: number) => RowError | undefined;
  readonly close: () => void;
}

function errorFile(): ErrorFile {
  const texts = textFile();
  const rows = sortedRows(2, 1 << 14);
  const row = new Float64Array(2);
  return {
    add: (place, text) => {
      row[0] = place;
      row[1] = texts.add(text);
      rows.add(row);
    },
    inOrder: () => {
      const positionOf = lookUpInOrder(rows, (numbers, at) => numbers[at + 1] ?? 0);
      return (place) => {
        const position = positionOf(place);
        return position === undefined ? undefined : (JSON.parse(texts.at(position)) as RowError);
      };
    },
    close: () => {
      rows.close();
      texts.close();
    },
  };
}

/** Collects refused rows; without `keepAll` only the first errors are kept, and the rest are counted. */
export function refusedRows(keepAll: boolean): RefusedRows {
  const places = placeSet();
  const faults = placeSet();
  const forNow = placeSet();
  const all = keepAll ? errorFile() : undefined;
  // As JSON: a value of an error can be a piece of a block of the file, which would be kept with it.
  let errors = new Map<number, string>();
  const inOrder = (): readonly (readonly [number, string])[] => [...errors].toSorted(([left], [right]) => left - right).slice(0, keptErrors);
  const add = ({ place, error }: RefusedRow): void => {
    const text = JSON.stringify(error);
    errors.set(place, text);
    all?.add(place, text);
    places.add(place);
    if (meaningOf(error.code).exitCode !== conflict) faults.add(place);
    if (errors.size > slack) errors = new Map(inOrder());
  };
  const takeBack = (place: number): void => {
    if (!forNow.has(place)) return;
    for (const set of [forNow, places, faults]) set.remove(place);
    errors.delete(place);
  };
  return {
    add,
    addForNow: (row) => {
      add(row);
      forNow.add(row.place);
    },
    reconsider: (place) => {
      if (place === undefined) for (const one of forNow.all()) takeBack(one);
      else takeBack(place);
    },
    count: places.size,
    countForNow: forNow.size,
    places: () => places,
    first: () => inOrder().map(([, text]) => JSON.parse(text) as RowError),
    inOrder: () => {
      const errorOf = all?.inOrder();
      return (place) => {
        const error = errorOf?.(place);
        return places.has(place) ? error : undefined;
      };
    },
    conflictsOnly: () => faults.size() === 0,
    close: () => all?.close(),
  };
}
