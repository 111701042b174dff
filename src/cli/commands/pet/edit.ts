import { repeated } from '../../arguments.js';
import { petArgument } from '../../shared-arguments.js';
import { petStatuses } from '../../../domain/pets/pet-status.js';
import { changePrompt } from '../../prompts/change-prompt.js';
import { categoryPrompt, namePrompt } from '../../prompts/shared-prompts.js';
import { petColumns } from './pet-columns.js';
import { optionalFields, petFlags } from './pet-flags.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { updatePet } from '../../../domain/pets/update-pet.js';
import { requireChange } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

const plainFlags = petFlags('the new');

const editPrompt = changePrompt({
  name: { label: 'Name', ask: namePrompt('New name:').ask },
  category: { label: 'Category', ask: categoryPrompt('New category:', { offersNew: true }).ask },
  status: {
    label: 'Status',
    ask: ({ choose }) =>
      choose(
        'New status:',
        petStatuses.map((value) => ({ name: value, value })),
      ),
  },
});

const flags = { ...plainFlags, name: { ...plainFlags.name, prompt: editPrompt } };
const flagNames = Object.values(flags).map(({ long }) => `--${long}`);

/** The command `pet edit`. */
export const petEdit: Command = changeEachCommand({
  path: ['pet', 'edit'],
  aliases: ['update'],
  summary: 'change the name, category or status of pets',
  arguments: { id: repeated(petArgument) },
  flags,
  operation: updatePet,
  input: async ({ id, name, category, ...values }, call) => {
    const others = optionalFields(values);
    requireChange([name, category, ...Object.values(others)], `${flagNames.slice(0, -1).join(', ')} or ${flagNames.at(-1)}`);
    const categoryId = category === undefined ? undefined : await findCategory(call, category, 'unknown_category');
    return { petId: id, body: { ...others, name, categoryId } };
  },
  columns: petColumns,
  sentence: ({ id, name, category, status }, verb) => `${verb('Changed', 'Would change')} pet ${id} (${name}, ${category}): ${status}.`,
  examples: ['petstore pet edit 7 --name Max', 'petstore pet edit 7 8 --category Cats --dry-run'],
});
