import { StoreError } from '../../domain/errors.js';
import { adjustInventory } from '../../domain/inventory/adjust-inventory.js';
import { getInventoryItem } from '../../domain/inventory/get-inventory-item.js';
import { listInventory } from '../../domain/inventory/list-inventory.js';
import { setInventory } from '../../domain/inventory/set-inventory.js';
import { setLowAt } from '../../domain/inventory/set-low-at.js';
import { setLowDefault } from '../../domain/inventory/set-low-default.js';
import type { InventoryRow } from '../../domain/inventory/inventory-item.js';
import { deltaNumber, quantityNumber } from '../../domain/values/numbers.js';
import { callOptions, command, mutationFlags, somethingPending, type Command } from '../command.js';
import { listCommand } from '../list-command.js';
import { makeCommand, showChange, viewCommand } from '../record-command.js';
import { asOf, changeNumber, flag, idOf, toggle, wholeNumber } from '../flags.js';
import { amountProblem, aPet, type Asks } from '../prompts/questions.js';
import type { Talk } from '../prompts/prompter.js';
import { type Columns, chosen } from '../output/view.js';
import { petFilterFlags, petFilterInput, statusColours } from './pets.js';
import { batchCommands } from './batches.js';
import { inventoryExport } from './inventory-export.js';
import { stockDiff, stockImport } from './stock-import.js';
import { undo } from './undo.js';

/** The columns of a list of inventory. */
export const inventoryColumns: Columns<InventoryRow> = {
  all: [
    { name: 'petId', heading: 'ID', value: ({ petId }) => petId, numeric: true },
    { name: 'name', heading: 'Name', least: 12, value: ({ name }) => name },
    { name: 'category', heading: 'Category', least: 8, value: ({ category }) => category },
    { name: 'quantity', heading: 'On hand', value: ({ quantity }) => quantity, numeric: true },
    { name: 'reserved', heading: 'Reserved', leaveOut: 2, value: ({ reserved }) => reserved, numeric: true },
    {
      name: 'available',
      heading: 'Available',
      leaveOut: 3,
      value: ({ available }) => available,
      numeric: true,
      colour: ({ available }) => (available < 0 ? 'red' : undefined),
    },
    { name: 'status', heading: 'Status', leaveOut: 1, dot: true, value: ({ status }) => status, colour: ({ status }) => statusColours[status] },
    { name: 'lowAt', heading: 'Low at', value: ({ lowAt }) => lowAt, numeric: true },
  ],
  shown: ['petId', 'name', 'quantity', 'reserved', 'available', 'status'],
  json: ['petId', 'quantity', 'status', 'reserved', 'available', 'lowAt'],
  id: 'petId',
};

const petId = idOf('pet');
const shown = { columns: inventoryColumns } as const;
const allowShortage = toggle('--allow-shortage', 'accept a figure that does not cover what is reserved for open orders');

function standing({ petId: id, name, quantity, reserved, available }: InventoryRow): string {
  return `Pet ${id} (${name}) has ${quantity} on hand${reserved > 0 ? `, ${reserved} reserved, ${available} available` : ''}.`;
}

function levelText(value: string, name: string): number | 'none' {
  return value === 'none' ? 'none' : wholeNumber(value, name);
}

function levelBody(value: number | 'none'): { lowAt?: number } {
  return value === 'none' ? {} : { lowAt: value };
}

const lowAt = command({
  words: 'inventory low-at [pet] [level]',
  summary: 'set the level at or below which a pet is low; "none" goes back to the level of the store',
  examples: ['petstore inventory low-at 7 3', 'petstore inventory low-at 7 none', 'petstore inventory low-at --default 2'],
  does: [setLowAt, setLowDefault],
  flags: { default: flag('--default <level>', 'the level of every pet that has none of its own, or "none"', levelText), ...mutationFlags },
  fields: inventoryColumns.all.map(({ name }) => name),
  mutates: true,
  run: async (context, [pet, level], { default: common, ...mutation }) => {
    chosen(inventoryColumns, context.settings.fields, 'tsv');
    if ((common === undefined) !== (pet !== undefined && level !== undefined) || (common !== undefined && pet !== undefined)) {
      if (common !== undefined || pet === undefined || level === undefined)
        throw new StoreError('usage', 'Give a pet and its level, or the level of the store with --default.', 'petstore inventory low-at 7 3');
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
    const input = { petId: petId(pet ?? ''), body: levelBody(levelText(level ?? '', 'The level')) };
    const { call } = await context.shop();
    const row = await call(setLowAt, input, callOptions(context, mutation));
    await showChange(
      context,
      shown,
      [row],
      false,
      ({ petId: id, name, lowAt: at }) => `Pet ${id} (${name}) is ${at === undefined ? 'never low' : `low at ${at}`}.`,
      mutation.dryRun,
    );
  },
});

const pet = aPet('Which pet?');

/** What stands on hand of the pet that was named. */
async function present({ call, given }: Talk): Promise<InventoryRow> {
  return call(getInventoryItem, { petId: petId(String(given['pet'])) });
}

/** Asks for what was counted, beside what the shop believes. */
async function count(talk: Talk): Promise<{ readonly quantity: string; readonly seen: string }> {
  const { name, quantity, reserved } = await present(talk);
  const message = `${name} has ${quantity} on hand${reserved > 0 ? `, ${reserved} reserved` : ''}. How many did you count?`;
  return { quantity: await talk.line({ message, problem: (text) => amountProblem(quantityNumber, text) }), seen: String(quantity) };
}

const setAsks: Asks = {
  pet,
  // The figure that was seen must still stand: what was sold meanwhile is not overwritten.
  expect: {
    need: 'detail',
    again: ['stock_changed', 'stock_reserved'],
    ask: async (talk) => {
      const { quantity, seen } = await count(talk);
      return { quantity, expect: seen };
    },
  },
  quantity: { need: 'must', again: ['stock_reserved'], ask: async (talk) => (await count(talk)).quantity },
};

const adjustAsks: Asks = {
  pet,
  change: {
    need: 'must',
    again: ['out_of_stock', 'stock_reserved'],
    ask: async (talk) => {
      const { name, quantity } = await present(talk);
      return talk.line({
        message: `${name} has ${quantity} on hand. How many came in? (-2: two went)`,
        problem: (text) => amountProblem(deltaNumber, text, changeNumber),
      });
    },
  },
};

/** A counted quantity; whoever types a change instead is shown the command for it. */
function countedQuantity(id: string, text: string): number {
  if (!/^[+][0-9]{1,10}$/.test(text)) return wholeNumber(text, 'The quantity');
  throw new StoreError('usage', `The quantity is a count and takes no sign, not "${text}".`, `petstore inventory adjust ${petId(id)} ${text}`);
}

/** The commands of inventory. */
export const inventoryCommands: readonly Command[] = [
  listCommand({
    ...shown,
    words: 'inventory list',
    summary: 'list the stock of every pet',
    examples: [
      'petstore inventory list --low',
      'petstore inventory list --low --exit-status --format csv',
      'petstore inventory list --category Fish --json',
      'petstore inventory list --short',
      'petstore inventory list --at 2026-11-20',
    ],
    does: listInventory,
    flags: {
      low: toggle('--low', 'only pets at or below their low level'),
      short: toggle('--short', 'only pets with more reserved than on hand'),
      ...petFilterFlags,
      at: asOf,
      exitStatus: toggle('--exit-status', `end with ${somethingPending} when anything is listed, for cron`),
    },
    table: ({ low }) => (low === true ? ['petId', 'name', 'quantity', 'lowAt', 'reserved', 'available', 'status'] : undefined),
    exitCode: ({ exitStatus }) => (exitStatus === true ? somethingPending : undefined),
    input: async ({ low, short, at, status, category }, call) => ({
      ...(await petFilterInput({ status, category }, call)),
      low: low === true,
      short: short === true,
      at,
    }),
  }),
  viewCommand({
    ...shown,
    record: ({ petId: id, quantity, status, reserved, available, lowAt: level }) => ({
      petId: id,
      quantity,
      status,
      reserved,
      available,
      ...(level !== undefined && { lowAt: level }),
    }),
    words: 'inventory view <pet...>',
    summary: 'show the stock of pets',
    examples: ['petstore inventory view 7', 'petstore inventory view 7 8 --json'],
    does: getInventoryItem,
    id: petId,
    asks: { pet },
    input: (id) => ({ petId: id }),
  }),
  makeCommand({
    ...shown,
    words: 'inventory set <pet> <quantity>',
    summary: 'set the stock of a pet to a counted quantity',
    examples: ['petstore inventory set 7 12', 'petstore inventory set 7 12 --expect 10'],
    does: setInventory,
    flags: { expect: flag('--expect <n>', 'refuse when another quantity is on hand now', wholeNumber), allowShortage },
    asks: setAsks,
    input: ([id = '', quantity = ''], { expect, allowShortage: allow }) => ({
      petId: petId(id),
      expected: expect,
      allowShortage: allow === true,
      body: { quantity: countedQuantity(id, quantity) },
    }),
    sentence: standing,
  }),
  makeCommand({
    ...shown,
    words: 'inventory adjust <pet> <change>',
    summary: 'add units to the stock of a pet, or take some away',
    examples: ['petstore inventory adjust 7 +5 --note "delivery"', 'petstore inventory adjust 7 -2'],
    does: adjustInventory,
    flags: { allowShortage },
    asks: adjustAsks,
    input: ([id = '', change = ''], { allowShortage: allow }) => ({
      petId: petId(id),
      allowShortage: allow === true,
      body: { delta: changeNumber(change, 'The change') },
    }),
    sentence: standing,
  }),
  lowAt,
  stockImport,
  stockDiff,
  inventoryExport,
  ...batchCommands,
  undo,
];
