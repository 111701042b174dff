import { requiredFlag, flag } from '../../flags.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { lineOrDefault, namePrompt, categoryPrompt } from '../../prompts/shared-prompts.js';
import { refusalOf } from '../../prompts/text-problems.js';
import { petColumns } from './pet-columns.js';
import { optionalFields, petFlags } from './pet-flags.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { createPet } from '../../../domain/pets/create-pet.js';
import { openingQuantity } from '../../../domain/pets/pet.js';
import type { PetStatus } from '../../../domain/pets/pet-status.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { wholeNumber } from '../../readers.js';

function askForQuantity(dialogue: Dialogue, { status }: { readonly status: PetStatus | undefined }): Promise<string | undefined> {
  return lineOrDefault(dialogue, {
    message: 'How many are on hand?',
    fallback: '1',
    problem: (typed) => refusalOf(() => openingQuantity(status, wholeNumber(typed, 'The answer'))),
  });
}

const { name, category, status } = petFlags('the');

/** The command `pet create`. */
export const petCreate: Command = changeCommand({
  path: ['pet', 'create'],
  aliases: ['add', 'new'],
  summary: 'create a pet',
  flags: {
    ...petFlags('the'),
    name: requiredFlag({ ...name, prompt: namePrompt('Name of the pet:') }),
    // First: without categories the shop takes no pet.
    category: requiredFlag({ ...category, prompt: { ...categoryPrompt('Category of the pet:', { offersNew: true }), first: true } }),
    status: { ...status, default: 'computed from the stock' },
    quantity: flag({
      long: 'quantity',
      value: 'n',
      summary: 'the number of units on hand',
      default: '1',
      read: wholeNumber,
      prompt: { followUp: true, ask: askForQuantity },
    }),
  },
  operation: createPet,
  input: async (values, call) => ({
    quantity: values.quantity,
    body: { ...optionalFields(values), name: values.name, categoryId: await findCategory(call, values.category, 'unknown_category') },
  }),
  columns: petColumns,
  sentence: (pet, verb) => `${verb('Created', 'Would create')} pet ${pet.id} (${pet.name}, ${pet.category}): ${pet.quantity} on hand, ${pet.status}.`,
  examples: ['petstore pet create --name Rex --category Dogs', 'petstore pet create --name Koi --category Fish --quantity 40'],
});
