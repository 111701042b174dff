import { call } from '../server/call.js';
import type { RowOf } from '../server/contract.js';
import { RefusalError } from '../server/refusal.js';
import { may } from '../session.js';
import { isCode, type TypedPet } from '../typed-pet.js';

/** A pet of a count. */
export type CountPet = RowOf<'listCountPets'>;

/** The pet that a text names, with its figures where it is in the count; or why it names none. */
export type FoundPet =
  | { readonly pet: TypedPet; readonly row?: CountPet | undefined; /** Those of one scan of its code. */ readonly units?: number }
  | { readonly reason: string };

/** The most pets that a field offers. */
const mostOffered = 6;
/** The most pets among which one is looked for whose whole name was typed. */
const mostRead = 100;

/** The first pets of a count whose names contain a text. */
export async function petsNamed(countId: number, text: string): Promise<readonly CountPet[]> {
  const { items } = await call('listCountPets', { countId, q: text, limit: mostOffered });
  return items;
}

/** The only pet with a name, or else the only one whose name contains it. */
function onlyOne<Row extends { readonly name: string }>(rows: readonly Row[], text: string): Row | undefined {
  const same = rows.filter(({ name }) => name.localeCompare(text, undefined, { sensitivity: 'accent' }) === 0);
  const [row, second] = same.length > 0 ? same : rows;
  return second === undefined ? row : undefined;
}

async function byCode(text: string): Promise<FoundPet> {
  try {
    const { petId, name, units } = await call('identifyPet', { text });
    return { pet: { text, id: petId, name }, units };
  } catch (error) {
    if (error instanceof RefusalError && ['pet_not_found', 'ambiguous_pet'].includes(error.code)) return { reason: error.message };
    throw error;
  }
}

/** The pet that a text names: of the count, or else of the shop, which says that it is not in the count. Refuses as `call` does. */
export async function findPet(countId: number, text: string): Promise<FoundPet> {
  if (isCode(text) && may('identifyPet')) return byCode(text);
  const { items } = await call('listCountPets', { countId, q: text, limit: mostRead });
  const row = onlyOne(items, text);
  if (row !== undefined) return { pet: { text, id: row.petId, name: row.name }, row };
  const offers = items.slice(0, mostOffered);
  if (offers.length > 0) return { reason: `Several pets match “${text}”: ${offers.map(({ petId, name }) => `${name} (${petId})`).join(', ')}. Give the id.` };
  const outside = onlyOne((await call('listInventory', { q: text, limit: mostRead })).items, text);
  if (outside === undefined) return { reason: `No pet of this count is named “${text}”.` };
  return { pet: { text, id: outside.petId, name: outside.name } };
}

/** The pet of a count with an id. Refuses as `call` does. */
export async function petById(countId: number, petId: number): Promise<FoundPet> {
  const { items } = await call('listCountPets', { countId, petId, limit: 1 });
  const [row] = items;
  if (row === undefined) return { reason: `Pet ${petId} is not in this count.` };
  return { pet: { text: String(petId), id: petId, name: row.name }, row };
}
