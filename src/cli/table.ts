import type { Paint } from './paint.js';

const gap = '  ';
const narrowest = 6;

/** How many cells of a terminal a text takes. */
export type Measure = (text: string) => number;

const plainText = /^[\x20-\x7e]*$/;

/** The measure these texts need; string-width knows wide and combining characters, and takes long to load. */
export async function measureFor(texts: readonly string[]): Promise<Measure> {
  if (texts.every((text) => plainText.test(text))) return (text) => text.length;
  return (await import('string-width')).default;
}

/** A text cut to a width in cells, with an ellipsis where something is missing. */
export function fit(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const size = measure(segment);
    if (used + size > width - 1) break;
    kept += segment;
    used += size;
  }
  return `${kept}…`;
}

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

function headLine(heads: readonly Head[]): Line {
  return heads.map(({ name }) => ({ text: name, colour: name === '' ? undefined : 'dim' }));
}

async function measureOf(lines: readonly Line[]): Promise<Measure> {
  return measureFor(lines.flatMap((line) => line.map(({ text }) => text)));
}

/** How wide columns are that hold these lines and fit the terminal. */
function widthsOf(heads: readonly Head[], lines: readonly Line[], columns: number, measure: Measure): readonly number[] {
  const natural = heads.map((_, index) => lines.reduce((width, line) => Math.max(width, measure(line[index]?.text ?? '')), 0));
  return shrink(natural, columns - gap.length * (heads.length - 1));
}

function drawn(heads: readonly Head[], lines: readonly Line[], widths: readonly number[], paint: Paint, measure: Measure): string {
  const texts = lines.map((line) => {
    const parts = line.map(({ text, colour }, index) => {
      const width = widths[index] ?? 0;
      const shown = fit(text, width, measure);
      const space = ' '.repeat(Math.max(0, width - measure(shown)));
      const painted = colour ? paint[colour](shown) : shown;
      return heads[index]?.numeric === true ? space + painted : painted + space;
    });
    return `${parts.join(gap).trimEnd()}\n`;
  });
  return texts.join('');
}

/**
 * An aligned table without a box, at most `columns` cells wide. Drawn here because a table package measures text on
 * its own, and wrongly beside combining marks, and takes longer for a page than the whole command.
 */
export async function table(heads: readonly Head[], rows: readonly Line[], columns: number, paint: Paint): Promise<string> {
  const lines = [headLine(heads), ...rows];
  const measure = await measureOf(lines);
  return drawn(heads, lines, widthsOf(heads, lines, columns, measure), paint, measure);
}

/** A table that goes on: its head with the first rows, then the others below, in columns as wide as those and the `usual` texts need. */
export function growingTable(heads: readonly Head[], usual: readonly string[], columns: number, paint: Paint): (rows: readonly Line[]) => Promise<string> {
  let widths: readonly number[] | undefined;
  return async (rows) => {
    const lines = widths === undefined ? [headLine(heads), ...rows] : rows;
    const measure = await measureOf(lines);
    widths ??= widthsOf(heads, [usual.map((text) => ({ text, colour: undefined })), ...lines], columns, measure);
    return drawn(heads, lines, widths, paint, measure);
  };
}
