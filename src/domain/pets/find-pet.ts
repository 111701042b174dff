import { listPets } from './list-pets.js';
import { StoreError } from '../errors.js';
import type { Call } from '../call.js';
import { isIdText } from '../values/ids.js';
import { maximumPage } from '../values/pages.js';
import { exactOrAll, recordName } from '../values/record-name.js';
import { nearest, question } from '../values/suggest.js';
import { joinItems, normalizeText, shortened } from '../values/text.js';

const readPets = 100;
/** Shorter texts are parts of too many names to say which is meant. */
const shortestPart = 3;

/** The end of the sentence about an unknown name: a similar name among the first page of pets, else the first name that contains it. */
async function nearestPet(call: Call, name: string): Promise<string> {
  const { items } = await call(listPets, { limit: maximumPage });
  const similar = nearest(
    name,
    items.map((item) => item.name),
  );
  if (similar !== undefined || normalizeText(name).length < shortestPart) return question(similar);
  const { items: containing } = await call(listPets, { q: name, sort: 'name', limit: 1 });
  return question(containing[0]?.name);
}

/**
 * The id of a pet that a user gives by id or name, see `exactOrAll`. Refuses an unknown name with `missing`, and a name of several
 * pets with `ambiguous_pet`. An id is not looked up.
 */
export async function findPet(call: Call, text: string, missing: 'pet_not_found' | 'unknown_pet'): Promise<number> {
  const details = { petText: text };
  const name = recordName(text);
  if (name === undefined) {
    if (isIdText(text) && Number.isSafeInteger(Number(text))) return Number(text);
    throw new StoreError(missing, `There is no pet ${text}.`, { details });
  }
  const { items } = await call(listPets, { name, sort: 'name', limit: readPets });
  const named = exactOrAll(items, normalizeText(name));
  const [found, second] = named;
  if (found === undefined) throw new StoreError(missing, `There is no pet named "${shortened(name)}"${await nearestPet(call, name)}`, { details });
  if (second === undefined) return found.id;
  const count = named.length < readPets ? named.length : `at least ${readPets}`;
  throw new StoreError('ambiguous_pet', `"${shortened(name)}" names ${count} pets: ${joinItems(named.map(({ id }) => id))}; give the id.`, {
    details: { petText: name },
  });
}

/** The ids of pets that a user gives by id or name; refuses like `findPet`, an unknown name with `unknown_pet`. */
export async function findPets(call: Call, texts: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const text of texts) ids.push(await findPet(call, text, 'unknown_pet'));
  return ids;
}
