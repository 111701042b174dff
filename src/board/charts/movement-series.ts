import type { AnswerOf } from '../state/server/contract.js';
import type { ColumnSeries } from './column-chart.js';

/** A row of the report. */
export type MovementRow = AnswerOf<'reportMovements'>[number];

/** The figures of the report. */
const figures: readonly { readonly name: string; readonly value: (row: MovementRow) => number; readonly isOutgoing?: boolean }[] = [
  { name: 'Received', value: ({ received }) => received },
  { name: 'Sold', value: ({ sold }) => sold, isOutgoing: true },
  { name: 'Returned', value: ({ returned }) => returned },
  { name: 'Written off', value: ({ writtenOff }) => writtenOff, isOutgoing: true },
  { name: 'Counted', value: ({ counted }) => counted },
];

/** The figures of each day or month; the report leaves out those without movements. */
export function movementSeries(rows: readonly MovementRow[], times: readonly string[]): readonly ColumnSeries[] {
  const byTime = new Map(rows.map((row) => [row.day ?? row.month, row]));
  return figures.map(({ name, value, isOutgoing = false }) => ({
    name,
    isOutgoing,
    values: times.map((time) => {
      const row = byTime.get(time);
      return row === undefined ? 0 : value(row);
    }),
  }));
}
