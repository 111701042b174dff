import { changePrompt } from '../../prompts/change-prompt.js';
import { descriptionProblem } from '../../prompts/text-problems.js';
import { namePrompt } from '../../prompts/shared-prompts.js';
import { categoryArgument } from '../../shared-arguments.js';
import { categoryColumns, categoryRecord } from './category-columns.js';
import { pickFields } from '../../../domain/values/fields.js';
import { categoryFields, type CategoryFields } from '../../../domain/categories/category.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { updateCategory } from '../../../domain/categories/update-category.js';
import { requireChange } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { flag, type Flag } from '../../flags.js';
import { anyText, removableText } from '../../readers.js';

const editPrompt = changePrompt<keyof CategoryFields>({
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
    name: flag({
      long: 'name',
      value: 'name',
      summary: 'the new name',
      isMeantBy: () => true,
      read: anyText,
      prompt: editPrompt,
      askAgainAfter: ['category_exists'],
    }),
    description: flag({ long: 'description', value: 'text', summary: 'the new description; empty removes it', read: removableText }),
  } satisfies Readonly<Record<keyof CategoryFields, Flag<unknown>>>,
  operation: updateCategory,
  input: async ({ category, ...values }, call) => {
    const body = pickFields(categoryFields, values);
    requireChange(Object.values(body), '--name or --description');
    return { categoryId: await findCategory(call, category, 'category_not_found'), body };
  },
  columns: categoryColumns,
  record: categoryRecord,
  sentence: ({ id, name }, verb) => `${verb('Changed', 'Would change', 'Unchanged:')} category ${id} (${name}).`,
  examples: ['petstore category edit Dogs --name "Dogs and puppies"', 'petstore category edit 1 --description ""'],
});
