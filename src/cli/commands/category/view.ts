import { repeated } from '../../arguments.js';
import { categoryColumns, categoryRecord } from './category-columns.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { getCategory } from '../../../domain/categories/get-category.js';
import type { Command } from '../../command.js';
import { viewCommand } from '../../record-command.js';
import { categoryArgument } from '../../shared-arguments.js';

/** The command `category view`. */
export const categoryView: Command = viewCommand({
  path: ['category', 'view'],
  aliases: ['show', 'get'],
  summary: 'show categories, by id or name',
  arguments: { category: repeated(categoryArgument) },
  operation: getCategory,
  input: async ({ category }, call) => ({ categoryId: await findCategory(call, category, 'category_not_found') }),
  columns: categoryColumns,
  record: categoryRecord,
  examples: ['petstore category view Dogs', 'petstore category view 1 2 --json'],
});
