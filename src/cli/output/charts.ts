import type { MovementFigures } from '../../domain/reports/movement-figures.js';
import { fit, measure } from '../../formats/text-width.js';
import type { Painting } from './colours.js';
import { tableText, type Screen } from './table.js';

/** A bar of a chart, with its name and its formatted figures. */
export interface Bar {
  readonly name: string;
  readonly figures: readonly string[];
  /** Its lengths to the right and to the left of the axis; neither is negative. */
  readonly gain: number;
  readonly loss: number;
}

/** The units that came in and that went out, both positive: gain − loss = closing − opening. */
export function turnover({ received, sold, returned, writtenOff, counted }: MovementFigures): { readonly gain: number; readonly loss: number } {
  // An undo can change the sign of each figure.
  const moves = [received, -sold, returned, -writtenOff, counted];
  const sum = (sign: 1 | -1): number => moves.reduce((units, move) => units + Math.max(0, sign * move), 0);
  return { gain: sum(1), loss: sum(-1) };
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const widestBar = 60;
const narrowestBar = 5;
const narrowestName = 8;

/** The length of a bar in cells; a bar of any units has at least `minimumCells`. */
function barCells(units: number, cellsPerUnit: number, minimumCells: number): number {
  return units > 0 ? Math.max(units * cellsPerUnit, minimumCells) : 0;
}

/** A bar to the right, in steps of an eighth of a cell. */
function rightBar(cells: number): string {
  const parts = Math.round(cells * 8);
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** A bar to the left, in steps of half a cell: Unicode has no smaller right-aligned blocks. */
function leftBar(cells: number): string {
  const halves = Math.round(cells * 2);
  return (halves % 2 === 1 ? '▐' : '') + '█'.repeat(Math.floor(halves / 2));
}

/** Draws a bar on both sides of an axis, with the same scale on both. */
function axisOf(bars: readonly Bar[], room: number): (bar: Bar) => string {
  const [gain, loss] = [Math.max(0, ...bars.map((bar) => bar.gain)), Math.max(0, ...bars.map((bar) => bar.loss))];
  if (loss === 0) return (bar) => rightBar(barCells(bar.gain, room / gain, 1 / 8));
  const left = Math.min(Math.ceil(((room - 1) * loss) / (gain + loss)), room - 2);
  const cells = Math.min(left / loss, gain === 0 ? Infinity : (room - 1 - left) / gain);
  return (bar) => `${leftBar(barCells(bar.loss, cells, 1 / 2)).padStart(left)}│${rightBar(barCells(bar.gain, cells, 1 / 8))}`;
}

/** The `count` largest bars, in their original order. */
export function largest(bars: readonly Bar[], count: number): readonly Bar[] {
  if (bars.length <= count) return bars;
  const size = ({ gain, loss }: Bar): number => gain + loss;
  const kept = new Set(bars.toSorted((one, other) => size(other) - size(one)).slice(0, count));
  return bars.filter((bar) => kept.has(bar));
}

/** A table of names, figures and bars, at most `columns` cells wide; empty when all bars are zero or there is no room. */
export function barChart(headings: readonly [name: string, ...figures: string[]], bars: readonly Bar[], { columns, paint }: Screen): string {
  if (bars.every(({ gain, loss }) => gain === 0 && loss === 0)) return '';
  const longest = Math.max(narrowestName, Math.floor(columns / 3));
  const texts = bars.map(({ name, figures }) => [fit(name, longest), ...figures]);
  const usedColumns = headings.reduce((sum, heading, index) => sum + Math.max(heading.length, ...texts.map((row) => measure(row[index] ?? ''))) + 2, 0);
  const room = Math.min(widestBar, columns - usedColumns);
  if (room < narrowestBar) return '';
  const draw = axisOf(bars, room);
  const rows = bars.map((bar, index): readonly Painting[] => [
    ...(texts[index] ?? []).map((text): Painting => ({ text })),
    { text: draw(bar), colour: 'cyan' },
  ]);
  return tableText([...headings.map((heading, index) => ({ heading, numeric: index > 0 })), { heading: '' }], rows, { columns, paint });
}

const day = 24 * 60 * 60 * 1000;
const height = 10;
const widest = 120;
const narrowest = 21;

/** The units of one day, such as 2026-11-20. */
export interface DayUnits {
  readonly day: string;
  readonly units: number;
}

/** The sums of units per span of `spanDays` days from `from` to `to` (ms since 1970), with 0 for a span without units. */
function spansOf(days: readonly DayUnits[], from: number, to: number, spanDays: number): readonly number[] {
  const spans = Array.from({ length: Math.floor((to - from) / day / spanDays) + 1 }, () => 0);
  for (const { day: at, units } of days) {
    const index = Math.floor((Date.parse(at) - from) / day / spanDays);
    spans[index] = (spans[index] ?? 0) + units;
  }
  return spans;
}

/** A line chart of units per day, both ends included; a day that is not in `days` counts as zero. Empty without room. */
export async function dayChart(
  title: string,
  days: readonly DayUnits[],
  { from, to }: { readonly from: string; readonly to: string },
  { columns, paint }: Screen,
): Promise<string> {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  // Left of the line are the widest possible figure, its tick and the arrow.
  const sum = days.reduce((total, { units }) => total + Math.abs(units), 0);
  const room = Math.min(widest, columns - `-${sum}`.length - 4);
  if (!(end > start) || room < narrowest) return '';
  // Two cells for each point, so that the peak of a single day is visible.
  const spanDays = Math.ceil(((end - start) / day + 1) / Math.floor(room / 2));
  const spans = spansOf(days, start, end, spanDays);
  // The same number of cells for each span: simple-ascii-chart leaves gaps in the line between uneven ones.
  const width = (spans.length - 1) * Math.floor((room - 1) / Math.max(1, spans.length - 1)) + 1;
  const { default: plot } = await import('simple-ascii-chart');
  const drawing = plot(
    spans.map((units, index): [number, number] => [index, units]),
    { width, height, hideXAxisTicks: true, formatter: (value) => String(value) },
  );
  const rows = drawing
    .split('\n')
    .map((row) => row.trimEnd())
    .filter((row) => row !== '');
  const left = (rows.at(-1)?.indexOf('└') ?? 0) + 1;
  const axisLabels = `${' '.repeat(left)}${from}${to.padStart(width - from.length)}`;
  const caption = spanDays === 1 ? title : `${title}, ${spanDays} days at a time`;
  return `${paint.dim(caption)}\n${rows.join('\n')}\n${paint.dim(axisLabels)}\n`;
}
