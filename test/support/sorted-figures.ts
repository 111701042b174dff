import { figureAt, type Figure, type SortedFigures } from '../../src/storage/bulk/sorted-figures.js';

/** All figures of a pass. */
export function figuresIn(sorted: SortedFigures): readonly Figure[] {
  return [...sorted.blocks(5)].flatMap(({ numbers, starts }) => [...starts].map((at) => figureAt(numbers, at)));
}
