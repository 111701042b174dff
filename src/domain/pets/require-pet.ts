import type { PetRow } from './pet.js';
import { requireRecord } from '../values/ids.js';
import type { ReadTransaction } from '../transaction.js';

/** Reads a pet. Refuses with `pet_not_found`. */
export async function requirePet(tx: ReadTransaction, id: number): Promise<PetRow> {
  return requireRecord('pet', id, await tx.pets.get(id));
}
