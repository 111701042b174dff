import { type CategoryFields, type CategoryRow, category as contract, categoryFields } from '../../../domain/categories/category.js';
import { createCategory } from '../../../domain/categories/create-category.js';
import { deleteCategory } from '../../../domain/categories/delete-category.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { getCategory } from '../../../domain/categories/get-category.js';
import { listCategories } from '../../../domain/categories/list-categories.js';
import { updateCategory } from '../../../domain/categories/update-category.js';
import { StoreError } from '../../../domain/errors.js';
import { pickFields } from '../../../domain/values/fields.js';
import { pluralize } from '../../../domain/values/text.js';
import type { Versioned } from '../../../domain/values/version.js';
import { repeated } from '../../arguments.js';
import type { Command } from '../../command.js';
import { completeRecords } from '../../completion/completers.js';
import { requireChange } from '../../declare-command.js';
import { type Flag, flag, requiredFlag, sortBy } from '../../flags.js';
import { listCommand } from '../../list-command.js';
import { columnsOf } from '../../output/view.js';
import type { Prompt } from '../../prompts/prompt.js';
import { changePrompt, namePrompt, notePrompt } from '../../prompts/shared-prompts.js';
import { descriptionProblem } from '../../prompts/text-problems.js';
import { anyText, removableText } from '../../readers.js';
import { changeCommand, viewCommand } from '../../record-command.js';
import { categoryArgument } from '../../shared-arguments.js';

const categoryColumns = columnsOf<CategoryRow, keyof Omit<CategoryRow, keyof Versioned>>(
  {
    id: { heading: 'ID', numeric: true },
    name: { heading: 'Name', least: 8 },
    pets: { heading: 'Pets', numeric: true },
    description: { heading: 'Description', least: 12 },
  },
  { json: Object.keys(contract.entries) },
);

const categoryList = listCommand({
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

const categoryView = viewCommand({
  path: ['category', 'view'],
  aliases: ['show', 'get'],
  summary: 'show categories, by id or name',
  arguments: { category: repeated(categoryArgument) },
  operation: getCategory,
  input: async ({ category }, call) => ({ categoryId: await findCategory(call, category, 'category_not_found') }),
  columns: categoryColumns,
  examples: ['petstore category view Dogs', 'petstore category view 1 2 --json'],
});

const categoryCreate = changeCommand({
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
        takesWord: true,
        prompt: namePrompt('Name of the category:'),
      }),
      { question: 'Which name?', example: 'Dogs' },
    ),
    description: flag({ long: 'description', value: 'text', summary: 'a short description', read: anyText, prompt: notePrompt('Description (optional):') }),
  } satisfies Readonly<Record<keyof CategoryFields, Flag<unknown>>>,
  operation: createCategory,
  input: (values) => ({ body: pickFields(categoryFields, values) }),
  columns: categoryColumns,
  sentence: ({ id, name }, verb) => `${verb('Created', 'Would create')} category ${id} (${name}).`,
  examples: ['petstore category create Dogs --description "All breeds"'],
});

const editPrompt = changePrompt<keyof CategoryFields>({
  name: { label: 'Name', ask: namePrompt('New name:').ask },
  description: {
    label: 'Description',
    ask: ({ line }) => line({ message: 'New description (empty removes it):', problem: descriptionProblem }),
  },
});

const categoryEdit = changeCommand({
  path: ['category', 'edit'],
  aliases: ['update'],
  summary: 'change the name or description of a category',
  arguments: { category: categoryArgument },
  flags: {
    name: flag({
      long: 'name',
      value: 'name',
      summary: 'the new name',
      read: anyText,
      prompt: editPrompt,
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
  sentence: ({ id, name }, verb) => `${verb('Changed', 'Would change', 'Unchanged:')} category ${id} (${name}).`,
  examples: ['petstore category edit Dogs --name "Dogs and puppies"', 'petstore category edit 1 --description ""'],
});

/** Asks for the category that the pets of a deleted one move to, if it has any. */
const targetPrompt: Prompt<{ readonly category: string | undefined }> = {
  ask: async (dialogue, { category }) => {
    // A dry run asks nothing: without an answer it says what is in the way.
    if (category === undefined || dialogue.runFirst === undefined) return undefined;
    const categoryId = await findCategory(dialogue.call, category, 'category_not_found');
    const { pets, name } = await dialogue.call(getCategory, { categoryId });
    if (pets === 0) return undefined;
    const { pickCategory } = await import('../../prompts/pickers.js');
    return pickCategory(dialogue, `${name} has ${pluralize(pets, 'pet')}. Move to which category?`, { offersNew: true, except: categoryId });
  },
};

const categoryDelete = changeCommand({
  path: ['category', 'delete'],
  aliases: ['rm', 'remove'],
  summary: 'delete a category, after moving its pets to another one if needed',
  arguments: { category: categoryArgument },
  flags: {
    moveTo: flag({
      long: 'move-to',
      value: 'category',
      summary: 'move its pets to this category first, by id or name',
      read: anyText,
      complete: completeRecords('category'),
      prompt: targetPrompt,
    }),
  },
  operation: deleteCategory,
  input: async ({ category, moveTo }, call) => {
    const categoryId = await findCategory(call, category, 'category_not_found');
    const target = moveTo === undefined ? undefined : await findCategory(call, moveTo, 'unknown_category');
    if (target !== categoryId) return { categoryId, moveTo: target };
    throw new StoreError('validation_failed', `--move-to: ${moveTo} is the category to delete.`, {
      advice: 'Give another category, or leave out --move-to.',
    });
  },
  question: ({ category, moveTo }) => `Delete the category ${category}${moveTo === undefined ? '' : ` and move its pets to ${moveTo}`}?`,
  columns: categoryColumns,
  sentence: ({ id, name }, verb) => `${verb('Deleted', 'Would delete')} category ${id} (${name}).`,
  examples: ['petstore category delete Birds --yes', 'petstore category delete Birds --move-to Others --dry-run'],
});

/** The commands of categories. */
export const categoryCommands: readonly Command[] = [categoryList, categoryView, categoryCreate, categoryEdit, categoryDelete];
