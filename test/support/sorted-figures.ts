import { figureAt, type Figure, type SortedFigures } from '../../src/storage/bulk/sorted-figures.js';

/** All figures of a pass. */
export function figuresIn(sorted: SortedFigures): readonly Figure[] {
  const next = sorted.pass();
  const figures: Figure[] = [];
  for (let row = next(); row !== undefined; row = next()) figures.push(figureAt(row.numbers, row.at));
  return figures;
}
