import { petPrompt, yesNoPrompt } from '../../prompts/shared-prompts.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { namedUnits, orderView, saleSentence } from './order-columns.js';
import { orderFlags } from './order-flags.js';
import { askForOrderedQuantity } from './quantity-prompt.js';
import { findPet } from '../../../domain/pets/find-pet.js';
import { orderFields } from '../../../domain/orders/order.js';
import { pickFields } from '../../../domain/values/fields.js';
import { placeOrder } from '../../../domain/orders/place-order.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { toggle } from '../../flags.js';

/** Asks for a pet for sale, or for none: then the order is a draft, which cannot be complete. */
const salePrompt = petPrompt('Which pet?', {
  status: 'available',
  offersMissing: true,
  none: ({ complete }: { readonly complete: true | undefined }) => (complete === true ? undefined : 'None (draft order)'),
});

async function askForQuantity(dialogue: Dialogue, { pet }: { readonly pet: string | undefined }): Promise<string | undefined> {
  const petId = pet === undefined ? undefined : await findPet(dialogue.call, pet, 'unknown_pet');
  return askForOrderedQuantity(dialogue, petId);
}

/** The command `order place`. */
export const orderPlace: Command = changeCommand({
  ...orderView,
  path: ['order', 'place'],
  aliases: ['create', 'add', 'new'],
  summary: 'place an order; without a pet it is a draft',
  flags: {
    ...orderFlags,
    pet: { ...orderFlags.pet, isMeantBy: () => true, prompt: salePrompt },
    quantity: {
      ...orderFlags.quantity,
      isMeantBy: () => true,
      default: '1',
      prompt: { followUp: true, ask: askForQuantity },
      askAgainAfter: ['insufficient_stock', 'out_of_stock'],
    },
    complete: toggle({ long: 'complete', summary: 'complete the order at once (a sale)', prompt: yesNoPrompt('Complete the sale now?') }),
  },
  operation: placeOrder,
  input: async ({ pet, complete, ...values }, call) => {
    const petId = pet === undefined ? undefined : await findPet(call, pet, 'unknown_pet');
    return { body: { ...pickFields(orderFields, values), petId, complete } };
  },
  sentence: (order, verb) => {
    if (order.state === 'draft') return `${verb('Saved', 'Would save')} order ${order.id} as a draft.`;
    return order.complete ? saleSentence(order, verb) : `${verb('Reserved', 'Would reserve')} ${namedUnits(order)} (order ${order.id})`;
  },
  examples: ['petstore order place --pet 7', 'petstore order place --pet 7 --quantity 2 --complete'],
});
