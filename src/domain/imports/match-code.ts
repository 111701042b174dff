import { codeKey, roundedProblem, type Code } from '../codes/code.js';
import { gtinWithoutZeros, petOfOwnNumber } from '../codes/gtin.js';
import { cellError } from './cells.js';
import { codeInCell } from './code-row.js';
import type { ReadCell } from './pet-cell.js';

/** The keys under which the code in a cell is looked up: its own, and that of the barcode number whose zeros it may have lost. */
export function codeKeysIn(cell: unknown): readonly string[] {
  const found = codeInCell(cell);
  if ('problem' in found) return [];
  const completed = gtinWithoutZeros(found.code);
  return completed === undefined ? [codeKey(found.code)] : [codeKey(found.code), completed];
}

/** Why a cell is not the code of a pet. */
function reasonOf(codes: ReadonlyMap<string, Code>, cell: unknown): string {
  const rounded = typeof cell === 'string' ? roundedProblem(cell.trim()) : undefined;
  if (rounded !== undefined) return `is no code: ${rounded}`;
  const [, completed = ''] = codeKeysIn(cell);
  const meant = codes.get(completed);
  return meant === undefined ? 'is not the code of a pet' : `is not the code of a pet; with a leading zero it is the code of pet ${meant.petId}`;
}

/** Reads the pet of the code in a cell, and the units that one of it means; `codes` has the codes of the shop by their keys. */
export function petByCode(codes: ReadonlyMap<string, Code>): ReadCell {
  return (at, cell) => {
    const [key = ''] = codeKeysIn(cell);
    const found = codes.get(key);
    if (found !== undefined) return found;
    const petId = petOfOwnNumber(key);
    return petId === undefined ? cellError(at, 'unknown_code', reasonOf(codes, cell)) : { petId, units: 1 };
  };
}
