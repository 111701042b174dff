import { HintedError } from '../../../settings/hint.js';
import { argument } from '../../arguments.js';
import { inventoryColumns, stockSentence } from './inventory-columns.js';
import { allowShortage, currentStock, whichPet } from './inventory-arguments.js';
import { setInventory } from '../../../domain/inventory/set-inventory.js';
import { quantityNumber } from '../../../domain/values/numbers.js';
import type { Command } from '../../command.js';
import { makeCommand } from '../../record-command.js';
import { flag, idOf, wholeNumber } from '../../flags.js';
import { amountProblem, type Asks } from '../../prompts/questions.js';
import type { Talk } from '../../prompts/prompter.js';

/** Asks for what was counted, beside what the shop believes. */
async function count(talk: Talk): Promise<{ readonly quantity: string; readonly seen: string }> {
  const { name, quantity, reserved } = await currentStock(talk);
  const message = `${name} has ${quantity} on hand${reserved > 0 ? `, ${reserved} reserved` : ''}. How many did you count?`;
  return { quantity: await talk.line({ message, problem: (text) => amountProblem(quantityNumber, text) }), seen: String(quantity) };
}

const setAsks: Asks = {
  ...whichPet,
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

/** A counted quantity; whoever types a change instead is shown the command for it. */
function countedQuantity(id: string, text: string): number {
  if (!/^[+][0-9]{1,10}$/.test(text)) return wholeNumber(text, 'The quantity');
  throw new HintedError('usage', `The quantity is a count and takes no sign, not "${text}".`, {
    command: ['inventory', 'adjust', String(idOf('pet')(id)), text],
  });
}

/** The command `inventory set`. */
export const inventorySet: Command = makeCommand({
  columns: inventoryColumns,
  path: ['inventory', 'set'],
  arguments: { pet: argument('pet'), quantity: argument() },
  summary: 'set the stock of a pet to a counted quantity',
  examples: ['petstore inventory set 7 12', 'petstore inventory set 7 12 --expect 10'],
  does: setInventory,
  flags: { expect: flag({ long: 'expect', value: 'n', summary: 'refuse when another quantity is on hand now', read: wholeNumber }), allowShortage },
  asks: setAsks,
  input: ([id = '', quantity = ''], { expect, allowShortage: allow }) => ({
    petId: idOf('pet')(id),
    expected: expect,
    allowShortage: allow === true,
    body: { quantity: countedQuantity(id, quantity) },
  }),
  sentence: stockSentence,
});
