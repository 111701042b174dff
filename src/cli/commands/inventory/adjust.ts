import type { Dialogue } from '../../prompts/prompt.js';
import { numberTextProblem } from '../../prompts/shared-prompts.js';
import { argument } from '../../arguments.js';
import { stockedPetArgument } from '../../shared-arguments.js';
import { inventoryColumns, stockSentence } from './inventory-columns.js';
import { allowShortage, currentStock } from './inventory-arguments.js';
import { adjustInventory } from '../../../domain/inventory/adjust-inventory.js';
import { deltaNumber } from '../../../domain/values/numbers.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { changeNumber } from '../../readers.js';

async function askForChange(dialogue: Dialogue, { pet }: { readonly pet: number | undefined }): Promise<string> {
  const { name, quantity } = await currentStock(dialogue, pet);
  return dialogue.line({
    message: `${name} has ${quantity} on hand. Change in stock (such as 12 or -2):`,
    problem: (text) => numberTextProblem(deltaNumber, text, changeNumber),
  });
}

/** A number of units to add; after a refusal for too little stock it is asked for again. */
const changeArgument = argument({
  read: (text, { subject }) => changeNumber(text, subject),
  prompt: { ask: askForChange },
  askAgainAfter: ['out_of_stock', 'stock_reserved'],
});

/** The command `inventory adjust`. */
export const inventoryAdjust: Command = changeCommand({
  path: ['inventory', 'adjust'],
  summary: 'add or remove units of a pet',
  arguments: { pet: stockedPetArgument, change: changeArgument },
  flags: { allowShortage },
  operation: adjustInventory,
  input: ({ pet, change, allowShortage: allow }) => ({ petId: pet, allowShortage: allow === true, body: { delta: change } }),
  columns: inventoryColumns,
  sentence: (row, _, { change }) => stockSentence(row, change),
  examples: ['petstore inventory adjust 7 +5 --note "delivery"', 'petstore inventory adjust 7 -2'],
});
