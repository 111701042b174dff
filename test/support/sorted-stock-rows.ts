import type { RowError } from '../../src/domain/imports/row-error.js';
import { stockRowAt, stockRowWidth, type SortedStockRow, type SortedStockRows } from '../../src/storage/bulk/sorted-stock-rows.js';

/** The rows of a block. */
export function rowsOfBlock(block: Readonly<Float64Array>): readonly SortedStockRow[] {
  return Array.from({ length: block.length / stockRowWidth }, (_, index) => stockRowAt(block, index * stockRowWidth));
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
