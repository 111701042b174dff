import Table from 'cli-table3';
import { fit, measure } from '../../formats/text-width.js';
import { fixedCells, painted, type Paint, type Painting } from './colours.js';
import { wrapText } from './wrapped-text.js';

const gap = '  ';
/** How many rows are drawn at a time: the time that cli-table3 takes for a table grows with the square of its rows. */
const chunkRows = 20;
/** How many rows are measured exactly. */
const measuredRows = 100;

/** The heading of a column, and how the column adapts to a narrow terminal. */
export interface Heading {
  readonly heading: string;
  /** Whether the column is aligned to the right. */
  readonly numeric?: boolean;
  /** The minimum width, in cells, to which its texts are cut; without it they are never cut. */
  readonly least?: number;
  /** The order in which columns are left out when there is no room, from 1; then come those without it, from the right. */
  readonly leaveOut?: number;
  /** Never left out and never cut: without room, its texts are wrapped to several lines, of at least `least` cells. */
  readonly wraps?: boolean;
  /** Whether the column is left out when it is empty in all rows. */
  readonly onlyFilled?: boolean;
}

type Line = readonly Painting[];

/** The width of a terminal in cells, and its colours. */
export interface Screen {
  readonly columns: number;
  readonly paint: Paint;
}

/** A column of a table; `cell` is the index of its cells in a line. */
interface PlacedColumn {
  readonly heading: Heading;
  readonly cell: number;
  readonly width: number;
}

/** The width that a column needs. Only the first lines are measured; for the others the length of the text is close enough. */
function naturalWidth(lines: readonly Line[], cell: number, paint: Paint): number {
  return lines.reduce((width, line, row) => {
    const painting = line[cell] ?? { text: '' };
    return Math.max(width, (row < measuredRows ? measure(painting.text) : painting.text.length) + fixedCells(painting, paint));
  }, 0);
}

/** The minimum width of a text once all columns that can be left out are left out. */
const narrowest = 8;

function leastWidths(placed: readonly PlacedColumn[]): readonly number[] {
  const isNarrow = placed.every(({ heading: { leaveOut } }) => leaveOut === undefined);
  return placed.map(({ heading: { least }, width }) => Math.min(width, least === undefined ? width : isNarrow ? Math.min(least, narrowest) : least));
}

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, gap.length * (widths.length - 1));

/** Leaves out columns until the others fit at their minimum widths; at least one stays. */
function withRoom(placed: readonly PlacedColumn[], columns: number): readonly PlacedColumn[] {
  const spare = placed.filter(({ heading: { wraps } }) => wraps !== true);
  if (placed.length === 1 || spare.length === 0 || sum(leastWidths(placed)) <= columns) return placed;
  const first = Math.min(...spare.map(({ heading: { leaveOut = Infinity } }) => leaveOut));
  const leaving = spare.findLast(({ heading: { leaveOut = Infinity } }) => leaveOut === first);
  return withRoom(
    placed.filter((column) => column !== leaving),
    columns,
  );
}

/** Narrows the widest column that can be cut until the table fits. */
function shrunk(placed: readonly PlacedColumn[], columns: number): readonly PlacedColumn[] {
  const widths = placed.map(({ width }) => width);
  // A single column is always cut to the width of the terminal.
  const least = placed.length === 1 ? [1] : leastWidths(placed);
  while (sum(widths) > columns) {
    const widest = Math.max(0, ...widths.filter((width, index) => width > (least[index] ?? 0)));
    if (widest === 0) break;
    widths[widths.findIndex((width, index) => width === widest && width > (least[index] ?? 0))] = widest - 1;
  }
  return placed.map((column, index) => ({ ...column, width: widths[index] ?? 0 }));
}

function headLine(headings: readonly Heading[]): Line {
  return headings.map(({ heading }) => ({ text: heading, colour: heading === '' ? undefined : 'bold' }));
}

/** The columns that fit the terminal with their widths, and the headings of those that do not. */
function layout(
  headings: readonly Heading[],
  lines: readonly Line[],
  { columns, paint }: Screen,
): { readonly placed: readonly PlacedColumn[]; readonly notShown: readonly string[] } {
  const filled = headings.flatMap((heading, cell) => {
    if (heading.onlyFilled === true && lines.every((line) => (line[cell]?.text ?? '') === '')) return [];
    return [{ heading, cell, width: Math.max(measure(heading.heading), naturalWidth(lines, cell, paint)) }];
  });
  const kept = withRoom(filled, columns);
  return { placed: shrunk(kept, columns), notShown: filled.filter((column) => !kept.includes(column)).map(({ heading }) => heading.heading) };
}

const noBorders = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' };
const borderless = { ...noBorders, left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: gap };

function drawRows(lines: readonly Line[], placed: readonly PlacedColumn[], paint: Paint): string {
  const drawing = new Table({
    chars: borderless,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    colWidths: placed.map(({ width }) => width),
    colAligns: placed.map(({ heading: { numeric } }) => (numeric === true ? 'right' : 'left')),
  });
  for (const line of lines) {
    drawing.push(
      placed.map(({ heading, cell, width }) => {
        const painting = line[cell] ?? { text: '' };
        const room = width - fixedCells(painting, paint);
        const text = heading.wraps === true ? wrapText(painting.text, room, { breaksWords: true }) : fit(painting.text, room);
        return painted({ ...painting, text }, paint);
      }),
    );
  }
  const rows = drawing.toString().split('\n');
  return rows.map((line) => `${line.trimEnd()}\n`).join('');
}

/** A drawn table, and the headings of the columns that do not fit the terminal. */
interface Drawing {
  readonly text: string;
  readonly notShown: readonly string[];
}

/** Draws an aligned table, at most `columns` cells wide. */
export function drawTable(headings: readonly Heading[], rows: readonly Line[], screen: Screen): Drawing {
  const { placed, notShown } = layout(headings, rows, screen);
  const lines = [headLine(headings), ...rows];
  let text = '';
  for (let start = 0; start < lines.length; start += chunkRows) text += drawRows(lines.slice(start, start + chunkRows), placed, screen.paint);
  return { text, notShown };
}

/**
 * A table to which rows are added; the first rows and the `usual` line determine the widths of its columns. `notShown` is filled
 * only with the first rows.
 */
export function growingTable(headings: readonly Heading[], usual: Line, screen: Screen): (rows: readonly Line[]) => Drawing {
  let placed: readonly PlacedColumn[] | undefined;
  return (rows) => {
    if (placed !== undefined) return { text: rows.length === 0 ? '' : drawRows(rows, placed, screen.paint), notShown: [] };
    const first = layout(headings, [usual, ...rows], screen);
    ({ placed } = first);
    return { text: drawRows([headLine(headings), ...rows], placed, screen.paint), notShown: first.notShown };
  };
}
