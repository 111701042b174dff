import { requiredFlag, flag } from '../../flags.js';
import { namePrompt, notePrompt } from '../../prompts/shared-prompts.js';
import { categoryColumns, categoryRecord } from './category-columns.js';
import { createCategory } from '../../../domain/categories/create-category.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { anyText } from '../../readers.js';

/** The command `category create`. */
export const categoryCreate: Command = changeCommand({
  path: ['category', 'create'],
  summary: 'create a category',
  examples: ['petstore category create --name Dogs --description "All breeds"'],
  operation: createCategory,
  columns: categoryColumns,
  record: categoryRecord,
  flags: {
    name: requiredFlag(flag({ long: 'name', value: 'name', summary: 'its name', read: anyText, prompt: namePrompt('What is it called?') })),
    description: flag({ long: 'description', value: 'text', summary: 'what belongs in it', read: anyText, prompt: notePrompt('What belongs in it?') }),
  },
  input: ({ name, description }) => ({ body: { name, description } }),
  sentence: ({ id, name }) => `Category ${id} (${name}) is created.`,
});
