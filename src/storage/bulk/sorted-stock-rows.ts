import { rowsPerRun, sortedRows, type SortedRows } from './external-sort.js';

/** A row of a stock file, or of an undo: a counted quantity or a change for one pet. */
export interface SortedStockRow {
  readonly petId: number;
  /** A counted quantity or a change, depending on the file; undefined for a row that was refused but still names its pet. */
  readonly value: number | undefined;
  /** The expected quantity on hand, if the row gives one. */
  readonly expected: number | undefined;
  /** The line of the file, or the id of the ledger entry, that the row comes from. */
  readonly lineOrEntry: number;
  /** The index of the row in the file, from 0; rows of a JSON file can share a line. */
  readonly rowIndex: number;
  /** The position of the note in the text file; 0 for none. */
  readonly note: number;
}

/** Rows sorted by pet, then by insertion order, in constant memory. `stockRowAt` reads one of a block. */
export interface SortedStockRows extends Pick<SortedRows, 'size' | 'blocks' | 'close'> {
  readonly add: (petId: number, value: number | undefined, expected: number | undefined, lineOrEntry: number, rowIndex: number, note?: number) => void;
}

/** The numbers of a row, in the order of `stockRowColumns`. */
export const stockRowWidth = 6;
/** The positions of the numbers of a row. */
export const stockRowColumns = { petId: 0, value: 1, expected: 2, lineOrEntry: 3, rowIndex: 4, note: 5 } as const satisfies Record<
  keyof SortedStockRow,
  number
>;
/** In place of a value or expected quantity that the row does not have: both lie between −2^31 and 2^31. */
export const absentNumber = -(2 ** 40);

/** An object that is used again for the next row. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const columns = stockRowColumns;

function presentOr(number: number | undefined): number | undefined {
  return number === absentNumber ? undefined : number;
}

/** Reads the row whose numbers start at `at` into an object, by default a new one. */
export function stockRowAt(numbers: Readonly<Float64Array>, at: number, into: Partial<Mutable<SortedStockRow>> = {}): SortedStockRow {
  into.petId = numbers[at + columns.petId] ?? 0;
  into.value = presentOr(numbers[at + columns.value]);
  into.expected = presentOr(numbers[at + columns.expected]);
  into.lineOrEntry = numbers[at + columns.lineOrEntry] ?? 0;
  into.rowIndex = numbers[at + columns.rowIndex] ?? 0;
  into.note = numbers[at + columns.note] ?? 0;
  return into as SortedStockRow;
}

/** Whether a row was not refused. */
export function hasValue(row: SortedStockRow): row is SortedStockRow & { readonly value: number } {
  return row.value !== undefined;
}

/** Collects rows and sorts them by pet. */
export function sortedStockRows(rowsInMemory = rowsPerRun): SortedStockRows {
  const { append, size, blocks, close } = sortedRows(stockRowWidth, rowsInMemory);
  return {
    add: (petId, value, expected, lineOrEntry, rowIndex, note = 0) => {
      const { numbers, at } = append();
      numbers[at + columns.petId] = petId;
      numbers[at + columns.value] = value ?? absentNumber;
      numbers[at + columns.expected] = expected ?? absentNumber;
      numbers[at + columns.lineOrEntry] = lineOrEntry;
      numbers[at + columns.rowIndex] = rowIndex;
      numbers[at + columns.note] = note;
    },
    size,
    blocks,
    close,
  };
}
