import { sortedRows, type SortedRows } from './external-sort.js';

/** The quantities before and after a row. */
export interface RowChange {
  readonly before: number;
  readonly after: number;
}

/** The changes that the rows of a file made. */
export interface RowChanges {
  /** Records a change; a later one for the same row replaces it. */
  readonly set: (rowIndex: number, before: number, after: number) => void;
  /** A look-up by row index, to be called in ascending order; undefined for a row that changed nothing. */
  readonly inOrder: () => (rowIndex: number) => RowChange | undefined;
  readonly clear: () => void;
  readonly close: () => void;
}

const width = 3;
const rowsInMemory = 1 << 16;
const rowsTogether = 1 << 10;

/** A look-up of rows by their first number, to be called in ascending order; of equal keys the last row is found. */
export function lookUpInOrder<Row>(rows: SortedRows, rowOf: (numbers: Readonly<Float64Array>, at: number) => Row): (key: number) => Row | undefined {
  const chunks = rows.chunks(rowsTogether, (numbers, at) => ({ key: numbers[at] ?? 0, row: rowOf(numbers, at) }));
  let chunk: readonly { readonly key: number; readonly row: Row }[] = [];
  let index = 0;
  const next = (): { readonly key: number; readonly row: Row } | undefined => {
    if (index >= chunk.length) {
      chunk = chunks.next().value ?? [];
      index = 0;
    }
    return chunk[index];
  };
  return (key) => {
    let found: Row | undefined;
    for (let one = next(); one !== undefined && one.key <= key; one = next()) {
      if (one.key === key) found = one.row;
      index += 1;
    }
    return found;
  };
}

/** Collects changes; when there are many, they are in a temporary file. */
export function rowChanges(): RowChanges {
  const row = new Float64Array(width);
  let rows = sortedRows(width, rowsInMemory);
  return {
    set: (rowIndex, before, after) => {
      row[0] = rowIndex;
      row[1] = before;
      row[2] = after;
      rows.add(row);
    },
    inOrder: () => lookUpInOrder(rows, (numbers, at) => ({ before: numbers[at + 1] ?? 0, after: numbers[at + 2] ?? 0 })),
    clear: () => {
      rows.close();
      rows = sortedRows(width, rowsInMemory);
    },
    close: () => rows.close(),
  };
}
