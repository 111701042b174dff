import { namePrompt, notePrompt } from '../../prompts/shared-prompts.js';
import { categoryColumns, categoryRecord } from './category-columns.js';
import { createCategory } from '../../../domain/categories/create-category.js';
import { required, type Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { flag, text } from '../../flags.js';

/** The command `category create`. */
export const categoryCreate: Command = changeCommand({
  path: ['category', 'create'],
  summary: 'create a category',
  examples: ['petstore category create --name Dogs --description "All breeds"'],
  operation: createCategory,
  columns: categoryColumns,
  record: categoryRecord,
  flags: {
    name: flag({ long: 'name', value: 'name', summary: 'its name', read: text, prompt: namePrompt('What is it called?') }),
    description: flag({ long: 'description', value: 'text', summary: 'what belongs in it', read: text, prompt: notePrompt('What belongs in it?') }),
  },
  input: ({ name, description }) => ({ body: { name: required(name, '--name'), description } }),
  sentence: ({ id, name }) => `Category ${id} (${name}) is created.`,
});
