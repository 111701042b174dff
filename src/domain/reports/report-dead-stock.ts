import * as v from 'valibot';
import { readOperation } from '../operation.js';
import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { field, optional, record } from '../values/schemas.js';
import { nameText } from '../values/text.js';
import { dateTimeText, formatDateTime, timeZone } from '../values/time.js';
import { daysBefore, localDaysBetween } from '../values/time-zone.js';

const maximumDays = 36_500;
/** The most rows of the report. */
const maximumRows = 500;

/** A row of the dead-stock report. */
export const deadStockRow = record('DeadStockRow', 'A pet that is on hand and was not sold for some time.', {
  petId: field(idNumber, 'ID of the animal.'),
  pet: field(nameText, "The animal's name."),
  category: field(nameText, 'The name of the category.'),
  onHand: field(wholeNumber, 'Units on hand.'),
  lastSold: optional(dateTimeText, 'When a unit was last sold, in UTC; absent if never.'),
  idleDays: field(wholeNumber, 'Whole days since the last sale, or since the pet was created.'),
});
/** A row of the dead-stock report. */
export type DeadStockRow = v.InferOutput<typeof deadStockRow>;

const days = v.pipe(wholeNumber, v.minValue(1, 'must be at least 1'), v.maxValue(maximumDays, `must be at most ${maximumDays}`));

/** Lists the pets on hand without a sale for a number of days, longest idle first, at most 500. */
export const reportDeadStock = readOperation({
  id: 'reportDeadStock',
  summary: 'List pets on hand without recent sales',
  description: `Lists the pets on hand without a sale for \`days\` days, longest idle first, at most ${maximumRows}. A pet that was never sold counts from its creation; a reversed sale does not count.`,
  tag: 'Store',
  alsoRequires: 'pets:read',
  stability: 'beta',
  path: '/store/reports/dead-stock',
  input: v.strictObject({ days: v.optional(field(days, 'Days without a sale, in the time zone `tz`.'), 90), tz: timeZone }),
  output: v.array(deadStockRow),
  refuses: [],
  example: { answer: [{ petId: 7, pet: 'Rex', category: 'Dogs', onHand: 3, lastSold: '2026-08-01T09:30:00.000Z', idleDays: 111 }] },
  cost: 'shop',
  run: async (tx, { days: idle, tz }): Promise<readonly DeadStockRow[]> => {
    const rows = await tx.reports.unsoldSince(daysBefore(tx.now, idle, tz), maximumRows);
    return rows.map(({ since, lastSold, ...row }) => ({
      ...row,
      ...(lastSold !== null && { lastSold: formatDateTime(lastSold) }),
      idleDays: Math.floor(localDaysBetween(since, tx.now, tz)),
    }));
  },
});
