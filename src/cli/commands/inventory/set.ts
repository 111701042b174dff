import { HintedError } from '../../../settings/hint.js';
import type { Dialogue, Prompt } from '../../prompts/prompt.js';
import { numberTextProblem } from '../../prompts/shared-prompts.js';
import { type ReadContext, type SingleArgument, argument } from '../../arguments.js';
import { stockedPetArgument } from '../../shared-arguments.js';
import { inventoryColumns, stockSentence } from './inventory-columns.js';
import { allowShortage, currentStock } from './inventory-arguments.js';
import { setInventory } from '../../../domain/inventory/set-inventory.js';
import { quantityNumber } from '../../../domain/values/numbers.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { flag } from '../../flags.js';
import { unitCount } from '../../readers.js';

/** The values that the question about a count needs. */
interface CountValues {
  readonly pet: number | undefined;
  readonly expect: number | undefined;
}

/** Asks for a count. It also answers --expect with the quantity that was shown, so that a sale in the meantime is not overwritten. */
async function askForCount(dialogue: Dialogue, { pet, expect }: CountValues): Promise<string | { readonly quantity: string; readonly expect: string }> {
  const { name, quantity: shown, reserved } = await currentStock(dialogue, pet);
  const message = `${name} has ${shown} on hand${reserved > 0 ? `, ${reserved} reserved` : ''}. How many did you count?`;
  const quantity = await dialogue.line({ message, problem: (text) => numberTextProblem(quantityNumber, text) });
  return expect === undefined ? { quantity, expect: String(shown) } : quantity;
}

/** A counted quantity; a change such as +5 is refused with the command for it. */
function readCount(text: string, { subject, words }: ReadContext): number {
  if (!/^[+][0-9]{1,10}$/.test(text)) return unitCount(text, subject);
  throw new HintedError('usage', `The quantity is a count without a sign, not "${text}".`, { command: ['inventory', 'adjust', ...words] });
}

/** A counted quantity; after a refusal because of reserved units it is asked for again. */
function quantityArgument<Given, Name extends string>(prompt: Prompt<Given, Name>): SingleArgument<number, Prompt<Given, Name>> {
  return argument({ read: readCount, prompt, askAgainAfter: ['stock_reserved'] });
}

/** The command `inventory set`. */
export const inventorySet: Command = changeCommand({
  path: ['inventory', 'set'],
  summary: 'set the stock of a pet to a counted quantity',
  arguments: { pet: stockedPetArgument, quantity: quantityArgument({ ask: askForCount }) },
  flags: {
    expect: flag({
      long: 'expect',
      value: 'n',
      summary: 'refuse the change unless this quantity is on hand',
      read: unitCount,
      askAgainAfter: ['stock_changed'],
      thisRunOnly: true,
    }),
    allowShortage,
  },
  operation: setInventory,
  input: ({ pet, quantity, expect, allowShortage: allow }) => ({ petId: pet, expected: expect, allowShortage: allow === true, body: { quantity } }),
  columns: inventoryColumns,
  sentence: (row) => stockSentence(row),
  examples: ['petstore inventory set 7 12', 'petstore inventory set 7 12 --expect 10'],
});
