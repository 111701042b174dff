import { StoreError } from '../../../domain/errors.js';
import { adjustInventory } from '../../../domain/inventory/adjust-inventory.js';
import { deltaNumber } from '../../../domain/values/numbers.js';
import { argument } from '../../arguments.js';
import type { Command } from '../../command.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { numberTextProblem } from '../../prompts/shared-prompts.js';
import { wholeNumber } from '../../readers.js';
import { changeCommand } from '../../record-command.js';
import { stockedPetArgument } from '../../shared-arguments.js';
import { currentStock } from '../inventory/inventory-arguments.js';
import { inventoryColumns } from '../inventory/inventory-columns.js';

/** Reads the units of a delivery: a whole number of at least 1. */
function deliveredNumber(text: string, subject: string): number {
  const units = wholeNumber(text.replace(/^[+](?=[0-9])/, ''), subject);
  if (units >= 1) return units;
  throw new StoreError('usage', `${subject} takes a number of at least 1, not "${text}".`);
}

async function askForUnits(dialogue: Dialogue, { pet }: { readonly pet: number | undefined }): Promise<string> {
  const { name, quantity } = await currentStock(dialogue, pet);
  return dialogue.line({
    message: `${name} has ${quantity} on hand. Units received:`,
    problem: (text) => numberTextProblem(deltaNumber, text, deliveredNumber),
  });
}

/** The command `receive`. */
export const receiveCommand: Command = changeCommand({
  path: ['receive'],
  summary: 'add delivered units to the stock of a pet',
  arguments: {
    pet: stockedPetArgument,
    quantity: argument({ read: (text, { subject }) => deliveredNumber(text, subject), prompt: { ask: askForUnits } }),
  },
  operation: adjustInventory,
  input: ({ pet, quantity }) => ({ petId: pet, body: { delta: quantity } }),
  columns: inventoryColumns,
  sentence: ({ name, quantity: onHand }, verb, { quantity }) => `${verb('Received', 'Would receive')} ${quantity} × ${name}, ${onHand} on hand`,
  examples: ['petstore receive 7 12', 'petstore receive 7 12 --note "delivery 4711"'],
});
