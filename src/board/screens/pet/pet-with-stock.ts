import { call } from '../../state/server/call.js';
import type { AnswerOf } from '../../state/server/contract.js';

/** A pet with its stock, as the screen shows them. */
export interface PetWithStock {
  readonly pet: AnswerOf<'getPetDetails'>;
  readonly stock: AnswerOf<'getInventoryItem'>;
}

/** Reads a pet and its stock. */
export async function readPet(petId: number, signal: AbortSignal): Promise<PetWithStock> {
  const [pet, stock] = await Promise.all([call('getPetDetails', { petId }, { signal }), call('getInventoryItem', { petId }, { signal })]);
  return { pet, stock };
}
