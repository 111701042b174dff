import type { Call } from '../../../domain/call.js';
import type { CodeOfPet } from '../../../domain/codes/codes-cell.js';
import { listCodes } from '../../../domain/codes/list-codes.js';
import type { PetRow } from '../../../domain/pets/pet.js';
import { allRows, rowsOfPets } from '../../all-pages.js';

/** A pet with its codes, which are read for the rows that show them. */
export interface CodedPet extends PetRow {
  readonly codes?: readonly CodeOfPet[];
}

/** Adds the codes of pets. */
export async function withCodes(call: Call, rows: readonly CodedPet[]): Promise<readonly CodedPet[]> {
  const found = new Map<number, CodeOfPet[]>(rows.map(({ id }) => [id, []]));
  const codes = await rowsOfPets([...found.keys()], (petId) => allRows(call, listCodes, { petId }));
  for (const { petId, code, units } of codes) found.get(petId)?.push({ code, units });
  return rows.map((row) => ({ ...row, codes: found.get(row.id) ?? [] }));
}
