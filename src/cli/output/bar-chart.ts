import { fit, measure } from '../../formats/text-width.js';
import { drawTable, type Screen } from './table.js';

const mostBars = 30;
const longestBar = 60;
const shortestBar = 5;

/** What the bars of a chart stand for. */
interface BarHeadings {
  readonly names: string;
  readonly figures: string;
  readonly figureText: (value: number) => string;
}

/**
 * A bar for each name, as long as its part of the largest value; of many the largest. Empty where no value is positive, and where
 * the terminal is too narrow.
 */
export function barChart(values: ReadonlyMap<string, number>, { names, figures, figureText }: BarHeadings, { columns, paint }: Screen): string {
  const sorted = [...values.values()].toSorted((one, other) => other - one);
  const [largest = 0] = sorted;
  const least = sorted[mostBars - 1] ?? -Infinity;
  const rows = [...values]
    .filter(([, value]) => value >= least)
    .slice(0, mostBars)
    .map(([name, value]) => ({ value, cells: [fit(name, Math.max(8, Math.floor(columns / 3))), figureText(value)] }));
  const widths = [names, figures].map((heading, index) => Math.max(heading.length, ...rows.map(({ cells }) => measure(cells[index] ?? ''))));
  const room = Math.min(longestBar, columns - widths.reduce((sum, width) => sum + width + 2, 0));
  if (largest <= 0 || room < shortestBar) return '';
  const lines = rows.map(({ value, cells }) => {
    const bar = value <= 0 ? '' : '█'.repeat(Math.max(1, Math.round((value / largest) * room)));
    return [...cells.map((text) => ({ text })), { text: bar, colour: 'cyan' as const }];
  });
  const { text: chart } = drawTable([{ heading: names }, { heading: figures, numeric: true }, { heading: '' }], lines, { columns, paint });
  return values.size <= mostBars ? chart : `${chart}The ${mostBars} largest of ${values.size}.\n`;
}
