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
    name: flag('--name <name>', 'its new name', text),
    category: flag('--category <category>', 'its new category, by id or name', text),
    status: choice('--status <status>', 'its new status', petStatuses),
  },
  id: idOf('pet'),
  input: async (id, { name, category, status }, call) => {
    something([name, category, status], '--name, --category or --status');
    const categoryId = category === undefined ? undefined : await findCategory(call, category, 'unknown_category');
    return { petId: id, body: { name, categoryId, status } };
  },
  sentence: ({ id, name, category, status }) => `Pet ${id} is ${name} (${category}), ${status}.`,
});
