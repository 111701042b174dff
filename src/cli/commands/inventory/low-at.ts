import { HintedError } from '../../../settings/hint.js';
import { argument, askedOnlyWithout, optional } from '../../arguments.js';
import type { Columns } from '../../output/view.js';
import type { Context, Command } from '../../command.js';
import { callOptions, mutationFlags } from '../../mutation-flags.js';
import { command } from '../../declare-command.js';
import { type FlagValues, flag } from '../../flags.js';
import { wholeNumber } from '../../readers.js';
import type { Versioned } from '../../../domain/values/version.js';
import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import { petArgument } from '../../shared-arguments.js';
import { quantityNumber } from '../../../domain/values/numbers.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { numberTextProblem } from '../../prompts/shared-prompts.js';
import { currentStock } from './inventory-arguments.js';
import { inventoryColumns } from './inventory-columns.js';
import { setLowAt } from '../../../domain/inventory/set-low-at.js';
import { setLowDefault } from '../../../domain/inventory/set-low-default.js';
import { showChange, type VerbForm } from '../../record-command.js';

/** The level at or below which a pet is low. */
type Level = number | 'none';

function readLevel(text: string, name: string): Level {
  return text === 'none' ? 'none' : wholeNumber(text, name);
}

async function askForLevel(dialogue: Dialogue, { pet }: { readonly pet: number | undefined }): Promise<string> {
  const { name, quantity } = await currentStock(dialogue, pet);
  return dialogue.line({
    message: `${name} has ${quantity} on hand. Low at (a number, or none):`,
    problem: (text) => (text === 'none' ? undefined : numberTextProblem(quantityNumber, text)),
  });
}

const levelArgument = argument({ read: (text, { subject }) => readLevel(text, subject), prompt: { onlyWithout: ['default'], ask: askForLevel } });

function levelBody(level: Level): { lowAt?: number } {
  return level === 'none' ? {} : { lowAt: level };
}

const flags = {
  default: flag({ long: 'default', value: 'level', summary: 'the level of pets without their own, or "none"', read: readLevel }),
  ...mutationFlags,
};

interface LowDefault extends Pick<Versioned, 'unchanged'> {
  readonly lowAt?: number | undefined;
}

/** The level of the store, as one record. */
const defaultColumns: Columns<LowDefault> = {
  all: [{ name: 'lowAt', heading: 'Low at', value: ({ lowAt }) => lowAt }],
  shown: ['lowAt'],
  json: ['lowAt'],
  id: 'lowAt',
};

function defaultSentence({ lowAt }: LowDefault, verb: VerbForm): string {
  return `Pets without their own level ${verb('are', 'would be', 'are still')} ${lowAt === undefined ? 'never low' : `low at ${lowAt}`}.`;
}

async function setDefault(context: Context, level: Level, mutation: FlagValues<typeof mutationFlags>): Promise<void> {
  const { call } = await context.shop();
  const row = await call(setLowDefault, { body: levelBody(level) }, callOptions(context, mutation));
  await showChange(context, { columns: defaultColumns, rows: [row], sentence: defaultSentence, dryRun: mutation.dryRun });
}

function levelSentence({ petId, name, lowAt }: InventoryRow, verb: VerbForm): string {
  return `Pet ${petId} (${name}) ${verb('is', 'would be', 'is still')} ${lowAt === undefined ? 'never low' : `low at ${lowAt}`}.`;
}

async function setLevel(context: Context, petId: number, level: Level, mutation: FlagValues<typeof mutationFlags>): Promise<void> {
  const { call } = await context.shop();
  const row = await call(setLowAt, { petId, body: levelBody(level) }, callOptions(context, mutation));
  await showChange(context, { columns: inventoryColumns, rows: [row], sentence: levelSentence, dryRun: mutation.dryRun });
}

/** The command `inventory low-at`. */
export const inventoryLowAt: Command = command({
  path: ['inventory', 'low-at'],
  summary: 'set the low-stock level of a pet; "none" restores the level of the shop',
  arguments: { pet: optional(askedOnlyWithout(petArgument, ['default'])), level: optional(levelArgument) },
  flags,
  operations: [setLowAt, setLowDefault],
  mutates: true,
  columns: inventoryColumns,
  run: async (context, { pet, level, default: common, ...mutation }) => {
    if (common !== undefined && pet === undefined) return setDefault(context, common, mutation);
    if (common === undefined && pet !== undefined && level !== undefined) return setLevel(context, pet, level, mutation);
    throw new HintedError('usage', 'Give a pet and its level, or the level of the shop with --default.', { command: ['inventory', 'low-at', '7', '3'] });
  },
  examples: ['petstore inventory low-at 7 3', 'petstore inventory low-at 7 none', 'petstore inventory low-at --default 2'],
});
