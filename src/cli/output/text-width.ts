import stringWidth from 'string-width';

/** Characters of one cell each: printable ASCII, Latin letters, and what tables and charts draw. string-width takes 35 ms to load. */
const singleCells = /^[ -~\u00a1-\u00ac\u00ae-\u024f\u2026\u2500-\u259f\u25cf]*$/;

/** The latest texts that were measured: a table asks ten times for each. */
const measured = new Map<string, number>();
const mostMeasured = 1000;

/** How many cells of a terminal a text takes; colour codes take none. */
export function measure(text: string): number {
  if (singleCells.test(text)) return text.length;
  const known = measured.get(text);
  if (known !== undefined) return known;
  const cells = stringWidth(text);
  if (measured.size >= mostMeasured) measured.clear();
  measured.set(text, cells);
  return cells;
}

/** A text cut to a width in cells, with an ellipsis where something is missing. */
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
