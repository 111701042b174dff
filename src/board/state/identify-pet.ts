import { call } from './server/call.js';
import type { AnswerOf } from './server/contract.js';
import { RefusalError } from './server/refusal.js';
import { may } from './session.js';
import { petOf } from './typed-pet.js';

/** The pet that a text names, and the units that it means. */
export type Named = AnswerOf<'identifyPet'>;

/** The pet that a text names. A token that may not read pets finds it by its id. Refuses as `call` does, and with `pet_not_found`. */
export async function identifyPet(text: string): Promise<Named> {
  if (may('identifyPet')) return call('identifyPet', { text });
  const { id } = petOf(text);
  if (id === undefined) throw new RefusalError('pet_not_found', `There is no pet with the id ${text}.`, 404);
  return { ...(await call('getInventoryItem', { petId: id })), units: 1 };
}
