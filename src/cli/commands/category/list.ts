import { categoryColumns } from './category-columns.js';
import { listCategories } from '../../../domain/categories/list-categories.js';
import type { Command } from '../../command.js';
import { listCommand } from '../../list-command.js';
import { flag, sortBy } from '../../flags.js';
import { anyText } from '../../readers.js';

/** The command `category list`. */
export const categoryList: Command = listCommand({
  path: ['category', 'list'],
  aliases: ['ls'],
  summary: 'list categories',
  flags: {
    search: flag({ long: 'search', value: 'text', summary: 'only categories whose name contains this text', read: anyText }),
    sort: sortBy(['id', 'name']),
  },
  operation: listCategories,
  input: ({ search, sort }) => ({ q: search, sort }),
  columns: categoryColumns,
  examples: ['petstore category list', 'petstore category list --search cat --sort name'],
});
