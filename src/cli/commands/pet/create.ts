import { requiredFlag, flag } from '../../flags.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { lineOrDefault, namePrompt, categoryPrompt } from '../../prompts/shared-prompts.js';
import { refusalOf } from '../../prompts/text-problems.js';
import { petColumns } from './pet-columns.js';
import { petChange, petFlags } from './pet-flags.js';
import { applyPatch } from '../../../domain/values/fields.js';
import type { Call } from '../../../domain/call.js';
import { StoreError } from '../../../domain/errors.js';
import { recordName } from '../../../domain/values/record-name.js';
import { HintedError } from '../../../settings/hint.js';
import { listCategories } from '../../../domain/categories/list-categories.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { createPet } from '../../../domain/pets/create-pet.js';
import { openingQuantity } from '../../../domain/pets/pet.js';
import type { PetStatus } from '../../../domain/pets/pet-status.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { unitCount } from '../../readers.js';

function askForQuantity(dialogue: Dialogue, { status }: { readonly status: PetStatus | undefined }): Promise<string | undefined> {
  return lineOrDefault(dialogue, {
    message: 'How many are on hand?',
    fallback: '1',
    problem: (typed) => refusalOf(() => openingQuantity(status, unitCount(typed, 'The answer'))),
  });
}

/** The id of the category of a new pet. In a shop without categories the hint creates the one that was named. */
async function categoryOf(call: Call, text: string): Promise<number> {
  try {
    return await findCategory(call, text, 'unknown_category');
  } catch (error) {
    const isUnknown = error instanceof StoreError && error.code === 'unknown_category';
    if (!isUnknown || (await call(listCategories, { limit: 1 })).items.length > 0) throw error;
    throw new HintedError(error.code, error.message, { command: ['category', 'create', '--name', recordName(text) ?? text] });
  }
}

const { name, category, status } = petFlags('the');

/** The command `pet create`. */
export const petCreate: Command = changeCommand({
  path: ['pet', 'create'],
  aliases: ['add', 'new'],
  summary: 'create a pet',
  flags: {
    ...petFlags('the'),
    name: requiredFlag({ ...name, prompt: namePrompt('Name of the pet:') }, { question: 'Which name?', example: 'Rex' }),
    // First: without categories the shop takes no pet.
    category: requiredFlag(
      { ...category, prompt: { ...categoryPrompt('Category of the pet:', { offersNew: true }), first: true } },
      { question: 'Which category?', example: 'Dogs', source: 'petstore category list shows all' },
    ),
    status: { ...status, default: 'computed from the stock' },
    quantity: flag({
      long: 'quantity',
      value: 'n',
      summary: 'the number of units on hand',
      default: '1',
      read: unitCount,
      prompt: { followUp: true, ask: askForQuantity },
    }),
  },
  operation: createPet,
  input: async ({ category: text, ...values }, call) => {
    const categoryId = await categoryOf(call, text);
    return { quantity: values.quantity, body: applyPatch({ name: values.name, categoryId }, petChange(values, categoryId)) };
  },
  columns: petColumns,
  sentence: (pet, verb) => `${verb('Created', 'Would create')} pet ${pet.id} (${pet.name}, ${pet.category}): ${pet.quantity} on hand, ${pet.status}.`,
  examples: ['petstore pet create --name Rex --category Dogs', 'petstore pet create --name Koi --category Fish --quantity 40'],
});
