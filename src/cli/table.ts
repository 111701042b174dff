import Table from 'cli-table3';
import type { Paint } from './paint.js';

const gap = 2;
const narrowest = 6;
// cli-table3 slows down with the square of its rows.
const rowsPerTable = 200;

const edges = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
];
const noBox = { ...Object.fromEntries(edges.map((edge) => [edge, ''])), middle: ' '.repeat(gap) };

/** How many cells of a terminal a text takes. */
export type Measure = (text: string) => number;

const plainText = /^[\x20-\x7e]*$/;

/** The measure these texts need; string-width knows wide characters, and takes long to load. */
async function measureFor(texts: readonly string[]): Promise<Measure> {
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

/** An aligned table without a box, at most `columns` cells wide. */
export async function table(
  heads: readonly { readonly name: string; readonly numeric?: boolean }[],
  rows: readonly (readonly Cell[])[],
  columns: number,
  paint: Paint,
): Promise<string> {
  const measure = await measureFor([...heads.map(({ name }) => name), ...rows.flatMap((row) => row.map(({ text }) => text))]);
  const natural = heads.map(({ name }, index) => rows.reduce((width, row) => Math.max(width, measure(row[index]?.text ?? '')), measure(name)));
  const widths = shrink(natural, columns - gap * (heads.length - 1));
  let text = '';
  for (let start = 0; start < rows.length; start += rowsPerTable) {
    const part = new Table({
      chars: noBox,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
      colWidths: [...widths],
      colAligns: heads.map(({ numeric }) => (numeric === true ? 'right' : 'left')),
      ...(start === 0 && { head: heads.map(({ name }, index) => paint.dim(fit(name, widths[index] ?? 0, measure))) }),
    });
    part.push(
      ...rows
        .slice(start, start + rowsPerTable)
        .map((row) => row.map(({ text: cell, colour }, index) => painted(paint, colour, fit(cell, widths[index] ?? 0, measure)))),
    );
    text += `${part.toString()}\n`;
  }
  return text.replaceAll(/ +$/gm, '');
}

function painted(paint: Paint, colour: keyof Paint | undefined, text: string): string {
  return colour ? paint[colour](text) : text;
}
