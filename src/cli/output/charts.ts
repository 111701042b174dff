import type { MovementFigures } from '../../domain/reports/movement-figures.js';
import { fit, measure } from './text-width.js';
import type { Painting } from './colours.js';
import { tableText, type Screen } from './table.js';

/** What a bar stands for: a name, figures as people read them, and how long it is drawn. */
export interface Bar {
  readonly name: string;
  readonly figures: readonly string[];
  /** How far it reaches to the right of the axis and to the left of it; neither is negative. */
  readonly gain: number;
  readonly loss: number;
}

/** What left and what came, both as positive units: gain − loss = closing − opening. */
export function turnover({ received, sold, returned, writtenOff, counted }: MovementFigures): { readonly gain: number; readonly loss: number } {
  // An undo may turn each figure round.
  const moves = [received, -sold, returned, -writtenOff, counted];
  const sum = (sign: 1 | -1): number => moves.reduce((units, move) => units + Math.max(0, sign * move), 0);
  return { gain: sum(1), loss: sum(-1) };
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const widestBar = 60;
const narrowestBar = 5;
const narrowestName = 8;

/** How many cells stand for so many units: never nothing for something. */
function drawn(units: number, cells: number, least: number): number {
  return units > 0 ? Math.max(units * cells, least) : 0;
}

/** A bar to the right, to an eighth of a cell. */
function rightBar(cells: number): string {
  const parts = Math.round(cells * 8);
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** A bar to the left: there are only halves. */
function leftBar(cells: number): string {
  const halves = Math.round(cells * 2);
  return (halves % 2 === 1 ? '▐' : '') + '█'.repeat(Math.floor(halves / 2));
}

/** Two bars from one axis on, with as many cells for a unit on either side of it. */
function axisOf(bars: readonly Bar[], room: number): (bar: Bar) => string {
  const [gain, loss] = [Math.max(0, ...bars.map((bar) => bar.gain)), Math.max(0, ...bars.map((bar) => bar.loss))];
  if (loss === 0) return (bar) => rightBar(drawn(bar.gain, room / gain, 1 / 8));
  const left = Math.min(Math.ceil(((room - 1) * loss) / (gain + loss)), room - 2);
  const cells = Math.min(left / loss, gain === 0 ? Infinity : (room - 1 - left) / gain);
  return (bar) => `${leftBar(drawn(bar.loss, cells, 1 / 2)).padStart(left)}│${rightBar(drawn(bar.gain, cells, 1 / 8))}`;
}

/** The largest of many bars, in the order of all. */
export function largest(bars: readonly Bar[], count: number): readonly Bar[] {
  if (bars.length <= count) return bars;
  const size = ({ gain, loss }: Bar): number => gain + loss;
  const kept = new Set(bars.toSorted((one, other) => size(other) - size(one)).slice(0, count));
  return bars.filter((bar) => kept.has(bar));
}

/** A table of bars beside their figures, at most `columns` cells wide; nothing without anything to draw, or room for it. */
export function barChart(heads: readonly [name: string, ...figures: string[]], bars: readonly Bar[], { columns, paint }: Screen): string {
  if (bars.every(({ gain, loss }) => gain === 0 && loss === 0)) return '';
  const longest = Math.max(narrowestName, Math.floor(columns / 3));
  const texts = bars.map(({ name, figures }) => [fit(name, longest), ...figures]);
  const taken = heads.reduce((sum, head, index) => sum + Math.max(head.length, ...texts.map((row) => measure(row[index] ?? ''))) + 2, 0);
  const room = Math.min(widestBar, columns - taken);
  if (room < narrowestBar) return '';
  const draw = axisOf(bars, room);
  const rows = bars.map((bar, index): readonly Painting[] => [
    ...(texts[index] ?? []).map((text): Painting => ({ text })),
    { text: draw(bar), colour: 'cyan' },
  ]);
  return tableText([...heads.map((heading, index) => ({ heading, numeric: index > 0 })), { heading: '' }], rows, { columns, paint });
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

/** The units of every span of so many days between two, also of those on which nothing happened. */
function spansOf(days: readonly DayUnits[], from: number, to: number, length: number): readonly number[] {
  const spans = Array.from({ length: Math.floor((to - from) / day / length) + 1 }, () => 0);
  for (const { day: at, units } of days) {
    const index = Math.floor((Date.parse(at) - from) / day / length);
    spans[index] = (spans[index] ?? 0) + units;
  }
  return spans;
}

/** A line through the units of every day between two, both included; a day that is not among them counts as zero. */
export async function dayChart(
  title: string,
  days: readonly DayUnits[],
  { from, to }: { readonly from: string; readonly to: string },
  { columns, paint }: Screen,
): Promise<string> {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  // The widest figure there can be, its tick and the arrow stand beside the line.
  const sum = days.reduce((total, { units }) => total + Math.abs(units), 0);
  const room = Math.min(widest, columns - `-${sum}`.length - 4);
  if (!(end > start) || room < narrowest) return '';
  // Two cells for each point, so that one day that stands out has a top.
  const length = Math.ceil(((end - start) / day + 1) / Math.floor(room / 2));
  const spans = spansOf(days, start, end, length);
  // As many cells for each: between uneven ones the package leaves gaps in the line.
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
  const feet = `${' '.repeat(left)}${from}${to.padStart(width - from.length)}`;
  const caption = length === 1 ? title : `${title}, ${length} days at a time`;
  return `${paint.dim(caption)}\n${rows.join('\n')}\n${paint.dim(feet)}\n`;
}
