import { identifyPet } from '../identify-pet.js';
import { call } from '../server/call.js';
import type { RowOf } from '../server/contract.js';
import type { TypedPet } from '../typed-pet.js';

/** A pet of a count. */
export type CountPet = RowOf<'listCountPets'>;

/** The most pets that a field offers. */
const mostOffered = 6;

/** The first pets of a count whose names contain a text. */
export async function petsNamed(countId: number, text: string): Promise<readonly CountPet[]> {
  const { items } = await call('listCountPets', { countId, q: text, limit: mostOffered });
  return items;
}

/** The pet that a text names, and the units of one scan of it. Refuses as `call` does. */
export async function findPet(text: string): Promise<{ readonly pet: TypedPet; readonly units: number }> {
  const { petId, name, units } = await identifyPet(text);
  return { pet: { text, id: petId, name }, units };
}

/** A pet of a count with its figures; undefined for a pet that is not in it. Refuses as `call` does. */
export async function countPet(countId: number, petId: number): Promise<CountPet | undefined> {
  const { items } = await call('listCountPets', { countId, petId, limit: 1 });
  return items[0];
}
