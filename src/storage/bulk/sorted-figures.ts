import { rowsPerRun, sortedRows } from './external-sort.js';

/** A figure for one pet, as it stands in a file or in the ledger. */
export interface Figure {
  readonly petId: number;
  /** A counted quantity or a change, as the whole file has it; undefined where the row was refused for its own fault and only names its pet. */
  readonly value: number | undefined;
  /** The quantity the row expects to find, or undefined. */
  readonly expected: number | undefined;
  /** The line of the file, or the ledger row, that gave it. */
  readonly origin: number;
  /** Its row index among the rows of the file, from 0; rows of a JSON file can share a line. */
  readonly rowIndex: number;
  /** Where the note of the row is kept; 0 for none. */
  readonly note: number;
}

/** Figures sorted by pet, then as they came, with the same memory for a thousand and for many millions. */
export interface SortedFigures {
  readonly add: (petId: number, value: number | undefined, expected: number | undefined, origin: number, rowIndex: number, note?: number) => void;
  readonly size: () => number;
  /** All figures in chunks; may be called again for another pass. */
  readonly chunks: (rows: number) => Generator<readonly Figure[], void>;
  readonly close: () => void;
}

// Values and expected quantities lie between −2^31 and 2^31.
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

/** Collects figures and sorts them by their pets. */
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
