import type { RowError } from '../../src/domain/imports/row-error.js';
import { figureAt, type Figure, type SortedFigures } from '../../src/storage/bulk/sorted-figures.js';

/** All figures of a pass. */
export function figuresIn(sorted: SortedFigures): readonly Figure[] {
  return [...sorted.blocks(5)].flatMap(({ numbers, starts }) => [...starts].map((at) => figureAt(numbers, at)));
}

/** The rows as figures; several rows are on one line. */
export function figuresOf(rows: readonly Pick<Figure, 'petId' | 'value' | 'expected'>[]): readonly Figure[] {
  return rows.map((row, rowIndex) => ({ ...row, origin: (rowIndex >> 1) + 2, rowIndex, note: rowIndex % 3 }));
}

/** A refused row. */
export function fault(rowIndex: number, code: RowError['code'] = 'invalid_quantity'): { readonly rowIndex: number; readonly error: RowError } {
  return { rowIndex, error: { line: rowIndex + 2, code, message: `row ${rowIndex}` } };
}
