import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import { columnsOf } from '../../output/view.js';
import { statusColours } from '../pet/pet-fields.js';
import { adjustInventory } from '../../../domain/inventory/adjust-inventory.js';
import { setInventory } from '../../../domain/inventory/set-inventory.js';
import { setLowAt } from '../../../domain/inventory/set-low-at.js';
import { setLowDefault } from '../../../domain/inventory/set-low-default.js';
import type { IdentifiedPet } from '../../../domain/pets/identify-pet.js';
import { deltaNumber, quantityNumber } from '../../../domain/values/numbers.js';
import type { Versioned } from '../../../domain/values/version.js';
import { HintedError } from '../../../settings/hint.js';
import { type ReadContext, argument, askedOnlyWithout, optional } from '../../arguments.js';
import type { Command } from '../../command.js';
import { command } from '../../declare-command.js';
import { flag } from '../../flags.js';
import { allowShortage, mutationFlags } from '../../mutation-flags.js';
import { signed, unitsText } from '../../output/numbers.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { numberTextProblem } from '../../prompts/shared-prompts.js';
import { changeNumber, unitCount, wholeNumber } from '../../readers.js';
import { type CommandChange, type VerbForm, changeCommand, makeChange, unitsDoubt } from '../../record-command.js';
import { petArgument, stockedPetArgument } from '../../shared-arguments.js';
import { currentStock, stockPrompt, timesUnits } from '../../prompts/stock-prompts.js';
import { StoreError } from '../../../domain/errors.js';
import { commandText } from '../../command-text.js';

/** The columns of a list of inventory. */
export const inventoryColumns = columnsOf<InventoryRow>(
  {
    petId: { heading: 'ID', numeric: true },
    name: { heading: 'Name', least: 12 },
    category: { heading: 'Category', least: 8 },
    quantity: { heading: 'On hand', leaveOut: 3, numeric: true },
    reserved: { heading: 'Reserved', leaveOut: 2, numeric: true },
    available: { heading: 'Available', numeric: true, colour: ({ short }) => (short ? 'red' : undefined) },
    status: { heading: 'Status', leaveOut: 1, dot: true, colour: ({ status }) => statusColours[status] },
    lowAt: { heading: 'Low at', leaveOut: 4, numeric: true },
  },
  {
    shown: ['petId', 'name', 'quantity', 'reserved', 'available', 'status'],
    json: ['petId', 'quantity', 'status', 'reserved', 'available', 'lowAt'],
  },
);

/** The units on hand before and after a change: "37 → 42 on hand". */
function onHandText({ before, quantity }: InventoryRow): string {
  return `${before === undefined ? '' : `${before} → `}${quantity} on hand`;
}

/** The pet of an inventory entry: "Pet 7 (Rex)", or "Pet 7" where its name may not be read. */
function petOf({ petId, name }: InventoryRow): string {
  return name === undefined ? `Pet ${petId}` : `Pet ${petId} (${name})`;
}

/** The stock of a pet after a change, in a sentence; `change` is what was asked for, where that says more: "+5". */
function stockSentence(row: InventoryRow, change?: string): string {
  const { quantity, before, reserved, available } = row;
  const onHand = before === quantity ? ` still has ${quantity} on hand` : `${change === undefined ? '' : ` ${change}`}: ${onHandText(row)}`;
  return `${petOf(row)}${onHand}${reserved > 0 ? `, ${reserved} reserved, ${available} available` : ''}.`;
}

interface CountValues {
  readonly pet: IdentifiedPet | undefined;
  readonly expect: number | undefined;
}

/** Asks for a count. It also answers --expect with the quantity that was shown, so that a sale in the meantime is not overwritten. */
async function askForCount(dialogue: Dialogue, { pet, expect }: CountValues): Promise<string | { readonly quantity: string; readonly expect: string }> {
  const { petId, name = `Pet ${petId}`, quantity: shown, reserved } = await currentStock(dialogue, pet);
  const message = `${name} has ${shown} on hand${reserved > 0 ? `, ${reserved} reserved` : ''}. How many did you count?${timesUnits(pet)}`;
  const quantity = await dialogue.line({ message, problem: (text) => numberTextProblem(quantityNumber, text) });
  return expect === undefined ? { quantity, expect: String(shown) } : quantity;
}

/** A counted quantity; a change such as +5 is refused with the command for it. */
function readCount(text: string, { subject, words }: ReadContext): number {
  if (!/^[+][0-9]{1,10}$/.test(text)) return unitCount(text, subject);
  throw new HintedError('usage', `The quantity is a count without a sign, not "${text}".`, { command: ['inventory', 'adjust', ...words] });
}

/** The command `inventory set`. */
export const inventorySet: Command = changeCommand({
  path: ['inventory', 'set'],
  summary: 'set the stock of a pet to a counted quantity',
  arguments: { pet: stockedPetArgument, quantity: argument({ read: readCount, prompt: { ask: askForCount } }) },
  flags: {
    expect: flag({
      long: 'expect',
      value: 'n',
      summary: 'refuse the change unless this quantity is on hand',
      read: unitCount,
      thisRunOnly: true,
    }),
    allowShortage,
  },
  operation: setInventory,
  input: ({ pet, quantity, expect, allowShortage: allow }) => ({
    petId: pet.petId,
    expected: expect,
    allowShortage: allow === true,
    body: { quantity: quantity * pet.units },
  }),
  doubt: (_, __, { quantity }) => unitsDoubt(quantity),
  columns: inventoryColumns,
  sentence: (row, _, { pet, quantity }) => stockSentence(row, pet.units === 1 ? undefined : unitsText(quantity, pet.units)),
  examples: ['petstore inventory set 7 12', 'petstore inventory set 7 12 --expect 10'],
});

const changePrompt = stockPrompt<IdentifiedPet>('Change in stock (such as 12 or -2)', (text) => numberTextProblem(deltaNumber, text, changeNumber));

const changeArgument = argument({ read: (text, { subject }) => changeNumber(text, subject), prompt: changePrompt });

/** The command `inventory adjust`. */
export const inventoryAdjust: Command = changeCommand({
  path: ['inventory', 'adjust'],
  summary: 'add or remove units of a pet',
  arguments: { pet: stockedPetArgument, change: changeArgument },
  flags: { allowShortage },
  operation: adjustInventory,
  input: ({ pet, change, allowShortage: allow }) => ({ petId: pet.petId, allowShortage: allow === true, body: { delta: change * pet.units } }),
  doubt: (_, __, { change }) => unitsDoubt(change),
  columns: inventoryColumns,
  sentence: (row, _, { pet, change }) => stockSentence(row, unitsText(change, pet.units, signed)),
  examples: ['petstore inventory adjust 7 +5 --note "delivery"', 'petstore inventory adjust 7 -2'],
});

type Level = number | 'none';

function readLevel(text: string, name: string): Level {
  return text === 'none' ? 'none' : wholeNumber(text, name);
}

const levelPrompt = stockPrompt<number>('Low at (a number, or none)', (text) => (text === 'none' ? undefined : numberTextProblem(quantityNumber, text)));

const levelArgument = argument({ read: (text, { subject }) => readLevel(text, subject), prompt: { ...levelPrompt, onlyWithout: ['default'] } });

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

const defaultColumns = columnsOf<LowDefault>({ lowAt: { heading: 'Low at' } });

function defaultSentence({ lowAt }: LowDefault, verb: VerbForm): string {
  return `Pets without their own level ${verb('are', 'would be', 'are still')} ${lowAt === undefined ? 'never low' : `low at ${lowAt}`}.`;
}

function levelSentence(row: InventoryRow, verb: VerbForm): string {
  const { lowAt } = row;
  return `${petOf(row)} ${verb('is', 'would be', 'is still')} ${lowAt === undefined ? 'never low' : `low at ${lowAt}`}.`;
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
    if (common !== undefined && pet === undefined) {
      const make: CommandChange<LowDefault>['make'] = (options, { call }) => call(setLowDefault, { body: levelBody(common) }, options);
      await makeChange(context, mutation, { columns: defaultColumns, make, sentence: defaultSentence });
    } else if (common === undefined && pet !== undefined && level !== undefined) {
      const make: CommandChange<InventoryRow>['make'] = (options, { call }) => call(setLowAt, { petId: pet, body: levelBody(level) }, options);
      await makeChange(context, mutation, { columns: inventoryColumns, make, sentence: levelSentence });
    } else throw new HintedError('usage', 'Give a pet and its level, or the level of the shop with --default.', { command: ['inventory', 'low-at', '7', '3'] });
  },
  examples: ['petstore inventory low-at 7 3', 'petstore inventory low-at 7 none', 'petstore inventory low-at --default 2'],
});

/** Reads the units of a delivery: a whole number; refuses one below 1 with `validation_failed`. */
function deliveredNumber(text: string, subject: string): number {
  const units = changeNumber(text, subject);
  if (units >= 1) return units;
  throw new StoreError('validation_failed', 'Receive at least 1.', {
    advice: `To take a delivery back: ${commandText(['undo', '--list'])}`,
  });
}

const unitsPrompt = stockPrompt<IdentifiedPet>('Units received', (text) => numberTextProblem(deltaNumber, text, deliveredNumber));

/** The command `receive`. */
export const receiveCommand: Command = changeCommand({
  path: ['receive'],
  summary: 'add delivered units to the stock of a pet',
  arguments: {
    pet: stockedPetArgument,
    quantity: argument({ read: (text, { subject }) => deliveredNumber(text, subject), prompt: unitsPrompt }),
  },
  operation: adjustInventory,
  input: ({ pet: { petId, units }, quantity }) => ({ petId, body: { delta: quantity * units } }),
  doubt: (_, __, { quantity }) => unitsDoubt(quantity),
  columns: inventoryColumns,
  sentence: (row, verb, { pet, quantity }) =>
    `${verb('Received', 'Would receive')} ${unitsText(quantity, pet.units)} × ${row.name ?? `pet ${row.petId}`}: ${onHandText(row)}`,
  examples: ['petstore receive 7 12', 'petstore receive 7 12 --note "delivery 4711"'],
});
