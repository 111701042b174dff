/** The quantities before and after a row. */
export interface RowChange {
  readonly before: number;
  readonly after: number;
}

/** The changes that the rows of a file made. */
export interface RowChanges {
  /** Records a change; a later one for the same row replaces it. */
  readonly set: (rowIndex: number, before: number, after: number) => void;
  readonly at: (rowIndex: number) => RowChange | undefined;
  readonly clear: () => void;
}

/** A number for each row, 0 where none was set. */
export interface RowNumbers {
  readonly set: (rowIndex: number, number: number) => void;
  readonly at: (rowIndex: number) => number;
  readonly clear: () => void;
}

const blockBits = 16;
const blockRows = 1 << blockBits;

/** Numbers by the index of a row. Blocks, made when they are needed, take no more than their numbers and are never copied. */
export function rowNumbers(newBlock: (length: number) => Uint32Array | Float64Array): RowNumbers {
  const blocks: (Uint32Array | Float64Array | undefined)[] = [];
  return {
    set: (rowIndex, number) => {
      (blocks[rowIndex >>> blockBits] ??= newBlock(blockRows))[rowIndex % blockRows] = number;
    },
    at: (rowIndex) => blocks[rowIndex >>> blockBits]?.[rowIndex % blockRows] ?? 0,
    clear: () => {
      blocks.length = 0;
    },
  };
}

/** A block of whole numbers of 32 bits for `rowNumbers`. */
export const blockOfNumbers = (length: number): Uint32Array => new Uint32Array(length);

/** Collects changes, in 8 bytes a row. */
export function rowChanges(): RowChanges {
  // 1 more, because 0 is no number.
  const before = rowNumbers(blockOfNumbers);
  const after = rowNumbers(blockOfNumbers);
  return {
    set: (rowIndex, quantityBefore, quantityAfter) => {
      before.set(rowIndex, quantityBefore + 1);
      after.set(rowIndex, quantityAfter);
    },
    at: (rowIndex) => {
      const found = before.at(rowIndex);
      return found === 0 ? undefined : { before: found - 1, after: after.at(rowIndex) };
    },
    clear: before.clear,
  };
}
