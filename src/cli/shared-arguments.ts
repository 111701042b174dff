import { maximumCode } from '../domain/codes/code.js';
import { gtinKey } from '../domain/codes/gtin.js';
import { StoreError, unlessRefused } from '../domain/errors.js';
import type { LookupKind } from '../domain/lookup.js';
import { identify } from '../domain/pets/find-pet.js';
import type { IdentifiedPet } from '../domain/pets/identify-pet.js';
import { isIdText } from '../domain/values/ids.js';
import type { IdNoun } from '../domain/values/schemas.js';
import { argument, repeated, type ReadContext, type SingleArgument } from './arguments.js';
import { completeFiles, completeProfiles, completeRecords } from './completion/completers.js';
import { idOf, isPetName, nameText } from './readers.js';
import type { Prompt } from './prompts/prompt.js';
import { categoryPrompt, listed, listPrompt, orderPrompt, petPrompt } from './prompts/shared-prompts.js';

/** An argument that takes any text. */
export const textArgument = argument({ read: (text) => text });

/** An argument that names a file; refuses an empty name with `usage`. */
export const fileArgument = argument({ read: (text) => nameText(text, 'The name of the file'), complete: completeFiles });

/** The id of a record; `-` reads ids from standard input where it is repeated. */
function idArgument(noun: IdNoun, completed: LookupKind, prompt: Prompt): SingleArgument<number, Prompt> {
  const read = idOf(noun);
  return argument({ read: (text) => read(text), complete: completeRecords(completed), dashReadsStdin: true, prompt });
}

/** The pet that is given by id, code or name, and the units that this means. Refuses with `pet_not_found` and `ambiguous_pet`. */
export async function scannedPet(text: string, { call }: Pick<ReadContext, 'call'>): Promise<IdentifiedPet> {
  const mayName = isPetName(text) || gtinKey(text) !== undefined || (isIdText(text) && Number.isSafeInteger(Number(text)));
  if (mayName) return identify(call, text, 'pet_not_found');
  // A number that no pet can have as its id may be a code, such as 12.345.678.
  const found = text.length <= maximumCode ? await unlessRefused(identify(call, `code:${text}`, 'pet_not_found'), 'code_not_found') : undefined;
  return found ?? { petId: idOf('pet')(text), units: 1 };
}

/** The id of a pet that is given by id, code or name. Refuses like `scannedPet`. */
export async function readPet(text: string, context: Pick<ReadContext, 'call'>): Promise<number> {
  return (await scannedPet(text, context)).petId;
}

/** Waits for an operation that gets the pet of an argument in its body, and refuses a missing one like `readPet`, with `pet_not_found`. */
export async function withPetArgument<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unknown_pet') throw error;
    throw new StoreError('pet_not_found', error.message, { details: { ...error.details, petText: String(error.details.petId) }, cause: error });
  }
}

/** A pet by its id or name. */
export const petArgument = argument({ read: readPet, complete: completeRecords('pet'), dashReadsStdin: true, prompt: petPrompt('Which pet?') });

/** Any number of pets, which are not asked for. */
export const anyPets = { ...repeated(argument({ read: readPet, complete: completeRecords('pet'), dashReadsStdin: true })), required: false };

/** The same with the units that one scan means. */
export const scannedPetArgument = argument({ read: scannedPet, complete: completeRecords('pet'), dashReadsStdin: true, prompt: petPrompt('Which pet?') });

/** The same for a change of its stock: at a terminal the shop can get its first pet. */
export const stockedPetArgument = argument({
  read: scannedPet,
  complete: completeRecords('pet'),
  prompt: petPrompt('Which pet?', { offersMissing: true }),
});

/** A category by its id or name; `findCategory` finds its id. */
export const categoryArgument = argument({ read: (text) => text, complete: completeRecords('category'), prompt: categoryPrompt('Which category?') });

/** The id of a bulk import: of any one, or of one that can be undone. */
export function batchArgument(completed: 'batch' | 'undoableBatch'): SingleArgument<number, Prompt> {
  return idArgument('batch', completed, listPrompt(completed, listed('Which import?', 'inventory', 'batch', 'list')));
}

/** The kinds of orders that a command takes. Open orders include drafts; reserved ones name a pet. */
const orderKinds = {
  any: { completed: 'order', question: 'Which order?', filter: {} },
  open: { completed: 'openOrder', question: 'Which open order?', filter: { complete: false } },
  reserved: { completed: 'reservedOrder', question: 'Which open order?', filter: { complete: false, draft: false } },
  complete: { completed: 'completeOrder', question: 'Which complete order?', filter: { complete: true } },
} as const;

/** The id of an order; completion and prompt show those of a kind only. */
export function orderArgument(kind: keyof typeof orderKinds): SingleArgument<number, Prompt> {
  const { completed, question, filter } = orderKinds[kind];
  return idArgument('order', completed, orderPrompt(question, filter));
}

/** The id of a hook. */
export const hookArgument = idArgument('hook', 'hook', listPrompt('hook', listed('Which hook?', 'hook', 'list')));

/** The name of a token. */
export const tokenArgument = argument({
  read: (text) => text,
  complete: completeRecords('token'),
  prompt: listPrompt('token', listed('Which token?', 'token', 'list')),
});

/** The name of a saved profile. */
export const profileArgument = argument({
  read: (text) => text,
  complete: completeProfiles,
  prompt: listPrompt('profile', listed('Which profile?', 'profile', 'list')),
});
