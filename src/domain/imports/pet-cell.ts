import { markedText } from '../pets/marked-text.js';
import { isIdText } from '../values/ids.js';
import { cellError, integerIn, isBlank, type CellAt, type FileRow } from './cells.js';
import type { RowError } from './row-error.js';

/** How the rows of a file say which pet they mean. */
export const petMatches = ['id', 'name', 'code'] as const;
/** One of them. */
export type PetMatch = (typeof petMatches)[number];

/** The pet that a row means, and how many units a quantity or a change of 1 means. */
export interface MeantPet {
  readonly petId: number;
  readonly units: number;
}

/** Reads the pet of a row; an error if the row names none. */
export type ReadPet = (row: FileRow) => MeantPet | RowError;

/** Reads the pet of a cell without its marker; `at` is the cell as in the file, for an error. */
export type ReadCell = (at: CellAt, cell: unknown) => MeantPet | RowError;

/** A cell that names a pet: how, where it is, and its content without a marker such as `code:`. */
export interface PetCell {
  readonly by: PetMatch;
  readonly column: string;
  readonly cell: unknown;
  readonly content: unknown;
}

/** The cells of a row that may name its pet, the first choice first: how each does, and its index. */
export type PetCells = readonly (readonly [by: PetMatch, index: number])[];

const columnOf: Readonly<Record<PetMatch, string>> = { id: 'petId', name: 'name', code: 'code' };

/** Whether the text of a file may have cells with a marker such as `code:`. */
export function mayHaveMarkers(text: string): boolean {
  return text.includes('id:') || text.includes('code:') || text.includes('name:');
}

/** The cell of a row that names its pet: the first one that is not blank, or else the first one that the row has. */
export function petCellOf({ cells }: FileRow, choices: PetCells): PetCell {
  const [by, index] = choices.find(([, at]) => !isBlank(cells[at])) ?? choices.find(([, at]) => cells[at] !== undefined) ?? choices[0] ?? ['id', 0];
  const cell = cells[index];
  const marked = typeof cell === 'string' ? markedText(cell) : undefined;
  const column = columnOf[by];
  return marked?.marker === undefined ? { by, column, cell, content: cell } : { by: marked.marker, column, cell, content: marked.text };
}

/** Whether a number is the id of a pet that may exist. */
export function isPetId(id: number): boolean {
  return id >= 1 && Number.isSafeInteger(id);
}

/** The pet of the id in a cell. An id above 2^53 − 1 was never assigned: it is `unknown_pet`, and never rounded to another id. */
export const petById: ReadCell = (at, cell) => {
  const id = integerIn(cell, 'no plus');
  if (id !== undefined && isPetId(id)) return { petId: id, units: 1 };
  const isInt64 = typeof cell === 'string' && isIdText(cell.trim().replace(/^0+/, ''));
  return cellError(at, isInt64 ? 'unknown_pet' : 'invalid_pet_id', 'is not the id of a pet');
};
