import { sortedRows, type RowBlock, type SortedRows } from './external-sort.js';

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
  const blocks = rows.blocks(rowsTogether);
  let block: RowBlock | undefined;
  let index = 0;
  const next = (): { readonly numbers: RowBlock['numbers']; readonly at: number } | undefined => {
    if (block === undefined || index >= block.starts.length) {
      block = blocks.next().value ?? undefined;
      index = 0;
    }
    return block && { numbers: block.numbers, at: block.starts[index] ?? 0 };
  };
  return (key) => {
    let found: Row | undefined;
    for (let row = next(); row !== undefined && (row.numbers[row.at] ?? 0) <= key; row = next()) {
      if (row.numbers[row.at] === key) found = rowOf(row.numbers, row.at);
      index += 1;
    }
    return found;
  };
}

/** Collects changes; when there are many, they are in a temporary file. */
export function rowChanges(): RowChanges {
  let rows = sortedRows(width, rowsInMemory);
  return {
    set: (rowIndex, before, after) => {
      const { numbers, at } = rows.append();
      numbers[at] = rowIndex;
      numbers[at + 1] = before;
      numbers[at + 2] = after;
    },
    inOrder: () => lookUpInOrder(rows, (numbers, at) => ({ before: numbers[at + 1] ?? 0, after: numbers[at + 2] ?? 0 })),
    clear: () => {
      rows.close();
      rows = sortedRows(width, rowsInMemory);
    },
    close: () => rows.close(),
  };
}
