import type { Call } from '../../../domain/call.js';
import type { CodeOfPet } from '../../../domain/codes/codes-cell.js';
import { listCodes } from '../../../domain/codes/list-codes.js';
import type { PetRow } from '../../../domain/pets/pet.js';
import { allRows } from '../../all-pages.js';

/** A pet with its codes, which are read for the rows that show them. */
export interface CodedPet extends PetRow {
  readonly codes?: readonly CodeOfPet[];
}

/** The most pets whose codes one request names: their ids are in its address. */
const petsOfRequest = 100;

/** Adds the codes of pets. */
export async function withCodes(call: Call, rows: readonly CodedPet[]): Promise<readonly CodedPet[]> {
  const found = new Map<number, CodeOfPet[]>(rows.map(({ id }) => [id, []]));
  const ids = [...found.keys()];
  for (let start = 0; start < ids.length; start += petsOfRequest)
    for (const { petId, code, units } of await allRows(call, listCodes, { petId: ids.slice(start, start + petsOfRequest) }))
      found.get(petId)?.push({ code, units });
  return rows.map((row) => ({ ...row, codes: found.get(row.id) ?? [] }));
}
