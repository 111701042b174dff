import { identifyPet, type IdentifiedPet } from './identify-pet.js';
import { listPets } from './list-pets.js';
import { StoreError } from '../errors.js';
import type { Call } from '../call.js';
import { maximumPage } from '../values/pages.js';
import { nearest, question } from '../values/suggest.js';
import { normalizeText, shortened } from '../values/text.js';

/** Shorter texts are parts of too many names to say which is meant. */
const shortestPart = 3;

/** A similar name among the first page of pets, else the first name that contains the text; undefined if there is none. */
async function nearestPet(call: Call, name: string): Promise<string | undefined> {
  const { items } = await call(listPets, { limit: maximumPage });
  const similar = nearest(
    name,
    items.map((item) => item.name),
  );
  if (similar !== undefined || normalizeText(name).length < shortestPart) return similar;
  const { items: containing } = await call(listPets, { q: name, sort: 'name', limit: 1 });
  return containing[0]?.name;
}

/**
 * The pet that a user names by its id, a code or its name, and the units that this means; see `identifyPet`. Refuses an unknown text
 * with `missing` or `code_not_found`, and one that names several pets with `ambiguous_pet`. An id that no pet has is returned as it is.
 */
export async function identify(call: Call, text: string, missing: 'pet_not_found' | 'unknown_pet'): Promise<IdentifiedPet> {
  try {
    return await call(identifyPet, { text });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'pet_not_found') throw error;
    const { petText: name = text, reason } = error.details;
    const sentence = reason === 'unknown_name' ? `There is no pet named "${shortened(name)}"${question(await nearestPet(call, name))}` : error.message;
    throw new StoreError(missing, sentence, { details: { petText: text } });
  }
}

/** The id of the pet that a user names; see `identify`. */
export async function findPet(call: Call, text: string, missing: 'pet_not_found' | 'unknown_pet'): Promise<number> {
  return (await identify(call, text, missing)).petId;
}

/** The ids of pets that a user names; refuses like `identify`, an unknown text with `unknown_pet`. */
export async function findPets(call: Call, texts: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const text of texts) ids.push(await findPet(call, text, 'unknown_pet'));
  return ids;
}
