import { unprompted, repeated } from '../../arguments.js';
import { petArgument } from '../../shared-arguments.js';
import { completeRecords } from '../../completion/completers.js';
import { petColumns } from './pet-columns.js';
import { petStatuses } from './pet-filter.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { updatePet } from '../../../domain/pets/update-pet.js';
import { requireChange } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';
import { choice, flag } from '../../flags.js';
import { anyText } from '../../readers.js';

/** The command `pet edit`. */
export const petEdit: Command = changeEachCommand({
  path: ['pet', 'edit'],
  arguments: { id: repeated(unprompted(petArgument)) },
  summary: 'change the name, category or status of pets',
  examples: ['petstore pet edit 7 --name Max', 'petstore pet edit 7 8 --category Cats --dry-run'],
  operation: updatePet,
  columns: petColumns,
  flags: {
    name: flag({ long: 'name', value: 'name', summary: 'the new name', read: anyText }),
    category: flag({ long: 'category', value: 'category', summary: 'the new category, by id or name', read: anyText, complete: completeRecords('category') }),
    status: choice({ long: 'status', value: 'status', summary: 'the new status', choices: petStatuses }),
  },
  input: async ({ id, name, category, status }, call) => {
    requireChange([name, category, status], '--name, --category or --status');
    const categoryId = category === undefined ? undefined : await findCategory(call, category, 'unknown_category');
    return { petId: id, body: { name, categoryId, status } };
  },
  sentence: ({ id, name, category, status }) => `Changed pet ${id} (${name}, ${category}): ${status}.`,
});
