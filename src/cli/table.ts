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

/**
 * An aligned table without a box, at most `columns` cells wide. Drawn here because a table package measures text on
 * its own, and wrongly beside combining marks, and takes longer for a page than the whole command.
 */
export async function table(
  heads: readonly { readonly name: string; readonly numeric?: boolean }[],
  rows: readonly (readonly Cell[])[],
  columns: number,
  paint: Paint,
): Promise<string> {
  const measure = await measureFor([...heads.map(({ name }) => name), ...rows.flatMap((row) => row.map(({ text }) => text))]);
  const natural = heads.map(({ name }, index) => rows.reduce((width, row) => Math.max(width, measure(row[index]?.text ?? '')), measure(name)));
  const widths = shrink(natural, columns - gap.length * (heads.length - 1));
  const line = (cells: readonly Cell[]): string => {
    const parts = cells.map(({ text, colour }, index) => {
      const width = widths[index] ?? 0;
      const shown = fit(text, width, measure);
      const space = ' '.repeat(Math.max(0, width - measure(shown)));
      const painted = colour ? paint[colour](shown) : shown;
      return heads[index]?.numeric === true ? space + painted : painted + space;
    });
    return `${parts.join(gap).trimEnd()}\n`;
  };
  return line(heads.map(({ name }) => ({ text: name, colour: name === '' ? undefined : 'dim' }))) + rows.map(line).join('');
}
