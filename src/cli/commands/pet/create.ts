import { requiredFlag, choice, flag } from '../../flags.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { lineOrDefault, namePrompt, categoryPrompt, refusalOf } from '../../prompts/shared-prompts.js';
import { completeRecords } from '../../completion/completers.js';
import { petColumns } from './pet-columns.js';
import { petStatuses } from './pet-filter.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { createPet } from '../../../domain/pets/create-pet.js';
import { openingQuantity } from '../../../domain/pets/pet.js';
import type { PetStatus } from '../../../domain/pets/pet-status.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { anyText, wholeNumber } from '../../readers.js';

function askForQuantity(dialogue: Dialogue, { status }: { readonly status: PetStatus | undefined }): Promise<string | undefined> {
  return lineOrDefault(dialogue, {
    message: 'How many are on hand?',
    fallback: '1',
    problem: (typed) => refusalOf(() => openingQuantity(status, wholeNumber(typed, 'The answer'))),
  });
}

/** The command `pet create`. */
export const petCreate: Command = changeCommand({
  path: ['pet', 'create'],
  summary: 'create a pet',
  examples: ['petstore pet create --name Rex --category Dogs', 'petstore pet create --name Koi --category Fish --quantity 40'],
  operation: createPet,
  columns: petColumns,
  flags: {
    name: requiredFlag(flag({ long: 'name', value: 'name', summary: 'the name', read: anyText, prompt: namePrompt('Name of the pet:') })),
    category: requiredFlag(
      flag({
        long: 'category',
        value: 'category',
        summary: 'the category, by id or name',
        read: anyText,
        complete: completeRecords('category'),
        // First: without categories the shop takes no pet.
        prompt: { ...categoryPrompt('Category of the pet:'), first: true },
      }),
    ),
    status: choice({ long: 'status', value: 'status', summary: 'the status', default: 'computed from the stock', choices: petStatuses }),
    quantity: flag({
      long: 'quantity',
      value: 'n',
      summary: 'the number of units on hand',
      default: '1',
      read: wholeNumber,
      prompt: { followUp: true, ask: askForQuantity },
    }),
  },
  input: async ({ name, category, status, quantity }, call) => ({
    quantity,
    body: { name, categoryId: await findCategory(call, category, 'unknown_category'), status },
  }),
  sentence: ({ id, name, category, quantity, status }) => `Created pet ${id} (${name}, ${category}): ${quantity} on hand, ${status}.`,
});
