import { call } from '../../state/server/call.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { may } from '../../state/session.js';

/** A pet with its stock, as the screen shows them. */
export interface PetWithStock {
  /** Undefined for a session that may read only the stock. */
  readonly pet: AnswerOf<'getPetDetails'> | undefined;
  readonly stock: AnswerOf<'getInventoryItem'>;
}

/** Reads a pet and its stock. */
export async function readPet(petId: number, signal: AbortSignal): Promise<PetWithStock> {
  const [pet, stock] = await Promise.all([
    may('getPetDetails') ? call('getPetDetails', { petId }, { signal }) : undefined,
    call('getInventoryItem', { petId }, { signal }),
  ]);
  return { pet, stock };
}
