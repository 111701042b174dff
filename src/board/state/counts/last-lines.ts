import type { RowOf } from '../server/contract.js';
import type { TypedLine } from './line-queue.js';

/** A line as the list shows it: one that was typed in this page, or one that the shop has from elsewhere. */
export type ShownLine = Omit<TypedLine, 'by' | 'also'>;

type CountLine = RowOf<'listCountLines'>;

/** A line of the shop. What the lines of its pet came to with it is not known. */
function shownLine(countId: number, { id, petId, name, number, adds, onHand, undone, key = `line ${id}` }: CountLine): ShownLine {
  const pet = { text: name, id: petId, name };
  return { key, countId, pet, number, adds, awaitsUndo: false, state: undone ? { is: 'undone' } : { is: 'stored', id, onHand } };
}

/** The most refused lines that are shown below the last lines; others follow as somebody dismisses these. */
const mostRefused = 50;

/**
 * The last lines of a count, newest first: those of this page, and then those that the shop has from before it was loaded. Older
 * lines that were refused follow, so that none is overlooked.
 */
export function lastLines(countId: number, typed: readonly TypedLine[], stored: readonly CountLine[], most: number): readonly ShownLine[] {
  const own = typed.filter((line) => line.countId === countId).toReversed();
  const keys = new Set(own.map(({ key }) => key));
  const others = stored.map((line) => shownLine(countId, line)).filter(({ key }) => !keys.has(key));
  const refused = own.slice(most).filter(({ state }) => state.is === 'refused');
  return [...[...own, ...others].slice(0, most), ...refused.slice(0, mostRefused)];
}
