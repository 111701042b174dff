import { petColumns } from './pet-columns.js';
import { petStatuses } from './pet-filter.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { createPet } from '../../../domain/pets/create-pet.js';
import { openingQuantity } from '../../../domain/pets/pet.js';
import type { PetStatus } from '../../../domain/pets/pet-status.js';
import { required, type Command } from '../../command.js';
import { makeCommand } from '../../record-command.js';
import { choice, flag, text, wholeNumber } from '../../flags.js';
import { aCategory, aName, anAmount, refusalOf } from '../../prompts/questions.js';

/** The command `pet create`. */
export const petCreate: Command = makeCommand({
  path: ['pet', 'create'],
  summary: 'create a pet with its inventory entry',
  examples: ['petstore pet create --name Rex --category Dogs', 'petstore pet create --name Koi --category Fish --quantity 40'],
  does: createPet,
  columns: petColumns,
  flags: {
    name: flag({ long: 'name', value: 'name', summary: 'its name', read: text }),
    category: flag({ long: 'category', value: 'category', summary: 'its category, by id or name', read: text, names: 'category' }),
    status: choice({ long: 'status', value: 'status', summary: 'its status', default: 'what its stock says', choices: petStatuses }),
    quantity: flag({ long: 'quantity', value: 'n', summary: 'how many are on hand to begin with', default: '1', read: wholeNumber }),
  },
  asks: {
    // First, because a shop without categories takes no pet, whatever its name.
    category: aCategory('What kind of animal is it?'),
    name: aName('What is its name?'),
    quantity: anAmount(
      () => 'How many are there?',
      '1',
      (typed, { status }) => refusalOf(() => openingQuantity(status as PetStatus | undefined, wholeNumber(typed, 'The answer'))),
    ),
  },
  input: async (_, { name, category, status, quantity }, call) => ({
    quantity,
    body: { name: required(name, '--name'), categoryId: await findCategory(call, required(category, '--category'), 'unknown_category'), status },
  }),
  sentence: ({ id, name, category, quantity, status }) => `Pet ${id} (${name}, ${category}) is in the shop: ${quantity} on hand, ${status}.`,
});
