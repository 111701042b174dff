import type { Range } from './range.js';
import type { CategoryStock } from './report-table.js';
import { type MovementFigures, movementFiguresOf } from './movement-figures.js';
import { formatDateTime, parseDateTime } from '../values/time.js';
import type { ReadTransaction } from '../transaction.js';

/** The stock just before the start of a range; empty for a range without a start. */
async function openings(tx: ReadTransaction, { from }: Range): Promise<readonly CategoryStock[]> {
  return from === undefined ? [] : tx.reports.stockAt(formatDateTime((parseDateTime(from) ?? 0) - 1));
}

/** Groups rows by a key, keeping their order. */
export function groupBy<Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): ReadonlyMap<Key, readonly Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** The movement figures of a range, one row for each category. */
export async function byCategory(tx: ReadTransaction, range: Range): Promise<readonly (MovementFigures & Pick<CategoryStock, 'categoryId' | 'category'>)[]> {
  const opening = await openings(tx, range);
  const movements = await tx.reports.categoryMovements(range);
  const names = new Map([...opening, ...movements].map((row) => [row.categoryId, row.category]));
  const onHand = new Map(opening.map((row) => [row.categoryId, row.onHand]));
  const moved = groupBy(movements, ({ categoryId }) => categoryId);
  const categories = [...names].toSorted(([one], [other]) => one - other);
  return categories.map(([categoryId, name]) => ({
    categoryId,
    category: name,
    ...movementFiguresOf(onHand.get(categoryId) ?? 0, moved.get(categoryId) ?? []),
  }));
}
