import { cellError } from './cells.js';
import type { ReadCell } from './pet-cell.js';
import { exactOrAll } from '../values/record-name.js';
import { fold, joinItems, normalizeText } from '../values/text.js';

/** The live pets of one name: the first ids, ascending, and how many pets have it. */
export interface NamedPets {
  readonly name: string;
  readonly ids: readonly number[];
  readonly count: number;
}

/** The live pets by folded name, in the spellings that they have. */
export type PetsByName = ReadonlyMap<string, readonly NamedPets[]>;

/** More than a name of 100 code points takes when it is decomposed and surrounded by spaces. */
const longestNameCell = 2000;

/** The folded name in a cell; undefined for a cell that cannot be the name of a pet. */
export function foldedNameIn(cell: unknown): string | undefined {
  if (typeof cell !== 'string' || cell.length > longestNameCell || !cell.isWellFormed() || cell.includes('\0')) return undefined;
  const folded = fold(normalizeText(cell));
  return folded === '' ? undefined : folded;
}

/** Reads the pet of a name, see `exactOrAll`; a name of several pets is refused with their ids. */
export function petByName(pets: PetsByName): ReadCell {
  return (at, cell) => {
    const folded = foldedNameIn(cell);
    const spellings = (folded === undefined ? undefined : pets.get(folded)) ?? [];
    const found = typeof cell === 'string' ? exactOrAll(spellings, normalizeText(cell)) : spellings;
    const ids = found.flatMap((one) => one.ids).toSorted((left, right) => left - right);
    const count = found.reduce((sum, one) => sum + one.count, 0);
    const [first] = ids;
    if (first === undefined) return cellError(at, 'unknown_pet', 'is not the name of a pet');
    if (count === 1) return { petId: first, units: 1 };
    return cellError(at, 'ambiguous_pet', `is the name of ${count} pets: ${joinItems(ids, count)}`);
  };
}
