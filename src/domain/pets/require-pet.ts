import type { PetRow } from './pet.js';
import { notFound } from '../values/ids.js';
import type { ReadTransaction } from '../transaction.js';

/** Reads a pet. Refuses with `pet_not_found`. */
export async function requirePet(tx: ReadTransaction, id: number): Promise<PetRow> {
  const found = await tx.pets.get(id);
  if (found === undefined) throw notFound('pet', id);
  return found;
}
