import type { Movement } from './report-table.js';
import * as v from 'valibot';
import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { nameText } from '../values/text.js';

/** The fields that name the category of a report row. */
export const categoryFields = { categoryId: idNumber, category: nameText };

/** The units of a movements row. */
export const movementFigures = v.object({
  opening: wholeNumber,
  received: wholeNumber,
  sold: wholeNumber,
  returned: wholeNumber,
  writtenOff: wholeNumber,
  counted: wholeNumber,
  closing: wholeNumber,
});

/** closing = opening + received − sold + returned − writtenOff + counted, in units. */
export type MovementFigures = v.InferOutput<typeof movementFigures>;

const reasons = { opening: 'received', sale: 'sold', return: 'returned', count: 'counted' } as const;

/** What units that open at `opening` come to. What is sold and written off counts as positive. */
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
