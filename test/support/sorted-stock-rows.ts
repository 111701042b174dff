import type { RowError } from '../../src/domain/imports/row-error.js';
import { absentNumber, stockRowWidth, type SortedStockRows } from '../../src/storage/bulk/sorted-stock-rows.js';

/** A row as an object. */
export interface SortedStockRow {
  readonly petId: number;
  readonly value: number | undefined;
  readonly expected: number | undefined;
  readonly lineOrEntry: number;
  readonly rowIndex: number;
  readonly note: number;
}

/** The rows of a block. */
export function rowsOfBlock(block: Readonly<Float64Array>): readonly SortedStockRow[] {
  return Array.from({ length: block.length / stockRowWidth }, (_, index) => {
    const numbers = [...block.subarray(index * stockRowWidth, (index + 1) * stockRowWidth)];
    const [petId = 0, value, expected, lineOrEntry = 0, rowIndex = 0, note = 0] = numbers.map((one) => (one === absentNumber ? undefined : one));
    return { petId, value, expected, lineOrEntry, rowIndex, note };
  });
}

/** All rows of a pass. */
export function stockRowsIn(sorted: SortedStockRows): readonly SortedStockRow[] {
  return [...sorted.blocks(5)].flatMap(rowsOfBlock);
}

/** The rows with their lines; two rows are on each line. */
export function stockRowsOf(rows: readonly Pick<SortedStockRow, 'petId' | 'value' | 'expected'>[]): readonly SortedStockRow[] {
  return rows.map((row, rowIndex) => ({ ...row, lineOrEntry: (rowIndex >> 1) + 2, rowIndex, note: rowIndex % 3 }));
}

/** A refused row. */
export function fault(rowIndex: number, code: RowError['code'] = 'invalid_quantity'): { readonly rowIndex: number; readonly error: RowError } {
  return { rowIndex, error: { line: rowIndex + 2, code, message: `row ${rowIndex}` } };
}
