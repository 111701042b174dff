import { reportCommand, type Canvas } from './report-command.js';
import { figure, categoryColumn, totalText } from './report-columns.js';
import { categoryText, categoryBars } from './category-bars.js';
import { reportStock, type StockReportRow } from '../../../domain/reports/report-stock.js';
import type { Command } from '../../command.js';
import { asOf } from '../../flags.js';
import type { Column } from '../../output/view.js';
import { statusColours } from '../pet/pet-columns.js';

const stockColumns: readonly Column<StockReportRow>[] = [
  figure('categoryId', 'Category ID'),
  categoryColumn,
  { name: 'status', heading: 'Status', dot: true, value: ({ status }) => status, colour: ({ status }) => status && statusColours[status] },
  figure('pets', 'Pets', 2),
  figure('onHand', 'On hand'),
  figure('reserved', 'Reserved', 1),
  figure('available', 'Available'),
];

function stockChart(rows: readonly StockReportRow[], canvas: Canvas): Promise<string> {
  const units = new Map<number, { readonly name: string; readonly onHand: number }>();
  for (const { categoryId, category, onHand } of rows) {
    units.set(categoryId, { name: categoryText(category), onHand: onHand + (units.get(categoryId)?.onHand ?? 0) });
  }
  const bars = [...units.values()].map(({ name, onHand }) => ({ name, figures: [String(onHand)], gain: onHand, loss: 0 }));
  return categoryBars(['Category', 'On hand'], bars, canvas);
}

/** The sum of all rows. */
function stockTotal(rows: readonly StockReportRow[]): StockReportRow {
  const sum = (unitsOf: (row: StockReportRow) => number | undefined): number => rows.reduce((units, row) => units + (unitsOf(row) ?? 0), 0);
  const [pets, onHand] = [sum((row) => row.pets), sum((row) => row.onHand)];
  return { categoryId: 0, category: totalText, pets, onHand, reserved: sum((row) => row.reserved), available: sum((row) => row.available) };
}

const stockFigures = [
  'pets        pets of the category and status',
  'onHand      units on hand',
  'reserved    units reserved for open orders',
  'available   onHand - reserved; negative during a shortage',
  '',
  'With --at, only by category: the ledger does not record reservations, nor moves between categories.',
  'A terminal shows a bar for the units on hand of each category; --fields leaves it out.',
];

/** The command `report stock`. */
export const reportStockCommand: Command = reportCommand({
  path: ['report', 'stock'],
  summary: 'count pets and units by category and status: available = on hand - reserved',
  flags: { at: asOf },
  operation: reportStock,
  title: ({ at }) => (at === undefined ? 'Stock by category and status' : 'Stock by category'),
  total: async (rows) => stockTotal(rows),
  input: ({ at }) => ({ at }),
  range: ({ at }) => (at === undefined ? undefined : { at }),
  all: stockColumns,
  shown: ({ at }) => ['categoryId', 'category', ...(at === undefined ? ['status', 'pets', 'onHand', 'reserved', 'available'] : ['pets', 'onHand'])],
  chart: (rows, _, canvas) => stockChart(rows, canvas),
  examples: ['petstore report stock', 'petstore report stock --at 2026-11-20', 'petstore report stock --json'],
  figures: stockFigures,
});
