import Table from 'cli-table3';
import { fit, measure } from './text-width.js';
import { fixedCells, painted, type Paint, type Painting } from './colours.js';

const gap = '  ';
/** How many rows are drawn at a time: the first appear while the others are drawn. */
const chunkRows = 100;

/** What stands above a column, and how the column gives way in a narrow terminal. */
export interface Heading {
  readonly heading: string;
  /** Numbers stand to the right. */
  readonly numeric?: boolean;
  /** The least cells that its texts may be cut to; without it they are never cut. */
  readonly least?: number;
  /** Which columns are left out first where there is no room, from 1 on; those without follow from the right. */
  readonly leaveOut?: number;
  /** Never left out: where there is no room, the terminal wraps the line. Without `least` it is never cut either. */
  readonly always?: boolean;
  /** Whether the column is left out where none of the rows fills it. */
  readonly onlyFilled?: boolean;
}

type Line = readonly Painting[];

/** The width of a terminal in cells, and its colours. */
export interface Screen {
  readonly columns: number;
  readonly paint: Paint;
}

/** A column of a table: which cell of a line it shows, and how wide. */
interface Place {
  readonly heading: Heading;
  readonly cell: number;
  readonly width: number;
}

/** How wide a column must be for its cells. Only the first lines are measured: the length of the others is near enough. */
function naturalWidth(lines: readonly Line[], cell: number, paint: Paint): number {
  return lines.reduce((width, line, row) => {
    const painting = line[cell] ?? { text: '' };
    return Math.max(width, (row < chunkRows ? measure(painting.text) : painting.text.length) + fixedCells(painting, paint));
  }, 0);
}

const leastWidth = ({ heading: { least }, width }: Place): number => Math.min(width, least ?? width);
const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, gap.length * (widths.length - 1));

/** Leaves out columns until the others fit, cut as far as they may be; at least one stays. */
function withRoom(places: readonly Place[], columns: number): readonly Place[] {
  const spare = places.filter(({ heading: { always } }) => always !== true);
  if (places.length === 1 || spare.length === 0 || sum(places.map(leastWidth)) <= columns) return places;
  const first = Math.min(...spare.map(({ heading: { leaveOut = Infinity } }) => leaveOut));
  const leaving = spare.findLast(({ heading: { leaveOut = Infinity } }) => leaveOut === first);
  return withRoom(
    places.filter((place) => place !== leaving),
    columns,
  );
}

/** Takes from the widest column that may be cut until the table fits. */
function shrunk(places: readonly Place[], columns: number): readonly Place[] {
  const widths = places.map(({ width }) => width);
  // A column that stands alone is cut to the terminal, whatever it holds.
  const least = places.map((place) => (places.length === 1 && place.heading.always !== true ? 1 : leastWidth(place)));
  while (sum(widths) > columns) {
    const widest = Math.max(0, ...widths.filter((width, index) => width > (least[index] ?? 0)));
    if (widest === 0) break;
    widths[widths.findIndex((width, index) => width === widest && width > (least[index] ?? 0))] = widest - 1;
  }
  return places.map((place, index) => ({ ...place, width: widths[index] ?? 0 }));
}

function headLine(headings: readonly Heading[]): Line {
  return headings.map(({ heading }) => ({ text: heading, colour: heading === '' ? undefined : 'bold' }));
}

/** Where the cells of these lines stand in a terminal, and the headings of those that have no room. */
function layout(
  headings: readonly Heading[],
  lines: readonly Line[],
  { columns, paint }: Screen,
): { readonly places: readonly Place[]; readonly notShown: readonly string[] } {
  const filled = headings.flatMap((heading, cell) => {
    if (heading.onlyFilled === true && lines.every((line) => (line[cell]?.text ?? '') === '')) return [];
    return [{ heading, cell, width: Math.max(measure(heading.heading), naturalWidth(lines, cell, paint)) }];
  });
  const kept = withRoom(filled, columns);
  return { places: shrunk(kept, columns), notShown: filled.filter((place) => !kept.includes(place)).map(({ heading }) => heading.heading) };
}

const none = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' };
const borderless = { ...none, left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: gap };

function drawn(lines: readonly Line[], places: readonly Place[], paint: Paint): string {
  const drawing = new Table({
    chars: borderless,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    colWidths: places.map(({ width }) => width),
    colAligns: places.map(({ heading: { numeric } }) => (numeric === true ? 'right' : 'left')),
  });
  for (const line of lines) {
    drawing.push(
      places.map(({ cell, width }) => {
        const painting = line[cell] ?? { text: '' };
        return painted({ ...painting, text: fit(painting.text, width - fixedCells(painting, paint)) }, paint);
      }),
    );
  }
  const shown = drawing.toString().split('\n');
  return shown.map((line) => `${line.trimEnd()}\n`).join('');
}

function* textsOf(lines: readonly Line[], places: readonly Place[], paint: Paint): Generator<string, void> {
  for (let start = 0; start < lines.length; start += chunkRows) yield drawn(lines.slice(start, start + chunkRows), places, paint);
}

/** A table without borders, and the headings of the columns that have no room in the terminal. */
export interface Drawing {
  /** Its text in parts, each drawn when it is read. */
  readonly texts: Iterable<string>;
  readonly notShown: readonly string[];
}

/** Draws an aligned table, at most `columns` cells wide. */
export function drawTable(headings: readonly Heading[], rows: readonly Line[], screen: Screen): Drawing {
  const { places, notShown } = layout(headings, rows, screen);
  return { texts: textsOf([headLine(headings), ...rows], places, screen.paint), notShown };
}

/** A whole table as one text. */
export function tableText(headings: readonly Heading[], rows: readonly Line[], screen: Screen): string {
  return [...drawTable(headings, rows, screen).texts].join('');
}

/** The next rows of a table that goes on; the headings without room come with the first of them. */
export interface Growth {
  readonly text: string;
  readonly notShown: readonly string[];
}

/** A table that goes on: its head with the first rows, then the others below, in columns as wide as those and the usual line need. */
export function growingTable(headings: readonly Heading[], usual: Line, screen: Screen): (rows: readonly Line[]) => Growth {
  let places: readonly Place[] | undefined;
  return (rows) => {
    if (places !== undefined) return { text: rows.length === 0 ? '' : drawn(rows, places, screen.paint), notShown: [] };
    const first = layout(headings, [usual, ...rows], screen);
    ({ places } = first);
    return { text: drawn([headLine(headings), ...rows], places, screen.paint), notShown: first.notShown };
  };
}
