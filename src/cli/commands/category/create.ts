import { categoryColumns, categoryRecord } from './category-columns.js';
import { createCategory } from '../../../domain/categories/create-category.js';
import { required, type Command } from '../../command.js';
import { makeCommand } from '../../record-command.js';
import { flag, text } from '../../flags.js';
import { aName, aNote } from '../../prompts/questions.js';

/** The command `category create`. */
export const categoryCreate: Command = makeCommand({
  path: ['category', 'create'],
  summary: 'create a category',
  examples: ['petstore category create --name Dogs --description "All breeds"'],
  does: createCategory,
  columns: categoryColumns,
  record: categoryRecord,
  flags: {
    name: flag({ long: 'name', value: 'name', summary: 'its name', read: text }),
    description: flag({ long: 'description', value: 'text', summary: 'what belongs in it', read: text }),
  },
  asks: { name: aName('What is it called?'), description: aNote('What belongs in it?') },
  input: (_, { name, description }) => ({ body: { name: required(name, '--name'), description } }),
  sentence: ({ id, name }) => `Category ${id} (${name}) is created.`,
});
