import { rowsPerRun, sortedRows, type SortedRows } from './external-sort.js';

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

/** Figures sorted by pet, then by insertion order, in constant memory. `figureAt` reads one of a block. */
export interface SortedFigures extends Pick<SortedRows, 'size' | 'blocks' | 'close'> {
  readonly add: (petId: number, value: number | undefined, expected: number | undefined, origin: number, rowIndex: number, note?: number) => void;
}

/** The numbers of a figure, in the order of `figureColumns`. */
export const figureWidth = 6;
/** The positions of the numbers of a figure. */
export const figureColumns = { petId: 0, value: 1, expected: 2, origin: 3, rowIndex: 4, note: 5 } as const satisfies Record<keyof Figure, number>;
/** In place of a value or expected quantity that the row does not have: both lie between −2^31 and 2^31. */
export const absentFigure = -(2 ** 40);

/** An object that is used again for the next row. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const columns = figureColumns;

function presentOr(number: number | undefined): number | undefined {
  return number === absentFigure ? undefined : number;
}

/** Reads the figure whose numbers start at `at` into an object, by default a new one. */
export function figureAt(numbers: Readonly<Float64Array>, at: number, into: Partial<Mutable<Figure>> = {}): Figure {
  into.petId = numbers[at + columns.petId] ?? 0;
  into.value = presentOr(numbers[at + columns.value]);
  into.expected = presentOr(numbers[at + columns.expected]);
  into.origin = numbers[at + columns.origin] ?? 0;
  into.rowIndex = numbers[at + columns.rowIndex] ?? 0;
  into.note = numbers[at + columns.note] ?? 0;
  return into as Figure;
}

/** Whether a figure is of a row that was not refused. */
export function hasValue(figure: Figure): figure is Figure & { readonly value: number } {
  return figure.value !== undefined;
}

/** Collects figures and sorts them by pet. */
export function sortedFigures(rowsInMemory = rowsPerRun): SortedFigures {
  const { append, size, blocks, close } = sortedRows(figureWidth, rowsInMemory);
  return {
    add: (petId, value, expected, origin, rowIndex, note = 0) => {
      const { numbers, at } = append();
      numbers[at + columns.petId] = petId;
      numbers[at + columns.value] = value ?? absentFigure;
      numbers[at + columns.expected] = expected ?? absentFigure;
      numbers[at + columns.origin] = origin;
      numbers[at + columns.rowIndex] = rowIndex;
      numbers[at + columns.note] = note;
    },
    size,
    blocks,
    close,
  };
}
