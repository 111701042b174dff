import { reportCommand, timeRange, type Canvas } from './report-command.js';
import { figure, categoryColumn, percent, totalText } from './report-columns.js';
import { categoryText, categoryBars } from './category-bars.js';
import { reportSellThrough, type SellThroughRow } from '../../../domain/reports/report-sell-through.js';
import type { Command } from '../../command.js';
import type { Column } from '../../output/view.js';

const sellThroughColumns: readonly Column<SellThroughRow>[] = [
  figure('categoryId', 'Category ID'),
  // The last row is the total: it has no category.
  { ...categoryColumn, text: ({ category = totalText }) => category },
  figure('opening', 'Opening', 2),
  figure('received', 'Received', 3),
  figure('sold', 'Sold'),
  figure('returned', 'Returned', 1),
  figure('closing', 'Closing'),
  { ...figure('sellThrough', 'Sell-through'), text: ({ sellThrough }) => percent(sellThrough) },
  figure('daysOfStock', 'Days left', 4),
];

function sellThroughChart(rows: readonly SellThroughRow[], canvas: Canvas): Promise<string> {
  const bars = rows.map(({ category, sellThrough }) => ({
    name: categoryText(category),
    figures: [percent(sellThrough)],
    gain: Math.max(0, sellThrough ?? 0),
    loss: Math.max(0, -(sellThrough ?? 0)),
  }));
  return categoryBars(['Category', 'Sell-through'], bars, canvas);
}

const sellThroughFigures = [
  'opening      units on hand when the range begins',
  'received     openings of new pets, and adjustments upwards',
  'sold         completed orders, and pets set to sold',
  'returned     reopened orders, and pets set to available again',
  'closing      units on hand when the range ends',
  'sellThrough  (sold - returned) / (opening + received); empty if there was nothing to sell',
  'daysOfStock  closing / (sold - returned) * days; empty if nothing was sold',
  '',
  'days are those of the range that the ledger covers, from its first entry to its last, and at least one. The last row',
  'is the total, which CSV and TSV leave out. A terminal shows a bar for each sellThrough; --fields leaves it out.',
];

/** The command `report sell-through`. */
export const reportSellThroughCommand: Command = reportCommand({
  path: ['report', 'sell-through'],
  summary: 'show sell-through, (sold - returned) / (opening + received), and days of stock',
  flags: timeRange,
  operation: reportSellThrough,
  title: () => 'Sell-through by category',
  isTotal: ({ category }) => category === undefined,
  input: ({ from, to }, zone) => ({ from, to, tz: zone.name }),
  range: ({ from, to }) => ({ from, to }),
  all: sellThroughColumns,
  chart: (rows, _, canvas) => sellThroughChart(rows, canvas),
  examples: ['petstore report sell-through', 'petstore report sell-through --from 2026-11-01 --to 2026-11-30 --json'],
  figures: sellThroughFigures,
});
