import { createCategory } from '../../domain/categories/create-category.js';
import { deleteCategory } from '../../domain/categories/delete-category.js';
import { findCategory } from '../../domain/categories/find-category.js';
import { getCategory } from '../../domain/categories/get-category.js';
import { listCategories } from '../../domain/categories/list-categories.js';
import { updateCategory } from '../../domain/categories/update-category.js';
import type { CategoryRow } from '../../domain/categories/category.js';
import { callOptions, command, mutationFlags, required, something, type Command } from '../command.js';
import { listCommand } from '../list-command.js';
import { makeCommand, showChange, showRecords } from '../record-command.js';
import { flag, sortBy, text } from '../flags.js';
import { aCategory, aName, aNote } from '../prompts/questions.js';
import { chosen, type Columns } from '../output/view.js';

const categoryColumns: Columns<CategoryRow> = {
  all: [
    { name: 'id', heading: 'ID', value: ({ id }) => id, numeric: true },
    { name: 'name', heading: 'Name', least: 8, value: ({ name }) => name },
    { name: 'pets', heading: 'Pets', value: ({ pets }) => pets, numeric: true },
    { name: 'description', heading: 'Description', least: 12, value: ({ description }) => description },
  ],
  shown: ['id', 'name', 'pets', 'description'],
  json: ['id', 'name', 'description'],
  id: 'id',
};

const fields = categoryColumns.all.map(({ name }) => name);
const whichCategory = { category: aCategory('Which category?') };
const record = ({ id, name, description }: CategoryRow): unknown => ({ id, name, ...(description !== undefined && { description }) });

/** The commands of categories. */
export const categoryCommands: readonly Command[] = [
  listCommand({
    words: 'category list',
    summary: 'list categories',
    examples: ['petstore category list', 'petstore category list --search cat --sort name'],
    does: listCategories,
    columns: categoryColumns,
    flags: { search: flag('--search <text>', 'only categories whose name contains this', text), sort: sortBy(['id', 'name']) },
    input: ({ search, sort }) => ({ q: search, sort }),
  }),
  command({
    words: 'category view <category...>',
    summary: 'show categories, by id or name',
    examples: ['petstore category view Dogs', 'petstore category view 1 2 --json'],
    does: [getCategory],
    asks: whichCategory,
    fields,
    run: async (context, args) => {
      chosen(categoryColumns, context.settings.fields, 'tsv');
      const { call, callEach } = await context.shop();
      const ids: number[] = [];
      for (const one of args) ids.push(await findCategory(call, one, 'category_not_found'));
      const rows = await callEach(
        getCategory,
        ids.map((categoryId) => ({ categoryId })),
      );
      await showRecords(context, { columns: categoryColumns, record }, rows, rows.length > 1);
    },
  }),
  makeCommand({
    words: 'category create',
    summary: 'create a category',
    examples: ['petstore category create --name Dogs --description "All breeds"'],
    does: createCategory,
    columns: categoryColumns,
    record,
    flags: { name: flag('--name <name>', 'its name', text), description: flag('--description <text>', 'what belongs in it', text) },
    asks: { name: aName('What is it called?'), description: aNote('What belongs in it?') },
    input: (_, { name, description }) => ({ body: { name: required(name, '--name'), description } }),
    sentence: ({ id, name }) => `Category ${id} (${name}) is created.`,
  }),
  makeCommand({
    words: 'category edit <category>',
    summary: 'change the name or description of a category',
    examples: ['petstore category edit Dogs --name "Dogs and puppies"', 'petstore category edit 1 --description ""'],
    does: updateCategory,
    columns: categoryColumns,
    record,
    flags: { name: flag('--name <name>', 'its new name', text), description: flag('--description <text>', 'its new description; empty removes it', text) },
    input: async ([category = ''], { name, description }, call) => {
      something([name, description], '--name or --description');
      const categoryId = await findCategory(call, category, 'category_not_found');
      return { categoryId, body: { name, ...(description !== undefined && { description: description === '' ? null : description }) } };
    },
    sentence: ({ id, name }) => `Category ${id} is ${name}.`,
  }),
  command({
    words: 'category delete <category>',
    summary: 'delete a category; its pets can move to another one first',
    examples: ['petstore category delete Birds --yes', 'petstore category delete Birds --move-to Others --dry-run'],
    does: [deleteCategory],
    asks: whichCategory,
    flags: { moveTo: flag('--move-to <category>', 'where its pets go first, by id or name', text), ...mutationFlags },
    fields,
    mutates: true,
    run: async (context, [category = ''], { moveTo, ...mutation }) => {
      chosen(categoryColumns, context.settings.fields, 'tsv');
      await context.confirm(`Delete the category ${category}${moveTo === undefined ? '' : ` and move its pets to ${moveTo}`}?`, mutation);
      const { call } = await context.shop();
      const categoryId = await findCategory(call, category, 'category_not_found');
      const target = moveTo === undefined ? undefined : await findCategory(call, moveTo, 'unknown_category');
      const before = await call(deleteCategory, { categoryId, moveTo: target }, callOptions(context, mutation));
      await showChange(
        context,
        { columns: categoryColumns, record },
        [before],
        false,
        ({ id, name }) => `Category ${id} (${name}) is deleted.`,
        mutation.dryRun,
      );
    },
  }),
];
