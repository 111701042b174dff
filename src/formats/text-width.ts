import stringWidth from 'string-width';

/** Characters of one cell each: printable ASCII, Latin letters, and those of our tables, charts and sentences. They need no string-width, which takes 35 ms to load. */
const singleCells = /^[ -~\u00a1-\u00ac\u00ae-\u024f\u2026\u2192\u2500-\u259f\u25cf\u2713\u2717]*$/;

/** A cache of widths, because a table measures each text about ten times. */
const widths = new Map<string, number>();
const maximumWidths = 1000;

/** The width of a text in cells of a terminal; colour codes have none. */
export function measure(text: string): number {
  if (singleCells.test(text)) return text.length;
  const known = widths.get(text);
  if (known !== undefined) return known;
  const cells = stringWidth(text);
  if (widths.size >= maximumWidths) widths.clear();
  widths.set(text, cells);
  return cells;
}

/** A text cut to a width in cells, with an ellipsis at the cut. */
export function fit(text: string, width: number): string {
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
