import { StoreError } from '../../../domain/errors.js';
import { adjustInventory } from '../../../domain/inventory/adjust-inventory.js';
import type { IdentifiedPet } from '../../../domain/pets/identify-pet.js';
import { deltaNumber, numberProblem } from '../../../domain/values/numbers.js';
import { argument } from '../../arguments.js';
import { commandText } from '../../command-text.js';
import type { Command } from '../../command.js';
import { unitsText } from '../../output/numbers.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { numberTextProblem } from '../../prompts/shared-prompts.js';
import { changeNumber } from '../../readers.js';
import { changeCommand, unitsDoubt } from '../../record-command.js';
import { stockedPetArgument } from '../../shared-arguments.js';
import { currentStock, timesUnits } from '../../prompts/stock-prompts.js';
import { inventoryColumns, onHandText } from '../inventory/inventory-columns.js';

/** Reads the units of a delivery: a whole number; refuses one below 1, and one that no pet can have, with `validation_failed`. */
function deliveredNumber(text: string, subject: string): number {
  const units = changeNumber(text, subject);
  const problem = units < 1 ? undefined : numberProblem(deltaNumber, units);
  if (problem !== undefined) throw new StoreError('validation_failed', `quantity: ${problem}.`);
  if (units >= 1) return units;
  throw new StoreError('validation_failed', 'Receive at least 1.', {
    advice: `To take a delivery back: ${commandText(['undo', '--list'])}`,
  });
}

async function askForUnits(dialogue: Dialogue, { pet }: { readonly pet: IdentifiedPet | undefined }): Promise<string> {
  const { name, quantity } = await currentStock(dialogue, pet);
  return dialogue.line({
    message: `${name} has ${quantity} on hand. Units received${timesUnits(pet)}:`,
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
  input: ({ pet: { petId, units }, quantity }) => ({ petId, body: { delta: quantity * units } }),
  doubt: (_, __, { quantity }) => unitsDoubt(quantity),
  columns: inventoryColumns,
  sentence: (row, verb, { pet, quantity }) => `${verb('Received', 'Would receive')} ${unitsText(quantity, pet.units)} × ${row.name}: ${onHandText(row)}`,
  examples: ['petstore receive 7 12', 'petstore receive 7 12 --note "delivery 4711"'],
});
