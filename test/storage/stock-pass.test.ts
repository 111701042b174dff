import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusedRows } from '../../src/storage/bulk/refused-rows.js';
import { sortedStockRows, type SortedStockRow } from '../../src/storage/bulk/sorted-stock-rows.js';
import { evaluation, evaluationFilter, type EvaluationTotals, type StockList } from '../../src/storage/bulk/stage-stock.js';
import { stagedRowAt, stagedRows, stagedRowWidth } from '../../src/storage/bulk/staged-rows.js';
import type { BulkStockChange } from '../../src/storage/bulk/bulk-port.js';
import { fault, stockRowsOf } from '../support/sorted-stock-rows.js';

/** Pets 1 to 3 with low-stock levels. */
const lowStock: StockList = [1, 2, 3].flatMap((pet) => [pet, 5, 0, 4]);

/** How a pass is tried. */
interface TriedPass extends Pick<BulkStockChange, 'onChange'> {
  readonly rowsTogether: number;
  readonly stock?: StockList;
  readonly wasApplied?: BulkStockChange['wasApplied'];
}

/** The result of one pass over rows. */
function passed(kind: 'count' | 'adjust', rows: readonly SortedStockRow[], { rowsTogether, stock = lowStock, onChange, wasApplied }: TriedPass): unknown {
  const stockRows = sortedStockRows(7);
  for (const { petId: pet, value, expected, lineOrEntry, rowIndex, note } of rows) stockRows.add(pet, value, expected, lineOrEntry, rowIndex, note);
  const [refused, staged] = [refusedRows(), stagedRows()];
  // As the reader does for a row that only names its pet.
  for (const { rowIndex, value } of rows) if (value === undefined) refused.add(fault(rowIndex));
  const totals: EvaluationTotals = { evaluated: 0, alreadyApplied: 0, notInFile: 9, changes: [] };
  const policy = { allowShortage: false, onStale: 'fail' } as const;
  const change = { kind, stockRows, policy, refused, wasApplied, notes: { at: () => '' }, onChange };
  const { evaluate, end } = evaluation(change, totals, staged);
  // The stock of the shop, read again for each block.
  for (const block of stockRows.blocks(rowsTogether, evaluationFilter(change, totals))) evaluate(block, stock);
  end();
  stockRows.close();
  const emitted = [...staged.blocks()].flatMap((block) =>
    Array.from({ length: block.length / stagedRowWidth }, (_, at) => stagedRowAt(block, at * stagedRowWidth)),
  );
  return { emitted, staged: staged.totals, totals, errors: refused.first() };
}

test('evaluates the rows of one pet the same in one block and in many', () => {
  const row = fc.record({
    petId: fc.integer({ min: 1, max: 4 }),
    value: fc.option(fc.integer({ min: -3, max: 9 }), { nil: undefined }),
    expected: fc.constant(undefined),
  });
  fc.assert(
    fc.property(
      fc.constantFrom('count' as const, 'adjust' as const),
      fc.array(row, { maxLength: 50 }),
      fc.integer({ min: 1, max: 5 }),
      (kind, rows, together) => {
        const wasApplied = (rowIndex: number): boolean => rowIndex % 11 === 10;
        const inOne = passed(kind, stockRowsOf(rows), { rowsTogether: 1000, wasApplied });
        expect(passed(kind, stockRowsOf(rows), { rowsTogether: together, wasApplied })).toEqual(inOne);
      },
    ),
    { numRuns: 300 },
  );
});
