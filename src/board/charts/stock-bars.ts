import type { AnswerOf } from '../state/server/contract.js';
import type { Bar } from './bar-chart.js';

/** A bar for each category, the longest first: the report has a row for each status of a category. A past day has no reservations. */
export function stockBars(rows: AnswerOf<'reportStock'>): readonly Bar[] {
  const bars = new Map<number, Bar>();
  for (const { categoryId, category, onHand, reserved = 0, held = 0, available = onHand } of rows) {
    const { parts: [free = 0, onHold = 0, taken = 0] = [], total = 0 } = bars.get(categoryId) ?? {};
    bars.set(categoryId, { key: categoryId, label: category, parts: [free + available, onHold + held, taken + reserved], total: total + onHand });
  }
  return [...bars.values()].toSorted((one, other) => other.total - one.total);
}
