import Table from 'cli-table3';
import { fit, measure } from './measure.js';
import type { Paint } from './paint.js';

const gap = '  ';
const narrowest = 6;
/** How many rows are drawn at a time: the first appear while the others are drawn. */
const chunkRows = 100;

/** Takes from the widest column until the table fits. */
function shrink(widths: readonly number[], room: number): readonly number[] {
  const fitted = [...widths];
  while (fitted.reduce((sum, width) => sum + width, 0) > room) {
    const widest = Math.max(...fitted);
    if (widest <= narrowest) break;
    fitted[fitted.indexOf(widest)] = widest - 1;
  }
  return fitted;
}

/** A cell and its colour. */
export interface Cell {
  readonly text: string;
  readonly colour: keyof Paint | undefined;
}

/** The head of a column. */
interface Head {
  readonly name: string;
  readonly numeric?: boolean;
}

type Line = readonly Cell[];

/** The width of a terminal in cells, and its colours. */
export interface Screen {
  readonly columns: number;
  readonly paint: Paint;
}

function headLine(heads: readonly Head[]): Line {
  return heads.map(({ name }) => ({ text: name, colour: name === '' ? undefined : 'dim' }));
}

/** How wide columns are that hold these lines and fit the terminal. Only the first lines are measured: the length of the others is near enough. */
function widthsOf(heads: readonly Head[], lines: readonly Line[], columns: number): readonly number[] {
  const natural = heads.map((_, index) =>
    lines.reduce((width, line, row) => {
      const text = line[index]?.text ?? '';
      return Math.max(width, row < chunkRows ? measure(text) : text.length);
    }, 0),
  );
  return shrink(natural, columns - gap.length * (heads.length - 1));
}

const none = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' };
const borderless = { ...none, left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: gap };

function drawn(heads: readonly Head[], lines: readonly Line[], widths: readonly number[], paint: Paint): string {
  const drawing = new Table({
    chars: borderless,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    colWidths: [...widths],
    colAligns: heads.map(({ numeric }) => (numeric === true ? 'right' : 'left')),
  });
  for (const line of lines) {
    drawing.push(
      line.map(({ text, colour }, index) => {
        const shown = fit(text, widths[index] ?? 0);
        return colour ? paint[colour](shown) : shown;
      }),
    );
  }
  const shown = drawing.toString().split('\n');
  return shown.map((line) => `${line.trimEnd()}\n`).join('');
}

/** An aligned table without borders, at most `columns` cells wide, drawn while it is read. */
export function* tableTexts(heads: readonly Head[], rows: readonly Line[], { columns, paint }: Screen): Generator<string, void> {
  const lines = [headLine(heads), ...rows];
  const widths = widthsOf(heads, lines, columns);
  for (let start = 0; start < lines.length; start += chunkRows) yield drawn(heads, lines.slice(start, start + chunkRows), widths, paint);
}

/** The same table as one text. */
export function table(heads: readonly Head[], rows: readonly Line[], screen: Screen): string {
  return [...tableTexts(heads, rows, screen)].join('');
}

/** A table that goes on: its head with the first rows, then the others below, in columns as wide as those and the `usual` texts need. */
export function growingTable(heads: readonly Head[], usual: readonly string[], { columns, paint }: Screen): (rows: readonly Line[]) => string {
  let widths: readonly number[] | undefined;
  return (rows) => {
    const lines = widths === undefined ? [headLine(heads), ...rows] : rows;
    widths ??= widthsOf(heads, [usual.map((text) => ({ text, colour: undefined })), ...lines], columns);
    return lines.length === 0 ? '' : drawn(heads, lines, widths, paint);
  };
}
