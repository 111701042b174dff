import { changePrompt } from '../../prompts/change-prompt.js';
import { descriptionProblem } from '../../prompts/text-problems.js';
import { namePrompt } from '../../prompts/shared-prompts.js';
import { categoryArgument } from '../../shared-arguments.js';
import { categoryColumns, categoryRecord } from './category-columns.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { updateCategory } from '../../../domain/categories/update-category.js';
import { requireChange } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { flag } from '../../flags.js';
import { anyText } from '../../readers.js';

const editPrompt = changePrompt({
  name: { label: 'Name', ask: namePrompt('New name:').ask },
  description: {
    label: 'Description',
    ask: ({ line }) => line({ message: 'New description (empty removes it):', problem: descriptionProblem }),
  },
});

/** The command `category edit`. */
export const categoryEdit: Command = changeCommand({
  path: ['category', 'edit'],
  aliases: ['update'],
  summary: 'change the name or description of a category',
  arguments: { category: categoryArgument },
  flags: {
    name: flag({ long: 'name', value: 'name', summary: 'the new name', read: anyText, prompt: editPrompt, askAgainAfter: ['category_exists'] }),
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
