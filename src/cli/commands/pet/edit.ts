import { repeatedArgument } from '../../arguments.js';
import { petColumns } from './pet-columns.js';
import { petStatuses } from './pet-filter.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { updatePet } from '../../../domain/pets/update-pet.js';
import { something, type Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { choice, flag, idOf, text } from '../../flags.js';

/** The command `pet edit`. */
export const petEdit: Command = changeCommand({
  path: ['pet', 'edit'],
  arguments: { id: repeatedArgument('pet') },
  summary: 'change the name, category or status of pets',
  examples: ['petstore pet edit 7 --name Max', 'petstore pet edit 7 8 --category Cats --dry-run'],
  does: updatePet,
  columns: petColumns,
  flags: {
    name: flag({ long: 'name', value: 'name', summary: 'its new name', read: text }),
    category: flag({ long: 'category', value: 'category', summary: 'its new category, by id or name', read: text, names: 'category' }),
    status: choice({ long: 'status', value: 'status', summary: 'its new status', choices: petStatuses }),
  },
  id: idOf('pet'),
  input: async (id, { name, category, status }, call) => {
    something([name, category, status], '--name, --category or --status');
    const categoryId = category === undefined ? undefined : await findCategory(call, category, 'unknown_category');
    return { petId: id, body: { name, categoryId, status } };
  },
  sentence: ({ id, name, category, status }) => `Pet ${id} is ${name} (${category}), ${status}.`,
});
