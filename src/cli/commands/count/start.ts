import { findCategoryToFilter } from '../../../domain/categories/find-category.js';
import { startCount } from '../../../domain/counts/start-count.js';
import { petStatuses } from '../../../domain/pets/pet-status.js';
import { argument, repeated } from '../../arguments.js';
import { completeRecords } from '../../completion/completers.js';
import { commandForShop } from '../../command-text.js';
import type { Command } from '../../command.js';
import { command } from '../../declare-command.js';
import { repeatedChoice, toggle } from '../../flags.js';
import { callOptions, mutationFlags } from '../../mutation-flags.js';
import { grouped } from '../../output/numbers.js';
import { showChange } from '../../record-command.js';
import { readPet, withPetArgument } from '../../shared-arguments.js';
import { petFilterFlags, searchFlag } from '../pet/pet-filter.js';
import { countColumns } from './count-columns.js';

/** The command `count start`. */
export const countStart: Command = command({
  path: ['count', 'start'],
  summary: 'start a count of all pets, of some, or of a filter',
  arguments: { pet: { ...repeated(argument({ read: readPet, complete: completeRecords('pet'), dashReadsStdin: true })), required: false } },
  flags: {
    category: petFilterFlags.category,
    status: repeatedChoice({ long: 'status', value: 'status', summary: petFilterFlags.status.summary, choices: petStatuses }),
    low: toggle({ long: 'low', summary: 'only pets at or below their low-stock level' }),
    search: searchFlag,
    blind: toggle({ long: 'blind', summary: 'hide from those who count how many units are expected' }),
    ...mutationFlags,
  },
  operations: [startCount],
  exits: ['pet_not_found', 'unknown_category'],
  columns: countColumns,
  mutates: true,
  run: async (context, { pet, category = [], status, low, search, blind, ...mutation }) => {
    const { call } = await context.shop();
    const categoryIds: number[] = [];
    for (const one of category) categoryIds.push(await findCategoryToFilter(call, one));
    const body = {
      ...(pet.length > 0 && { petIds: [...new Set(pet)] }),
      ...(categoryIds.length > 0 && { categoryIds }),
      ...(status && { status: [...new Set(status)] }),
      ...(search !== undefined && { q: search }),
      low: low === true,
      blind: blind === true,
      ...(mutation.note !== undefined && { note: mutation.note }),
    };
    const started = await withPetArgument(call(startCount, { body }, callOptions(context, mutation)));
    const { dryRun } = mutation;
    await showChange(context, {
      columns: countColumns,
      rows: [started],
      sentence: ({ id, pets }, verb) => `${verb('Started', 'Would start')} count ${id} of ${grouped(pets)} ${pets === 1 ? 'pet' : 'pets'}`,
      dryRun,
    });
    if (dryRun === true || context.settings.format !== undefined) return;
    await context.note(`Next: ${commandForShop(['count', 'scan', String(started.id)], context)}`);
  },
  examples: ['petstore count start --category Fish', 'petstore count start --search tetra --blind --note "back room"', 'petstore count start 7 13'],
});
