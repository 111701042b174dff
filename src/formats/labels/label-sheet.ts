import { StoreError } from '../../domain/errors.js';
import type { Label, LabelSize } from './label.js';
import { svgLabel, type DrawBars } from './svg-label.js';

/** A sheet of labels in columns and rows that fill a sheet of paper. */
export interface Sheet {
  readonly paper: keyof typeof papers;
  readonly columns: number;
  readonly rows: number;
}

/** The sizes of paper, in millimetres. */
const papers = { A4: { width: 210, height: 297 }, A5: { width: 148, height: 210 }, letter: { width: 215.9, height: 279.4 } } as const satisfies Readonly<
  Record<string, LabelSize>
>;

const smallest = 10;
const largest = 300;
const mostCells = 30;

/** Reads the size of a label: "50x25". Refuses with `usage`. */
export function labelSize(text: string, name: string): LabelSize {
  const [, width, height] = /^(\d{1,3}(?:\.\d)?)x(\d{1,3}(?:\.\d)?)$/.exec(text) ?? [];
  const size = { width: Number(width), height: Number(height) };
  if (Object.values(size).every((length) => length >= smallest && length <= largest)) return size;
  throw new StoreError('usage', `${name} takes a width and a height of ${smallest} to ${largest} mm, such as 50x25, not "${text}".`);
}

/** Reads a sheet: "A4:3x8". Refuses with `usage`. */
export function labelSheet(text: string, name: string): Sheet {
  const [, paper, columns, rows] = /^(A4|A5|letter):(\d{1,2})x(\d{1,2})$/i.exec(text) ?? [];
  const known = Object.keys(papers).find((one) => one.toLowerCase() === paper?.toLowerCase()) as Sheet['paper'] | undefined;
  const cells = [Number(columns), Number(rows)] as const;
  if (known !== undefined && cells.every((count) => count >= 1 && count <= mostCells)) return { paper: known, columns: cells[0], rows: cells[1] };
  throw new StoreError('usage', `${name} takes A4, A5 or letter with columns and rows, such as A4:3x8, not "${text}".`);
}

/** The size of each label of a sheet. */
function cellOf({ paper, columns, rows }: Sheet): LabelSize {
  const { width, height } = papers[paper];
  return { width: Math.floor((width / columns) * 10) / 10, height: Math.floor((height / rows) * 10) / 10 };
}

/** How labels are laid out: on a sheet, of which the first `skipped` places are empty, or each on a page of its own. */
export type Layout = { readonly sheet: Sheet; readonly skipped: number } | { readonly size: LabelSize };

/** Labels as a page that prints to scale: without a border of the paper and without a header. */
export function htmlPage(labels: readonly Label[], layout: Layout, draw: DrawBars): string {
  const size = 'sheet' in layout ? cellOf(layout.sheet) : layout.size;
  const page = 'sheet' in layout ? papers[layout.sheet.paper] : layout.size;
  const [columns, skipped, perPage] = 'sheet' in layout ? [layout.sheet.columns, layout.skipped, layout.sheet.columns * layout.sheet.rows] : [1, 0, 1];
  const drawn = new Map<Label, string>();
  const cells = [
    ...Array.from({ length: skipped }, () => ''),
    ...labels.map((label) => drawn.get(label) ?? remember(drawn, label, svgLabel(label, size, draw))),
  ];
  const pages: string[] = [];
  for (let start = 0; start < cells.length; start += perPage) {
    pages.push(
      `<section>\n${cells
        .slice(start, start + perPage)
        .map((cell) => `<div>${cell}</div>`)
        .join('\n')}\n</section>`,
    );
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Labels</title>
<style>
@page { size: ${page.width}mm ${page.height}mm; margin: 0; }
body { margin: 0; }
section { display: grid; grid-template-columns: repeat(${columns}, ${size.width}mm); grid-auto-rows: ${size.height}mm; width: ${page.width}mm; height: ${page.height}mm; overflow: hidden; break-after: page; }
section:last-child { break-after: auto; }
svg { display: block; }
</style>
</head>
<body>
${pages.join('\n')}
</body>
</html>
`;
}

function remember<Key>(drawn: Map<Key, string>, key: Key, text: string): string {
  drawn.set(key, text);
  return text;
}
