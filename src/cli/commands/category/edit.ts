import { unprompted } from '../../arguments.js';
import { categoryArgument } from '../../shared-arguments.js';
import { categoryColumns, categoryRecord } from './category-columns.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { updateCategory } from '../../../domain/categories/update-category.js';
import { requireChange } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { flag } from '../../flags.js';
import { anyText } from '../../readers.js';

/** The command `category edit`. */
export const categoryEdit: Command = changeCommand({
  path: ['category', 'edit'],
  aliases: ['update'],
  summary: 'change the name or description of a category',
  arguments: { category: unprompted(categoryArgument) },
  flags: {
    name: flag({ long: 'name', value: 'name', summary: 'the new name', read: anyText }),
    description: flag({ long: 'description', value: 'text', summary: 'the new description; empty removes it', read: anyText }),
  },
  operation: updateCategory,
  input: async ({ category, name, description }, call) => {
    requireChange([name, description], '--name or --description');
    const categoryId = await findCategory(call, category, 'category_not_found');
    return { categoryId, body: { name, ...(description !== undefined && { description: description === '' ? null : description }) } };
  },
  columns: categoryColumns,
  record: categoryRecord,
  sentence: ({ id, name }, verb) => `${verb('Changed', 'Would change')} category ${id} (${name}).`,
  examples: ['petstore category edit Dogs --name "Dogs and puppies"', 'petstore category edit 1 --description ""'],
});
