import { codeFields, codeText, roundedProblem, type Code } from '../codes/code.js';
import { codeNotFound, findCode } from '../codes/get-code.js';
import { gtinKey, gtinWithoutZeros } from '../codes/gtin.js';
import { StoreError, type ErrorDetails } from '../errors.js';
import { readOperation } from '../operation.js';
import type { ReadTransaction } from '../transaction.js';
import { idIn, idNumber } from '../values/ids.js';
import { exactOrAll } from '../values/record-name.js';
import { field, optional, record } from '../values/schemas.js';
import { joinItems, nameText, normalizeText, searchText, shortened } from '../values/text.js';
import { markedText } from './marked-text.js';
import { examplePet, type PetRow } from './pet.js';
import * as v from 'valibot';

/** The pet that a text names. */
export const identifiedPet = record('IdentifiedPet', 'The pet that a text names: an id, a code or a name.', {
  petId: field(idNumber, 'ID of the pet.'),
  name: optional(nameText, 'Name of the pet; absent for an id that no pet of the shop has.'),
  code: optional(codeFields.code, 'The code that the text equals; absent for an id or a name.'),
  units: field(codeFields.units, 'Units that the text means: those of the code, otherwise 1.'),
});

/** The pet that a text names. */
export type IdentifiedPet = v.InferOutput<typeof identifiedPet>;

const mostNamed = 100;

const unknownPet = (sentence: string, petText: string, details: ErrorDetails = {}): StoreError =>
  new StoreError('pet_not_found', sentence, { details: { petText, ...details } });

async function withName(tx: ReadTransaction, { petId, code, units }: Code): Promise<IdentifiedPet> {
  const found = await tx.pets.get(petId);
  return { petId, ...(found && { name: found.name }), code, units };
}

/** The stored code, or the own number of the shop, that equals a text; undefined for a text that cannot be a code. */
async function codeOf(tx: ReadTransaction, text: string): Promise<Code | undefined> {
  const parsed = v.safeParse(codeText, text);
  return parsed.success ? findCode(tx, parsed.output) : undefined;
}

/** The pet of digits: of the pet with that id and the pet with that code, the one that exists. An id that no pet has is returned as it is. */
async function byDigits(tx: ReadTransaction, text: string): Promise<IdentifiedPet> {
  const petId = idIn(text);
  const [code, pet] = [await codeOf(tx, text), petId === undefined ? undefined : await tx.pets.get(petId)];
  if (code !== undefined) {
    const found = await withName(tx, code);
    if (pet === undefined || pet.id === code.petId) return found;
    const sentence = `${text} is the id of ${pet.name} (pet ${pet.id}) and a code of ${found.name} (pet ${code.petId}); write id:${text} or code:${text}.`;
    throw new StoreError('ambiguous_pet', sentence, { details: { petText: text } });
  }
  if (pet !== undefined) return { petId: pet.id, name: pet.name, units: 1 };
  const completed = gtinWithoutZeros(text);
  const meant = completed === undefined ? undefined : await findCode(tx, completed);
  if (meant !== undefined) {
    const { name } = await withName(tx, meant);
    throw unknownPet(`There is no pet ${text}. With a leading zero it is the code of ${name} (pet ${meant.petId}); spreadsheets drop leading zeros.`, text);
  }
  if (gtinKey(text) !== undefined) throw unknownPet(`There is no pet with the id or the code ${text}.`, text);
  if (petId === undefined) throw unknownPet(`There is no pet ${text}.`, text);
  return { petId, units: 1 };
}

async function petsNamed(tx: ReadTransaction, name: string): Promise<readonly PetRow[]> {
  return exactOrAll(await tx.pets.list({ name }, { sort: 'name', descending: false, from: undefined, limit: mostNamed }), normalizeText(name));
}

/** The pet of a name. Refuses with `pet_not_found`, and with `ambiguous_pet` where several pets have it. */
function onlyNamed(named: readonly PetRow[], name: string): IdentifiedPet {
  const [found, second] = named;
  if (found === undefined) throw unknownPet(`There is no pet named "${shortened(name)}".`, name, { reason: 'unknown_name' });
  if (second === undefined) return { petId: found.id, name: found.name, units: 1 };
  const count = named.length < mostNamed ? named.length : `at least ${mostNamed}`;
  throw new StoreError('ambiguous_pet', `"${shortened(name)}" names ${count} pets: ${joinItems(named.map(({ id }) => id))}; give the id.`, {
    details: { petText: name },
  });
}

/** The pet of a text that is not digits: a code that equals it, else a name. */
async function byText(tx: ReadTransaction, text: string): Promise<IdentifiedPet> {
  const [code, named] = [await codeOf(tx, text), await petsNamed(tx, text)];
  if (code === undefined) {
    const rounded = named.length === 0 ? roundedProblem(text.trim()) : undefined;
    if (rounded !== undefined) throw unknownPet(`${text} is no code: ${rounded}.`, text);
    return onlyNamed(named, text);
  }
  const found = await withName(tx, code);
  const others = named.filter(({ id }) => id !== code.petId);
  if (others.length === 0) return found;
  const sentence = `"${shortened(text)}" is a code of ${found.name} (pet ${code.petId}) and the name of pet ${joinItems(others.map(({ id }) => id))}; write code:${text} or the id.`;
  throw new StoreError('ambiguous_pet', sentence, { details: { petText: text } });
}

async function byCode(tx: ReadTransaction, text: string): Promise<IdentifiedPet> {
  const found = await codeOf(tx, text);
  if (found === undefined) throw codeNotFound(text);
  return withName(tx, found);
}

/** Finds the pet that a text names. Every interface decides by it what a text means. */
export const identifyPet = readOperation({
  id: 'identifyPet',
  summary: 'Find the pet that a text names',
  description:
    'Finds the pet that a text names: the id or a code if it is digits, otherwise a code or a name. `id:7`, `code:4006381333931` and `name:Rex` say which. An id that no pet has is answered without a name.',
  tag: 'Pets',
  stability: 'beta',
  path: '/scan',
  input: v.strictObject({ text: field(searchText, 'The id, the code or the name.') }),
  output: identifiedPet,
  refuses: ['pet_not_found', 'code_not_found', 'ambiguous_pet'],
  example: { answer: { petId: 7, name: examplePet.name, code: '4006381333931', units: 1 } },
  cost: 'page',
  run: async (tx, { text: typed }) => {
    const { marker, text } = markedText(typed);
    if (marker === 'code') return byCode(tx, text);
    if (marker === 'name') return onlyNamed(await petsNamed(tx, text), text);
    if (marker === 'id') {
      const petId = idIn(text);
      if (petId === undefined) throw unknownPet(`There is no pet ${text}.`, typed);
      const pet = await tx.pets.get(petId);
      return { petId, ...(pet && { name: pet.name }), units: 1 };
    }
    return /^\d+$/.test(text) ? byDigits(tx, text) : byText(tx, text);
  },
});
