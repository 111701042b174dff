import { argument } from '../../arguments.js';
import { inventoryColumns, stockSentence } from './inventory-columns.js';
import { allowShortage, whichPet, currentStock } from './inventory-arguments.js';
import { adjustInventory } from '../../../domain/inventory/adjust-inventory.js';
import { deltaNumber } from '../../../domain/values/numbers.js';
import type { Command } from '../../command.js';
import { makeCommand } from '../../record-command.js';
import { changeNumber, idOf } from '../../flags.js';
import { amountProblem, type Asks } from '../../prompts/questions.js';

const adjustAsks: Asks = {
  ...whichPet,
  change: {
    need: 'must',
    again: ['out_of_stock', 'stock_reserved'],
    ask: async (talk) => {
      const { name, quantity } = await currentStock(talk);
      return talk.line({
        message: `${name} has ${quantity} on hand. How many came in? (-2: two went)`,
        problem: (text) => amountProblem(deltaNumber, text, changeNumber),
      });
    },
  },
};

/** The command `inventory adjust`. */
export const inventoryAdjust: Command = makeCommand({
  columns: inventoryColumns,
  path: ['inventory', 'adjust'],
  arguments: { pet: argument('pet'), change: argument() },
  summary: 'add units to the stock of a pet, or take some away',
  examples: ['petstore inventory adjust 7 +5 --note "delivery"', 'petstore inventory adjust 7 -2'],
  does: adjustInventory,
  flags: { allowShortage },
  asks: adjustAsks,
  input: ([id = '', change = ''], { allowShortage: allow }) => ({
    petId: idOf('pet')(id),
    allowShortage: allow === true,
    body: { delta: changeNumber(change, 'The change') },
  }),
  sentence: stockSentence,
});
