import { repeatedArgument } from '../../arguments.js';
import { whichCategory, categoryFields, categoryColumns, categoryRecord } from './category-columns.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { getCategory } from '../../../domain/categories/get-category.js';
import { command, type Command } from '../../command.js';
import { showRecords } from '../../record-command.js';
import { chosen } from '../../output/view.js';

/** The command `category view`. */
export const categoryView: Command = command({
  path: ['category', 'view'],
  arguments: { category: repeatedArgument('category') },
  summary: 'show categories, by id or name',
  examples: ['petstore category view Dogs', 'petstore category view 1 2 --json'],
  does: [getCategory],
  asks: whichCategory,
  fields: categoryFields,
  run: async (context, args) => {
    chosen(categoryColumns, context.settings.fields, 'tsv');
    const { call, callEach } = await context.shop();
    const ids: number[] = [];
    for (const one of args) ids.push(await findCategory(call, one, 'category_not_found'));
    const rows = await callEach(
      getCategory,
      ids.map((categoryId) => ({ categoryId })),
    );
    await showRecords(context, { columns: categoryColumns, record: categoryRecord }, rows, rows.length > 1);
  },
});
