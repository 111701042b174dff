import type { Canvas } from './report-command.js';
import { totalText } from './report-columns.js';
import type { Bar } from '../../output/charts.js';
import { sanitiseCell } from '../../output/sanitise.js';

const mostBars = 30;

/** A bar for each category, or for the largest if there are many. */
export async function categoryBars(heads: readonly [string, ...string[]], bars: readonly Bar[], canvas: Canvas): Promise<string> {
  const { barChart, largest } = await import('../../output/charts.js');
  const drawn = barChart(heads, largest(bars, mostBars), canvas);
  return drawn === '' || bars.length <= mostBars ? drawn : `${drawn}The ${mostBars} largest of ${bars.length} categories.\n`;
}

/** The name of a category in a chart. */
export const categoryText = (category: string | undefined): string => sanitiseCell(category ?? totalText);
