import { requiredFlag, flag, type Flag } from '../../flags.js';
import { namePrompt, notePrompt } from '../../prompts/shared-prompts.js';
import { categoryColumns, categoryRecord } from './category-columns.js';
import { pickFields } from '../../../domain/values/fields.js';
import { categoryFields, type CategoryFields } from '../../../domain/categories/category.js';
import { createCategory } from '../../../domain/categories/create-category.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { anyText } from '../../readers.js';

/** The command `category create`. */
export const categoryCreate: Command = changeCommand({
  path: ['category', 'create'],
  aliases: ['add', 'new'],
  summary: 'create a category',
  flags: {
    name: requiredFlag(
      flag({
        long: 'name',
        value: 'name',
        summary: 'the name, unique in the shop',
        read: anyText,
        prompt: namePrompt('Name of the category:'),
        askAgainAfter: ['category_exists'],
      }),
      { question: 'Which name?', example: 'Dogs' },
    ),
    description: flag({ long: 'description', value: 'text', summary: 'a short description', read: anyText, prompt: notePrompt('Description (optional):') }),
  } satisfies Readonly<Record<keyof CategoryFields, Flag<unknown>>>,
  operation: createCategory,
  input: (values) => ({ body: pickFields(categoryFields, values) }),
  columns: categoryColumns,
  record: categoryRecord,
  sentence: ({ id, name }, verb) => `${verb('Created', 'Would create')} category ${id} (${name}).`,
  examples: ['petstore category create --name Dogs --description "All breeds"'],
});
