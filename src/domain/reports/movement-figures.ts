import { field } from '../values/schemas.js';
import type { Movement } from './report-table.js';
import * as v from 'valibot';
import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { nameText } from '../values/text.js';

/** The fields that name the category of a report row. */
export const reportCategoryFields = {
  categoryId: field(idNumber, 'ID of the category the animal belongs to.'),
  category: field(nameText, 'The name of the category.'),
};

/** The units of a movements row. */
export const movementFigures = v.object({
  opening: field(wholeNumber, 'Units on hand at the start.'),
  received: field(wholeNumber, 'Units received.'),
  sold: field(wholeNumber, 'Units sold.'),
  returned: field(wholeNumber, 'Units returned.'),
  writtenOff: field(wholeNumber, 'Units written off.'),
  counted: field(wholeNumber, 'Units added by counts, minus units removed by counts.'),
  closing: field(wholeNumber, 'Units on hand at the end.'),
});

/** closing = opening + received − sold + returned − writtenOff + counted, in units. */
export type MovementFigures = v.InferOutput<typeof movementFigures>;

const reasons = { opening: 'received', sale: 'sold', return: 'returned', count: 'counted' } as const;

/** Sums up movements, starting with `opening` units. `sold` and `writtenOff` are positive numbers. */
export function movementFiguresOf(opening: number, movements: readonly Movement[]): MovementFigures {
  const moved = { received: 0, sold: 0, returned: 0, writtenOff: 0, counted: 0 };
  let closing = opening;
  for (const { kind, gain, units } of movements) {
    const reason = kind === 'adjust' ? (gain ? 'received' : 'writtenOff') : reasons[kind];
    moved[reason] += reason === 'sold' || reason === 'writtenOff' ? -units : units;
    closing += units;
  }
  return { opening, ...moved, closing };
}
