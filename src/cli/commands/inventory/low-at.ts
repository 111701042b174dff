import { HintedError } from '../../../settings/hint.js';
import { optionalArgument } from '../../arguments.js';
import { inventoryColumns } from './inventory-columns.js';
import { setLowAt } from '../../../domain/inventory/set-low-at.js';
import { setLowDefault } from '../../../domain/inventory/set-low-default.js';
import { callOptions, command, mutationFlags, type Command } from '../../command.js';
import { showChange } from '../../record-command.js';
import { flag, idOf, wholeNumber } from '../../flags.js';
import { chosen } from '../../output/view.js';

function levelText(value: string, name: string): number | 'none' {
  return value === 'none' ? 'none' : wholeNumber(value, name);
}

function levelBody(value: number | 'none'): { lowAt?: number } {
  return value === 'none' ? {} : { lowAt: value };
}

/** The command `inventory low-at`. */
export const inventoryLowAt: Command = command({
  path: ['inventory', 'low-at'],
  arguments: { pet: optionalArgument('pet'), level: optionalArgument() },
  summary: 'set the level at or below which a pet is low; "none" goes back to the level of the store',
  examples: ['petstore inventory low-at 7 3', 'petstore inventory low-at 7 none', 'petstore inventory low-at --default 2'],
  does: [setLowAt, setLowDefault],
  flags: {
    default: flag({ long: 'default', value: 'level', summary: 'the level of every pet that has none of its own, or "none"', read: levelText }),
    ...mutationFlags,
  },
  fields: inventoryColumns.all.map(({ name }) => name),
  mutates: true,
  run: async (context, [pet, level], { default: common, ...mutation }) => {
    chosen(inventoryColumns, context.settings.fields, 'tsv');
    if ((common === undefined) !== (pet !== undefined && level !== undefined) || (common !== undefined && pet !== undefined)) {
      if (common !== undefined || pet === undefined || level === undefined)
        throw new HintedError('usage', 'Give a pet and its level, or the level of the store with --default.', { command: ['inventory', 'low-at', '7', '3'] });
    }
    if (common !== undefined) {
      const { call } = await context.shop();
      const answer = await call(setLowDefault, { body: levelBody(common) }, callOptions(context, mutation));
      const text =
        answer.lowAt === undefined ? 'Pets without a level of their own are never low.' : `Pets without a level of their own are low at ${answer.lowAt}.`;
      await showChange(
        context,
        { columns: { all: [{ name: 'lowAt', heading: 'Low at', value: (row: typeof answer) => row.lowAt }], shown: ['lowAt'], json: ['lowAt'], id: 'lowAt' } },
        [answer],
        false,
        () => text,
        mutation.dryRun,
      );
      return;
    }
    const input = { petId: idOf('pet')(pet ?? ''), body: levelBody(levelText(level ?? '', 'The level')) };
    const { call } = await context.shop();
    const row = await call(setLowAt, input, callOptions(context, mutation));
    await showChange(
      context,
      { columns: inventoryColumns },
      [row],
      false,
      ({ petId: id, name, lowAt: at }) => `Pet ${id} (${name}) is ${at === undefined ? 'never low' : `low at ${at}`}.`,
      mutation.dryRun,
    );
  },
});
