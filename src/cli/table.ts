import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { Paint } from './paint.js';

const gap = 2;
const narrowest = 6;
// cli-table3 slows down with the square of its rows.
const rowsPerTable = 200;

const edges = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
const noBox = { ...Object.fromEntries(edges.map((edge) => [edge, ''])), middle: ' '.repeat(gap) };

/** A text cut to a width in cells, with an ellipsis where something is missing; colour codes take no room. */
export function fit(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const size = stringWidth(segment);
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
export function table(heads: readonly { readonly name: string; readonly numeric?: boolean }[], rows: readonly (readonly Cell[])[], columns: number, paint: Paint): string {
  const natural = heads.map(({ name }, index) => Math.max(stringWidth(name), ...rows.map((row) => stringWidth(row[index]?.text ?? ''))));
  const widths = shrink(natural, columns - gap * (heads.length - 1));
  let text = '';
  for (let start = 0; start < rows.length; start += rowsPerTable) {
    const part = new Table({
      chars: noBox,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
      colWidths: [...widths],
      colAligns: heads.map(({ numeric }) => (numeric === true ? 'right' : 'left')),
      ...(start === 0 && { head: heads.map(({ name }, index) => paint.dim(fit(name, widths[index] ?? 0))) }),
    });
    part.push(...rows.slice(start, start + rowsPerTable).map((row) => row.map(({ text: cell, colour }, index) => painted(paint, colour, fit(cell, widths[index] ?? 0)))));
    text += `${part.toString()}\n`;
  }
  return text.replaceAll(/ +$/gm, '');
}

function painted(paint: Paint, colour: keyof Paint | undefined, text: string): string {
  return colour ? paint[colour](text) : text;
}
