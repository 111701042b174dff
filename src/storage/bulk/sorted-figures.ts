import { rowsPerRun, sortedRows } from './external-sort.js';

/** The figure of one row: a counted quantity or a change for one pet. */
export interface Figure {
  readonly petId: number;
  /** A counted quantity or a change, depending on the file; undefined for a row that was refused but still names its pet. */
  readonly value: number | undefined;
  /** The expected quantity on hand, if the row gives one. */
  readonly expected: number | undefined;
  /** The line of the file, or the id of the ledger entry, that the figure comes from. */
  readonly origin: number;
  /** The index of the row in the file, from 0; rows of a JSON file can share a line. */
  readonly rowIndex: number;
  /** The position of the note in the text file; 0 for none. */
  readonly note: number;
}

/** Figures sorted by pet, then by insertion order, in constant memory. */
export interface SortedFigures {
  readonly add: (petId: number, value: number | undefined, expected: number | undefined, origin: number, rowIndex: number, note?: number) => void;
  readonly size: () => number;
  /** All figures in chunks. Each call starts a new pass. */
  readonly chunks: (rows: number) => Generator<readonly Figure[], void>;
  readonly close: () => void;
}

// A marker for undefined: values and expected quantities lie between −2^31 and 2^31.
const none = -(2 ** 40);
const width = 6;

function figureOf(numbers: Readonly<Float64Array>, at: number): Figure {
  const value = numbers[at + 1] ?? none;
  const expected = numbers[at + 2] ?? none;
  return {
    petId: numbers[at] ?? 0,
    value: value === none ? undefined : value,
    expected: expected === none ? undefined : expected,
    origin: numbers[at + 3] ?? 0,
    rowIndex: numbers[at + 4] ?? 0,
    note: numbers[at + 5] ?? 0,
  };
}

/** Collects figures and sorts them by pet. */
export function sortedFigures(rowsInMemory = rowsPerRun): SortedFigures {
  const { add, size, chunks, close } = sortedRows(width, rowsInMemory);
  const row = new Float64Array(width);
  return {
    add: (petId, value, expected, origin, rowIndex, note = 0) => {
      row[0] = petId;
      row[1] = value ?? none;
      row[2] = expected ?? none;
      row[3] = origin;
      row[4] = rowIndex;
      row[5] = note;
      add(row);
    },
    size,
    chunks: (rows) => chunks(rows, figureOf),
    close,
  };
}
