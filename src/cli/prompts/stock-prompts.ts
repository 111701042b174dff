import { getInventoryItem } from '../../domain/inventory/get-inventory-item.js';
import type { InventoryRow } from '../../domain/inventory/inventory-item.js';
import type { IdentifiedPet } from '../../domain/pets/identify-pet.js';
import { orderedNumber } from '../../domain/values/numbers.js';
import type { Dialogue, Line, Prompt } from './prompt.js';
import { lineOrDefault, numberTextProblem } from './shared-prompts.js';

/** Reads the stock of the pet that was typed or answered, to show it in a question about its quantity. */
export async function currentStock({ call }: Dialogue, pet: IdentifiedPet | number | undefined): Promise<InventoryRow> {
  if (pet === undefined) throw new Error('The pet must be asked for before its quantity.');
  return call(getInventoryItem, { petId: typeof pet === 'number' ? pet : pet.petId });
}

/** Asks a question about the stock of a pet, which it shows. */
export function stockPrompt<P extends IdentifiedPet | number>(question: string, problem: Line['problem']): Prompt<{ readonly pet: P | undefined }> {
  return {
    ask: async (dialogue, { pet }) => {
      const { petId, name = `Pet ${petId}`, quantity } = await currentStock(dialogue, pet);
      const units = typeof pet === 'object' ? timesUnits(pet) : '';
      return dialogue.line({ message: `${name} has ${quantity} on hand. ${question}${units}:`, problem });
    },
  };
}

/** The end of a question for a number, which counts scans where the pet was named by the code of several units. */
export function timesUnits({ units = 1 }: Partial<IdentifiedPet> = {}): string {
  return units === 1 ? '' : ` (times ${units} units)`;
}

/** Asks how many units of a pet to order, or of none for a draft. The answer 1, the default, is left out. */
export async function askForOrderedQuantity(dialogue: Dialogue, pet: IdentifiedPet | undefined): Promise<string | undefined> {
  const available = pet && Math.floor((await dialogue.call(getInventoryItem, { petId: pet.petId })).available / pet.units);
  // With nothing for sale every answer would be refused here; the shop then refuses the order and says why.
  const tooMany = (text: string): string | undefined =>
    available !== undefined && available > 0 && Number(text) > available ? `Only ${available} available.` : undefined;
  return lineOrDefault(dialogue, {
    message: available === undefined ? 'How many?' : `How many?${timesUnits(pet)} (${available} available)`,
    fallback: '1',
    problem: (typed) => numberTextProblem(orderedNumber, typed) ?? tooMany(typed),
  });
}
