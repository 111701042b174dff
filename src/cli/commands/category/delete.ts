import { categoryArgument } from '../../shared-arguments.js';
import { completeRecords } from '../../completion/completers.js';
import { categoryColumns, categoryRecord } from './category-columns.js';
import { getCategory } from '../../../domain/categories/get-category.js';
import { StoreError } from '../../../domain/errors.js';
import { pluralize } from '../../../domain/values/text.js';
import type { Prompt } from '../../prompts/prompt.js';
import { deleteCategory } from '../../../domain/categories/delete-category.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { callOptions, mutationFlags } from '../../mutation-flags.js';
import { command } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { showChange } from '../../record-command.js';
import { flag } from '../../flags.js';
import { anyText } from '../../readers.js';

/** Asks for the category that the pets of a deleted one move to, if it has any. */
const targetPrompt: Prompt<{ readonly category: string | undefined; readonly dryRun: true | undefined }> = {
  ask: async (dialogue, { category, dryRun }) => {
    if (category === undefined || dryRun === true) return undefined;
    const categoryId = await findCategory(dialogue.call, category, 'category_not_found');
    const { pets, name } = await dialogue.call(getCategory, { categoryId });
    if (pets === 0) return undefined;
    const { pickCategory } = await import('../../prompts/pickers.js');
    return pickCategory(dialogue, `${name} has ${pluralize(pets, 'pet')}. Move to which category?`, { offersNew: true, except: categoryId });
  },
};

/** The command `category delete`. */
export const categoryDelete: Command = command({
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
    ...mutationFlags,
  },
  operations: [deleteCategory],
  mutates: true,
  columns: categoryColumns,
  run: async (context, { category, moveTo, ...mutation }) => {
    const { call } = await context.shop();
    const categoryId = await findCategory(call, category, 'category_not_found');
    const target = moveTo === undefined ? undefined : await findCategory(call, moveTo, 'unknown_category');
    if (target === categoryId)
      throw new StoreError('validation_failed', `--move-to: ${moveTo} is the category to delete.`, {
        advice: 'Give another category, or leave out --move-to.',
      });
    const input = { categoryId, moveTo: target };
    // A dry run first: a change that will be refused needs no confirmation.
    if (!mutation.yes && !mutation.dryRun) await call(deleteCategory, input, { dryRun: true, key: mutation.key });
    await context.confirm(`Delete the category ${category}${moveTo === undefined ? '' : ` and move its pets to ${moveTo}`}?`, mutation);
    const before = await call(deleteCategory, input, callOptions(context, mutation));
    await showChange(context, {
      columns: categoryColumns,
      record: categoryRecord,
      rows: [before],
      sentence: ({ id, name }, verb) => `${verb('Deleted', 'Would delete')} category ${id} (${name}).`,
      dryRun: mutation.dryRun,
    });
  },
  examples: ['petstore category delete Birds --yes', 'petstore category delete Birds --move-to Others --dry-run'],
});
