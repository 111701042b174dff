import { reportDeadStock, type DeadStockRow } from '../../../domain/reports/report-dead-stock.js';
import { pluralize } from '../../../domain/values/text.js';
import type { Command } from '../../command.js';
import { flag } from '../../flags.js';
import { wholeNumber } from '../../readers.js';
import { listTime } from '../../output/time-text.js';
import type { Column } from '../../output/view.js';
import { categoryColumn, figure, reportColumn } from './report-columns.js';
import { reportCommand } from './report-command.js';

const columns: readonly Column<DeadStockRow>[] = [
  figure('petId', 'ID'),
  { ...reportColumn('pet', 'Pet'), least: 8 },
  { ...categoryColumn, leaveOut: 2 },
  figure('onHand', 'On hand'),
  {
    ...reportColumn('lastSold', 'Last sold'),
    text: ({ lastSold }, now, zone) => (lastSold === undefined ? 'never' : listTime(lastSold, now, zone)),
    leaveOut: 1,
  },
  figure('idleDays', 'Idle days'),
];

/** The command `report dead-stock`. */
export const reportDeadStockCommand: Command = reportCommand({
  path: ['report', 'dead-stock'],
  summary: 'list pets on hand without recent sales',
  flags: { days: flag({ long: 'days', value: 'n', summary: 'days without a sale', default: '90', read: wholeNumber }) },
  operation: reportDeadStock,
  title: ({ days = 90 }) => `Pets without a sale for ${pluralize(days, 'day')}`,
  input: ({ days }, zone) => ({ days, tz: zone.name }),
  all: columns,
  examples: ['petstore report dead-stock', 'petstore report dead-stock --days 30 --format csv'],
  figures: [
    'onHand     units on hand',
    'lastSold   when a unit was last sold; reversed sales do not count',
    'idleDays   whole days since the last sale, or since the pet was created',
    '',
    'Longest idle first, at most 500.',
  ],
});
