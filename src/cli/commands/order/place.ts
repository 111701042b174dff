import { orderView, orderUnits } from './order-columns.js';
import { orderFlags } from './order-flags.js';
import { placeOrder } from '../../../domain/orders/place-order.js';
import { getInventoryItem } from '../../../domain/inventory/get-inventory-item.js';
import { orderedNumber } from '../../../domain/values/numbers.js';
import type { Command } from '../../command.js';
import { makeCommand } from '../../record-command.js';
import { toggle } from '../../flags.js';
import { amountProblem, aPet, detail, must, wish, yesOrNo, type Asks } from '../../prompts/questions.js';

const orderAsks: Asks = {
  pet: wish(
    aPet('Which of the pets for sale?', { only: 'available', last: ({ complete }) => (complete === true ? undefined : 'None yet: the order is a draft') }),
  ),
  quantity: {
    ...detail(
      must(async ({ call, line, given: { pet } }) => {
        const available = pet === undefined ? undefined : (await call(getInventoryItem, { petId: Number(pet) })).available;
        // Where nothing can be sold no answer would do: then the shop says why.
        const tooMany = (text: string): string | undefined =>
          available !== undefined && available > 0 && Number(text) > available ? `Only ${available} can be sold.` : undefined;
        const text = await line({
          message: available === undefined ? 'How many?' : `${available} can be sold. How many?`,
          fallback: '1',
          problem: (typed) => amountProblem(orderedNumber, typed) ?? tooMany(typed),
        });
        return text === '1' ? undefined : text;
      }),
    ),
    again: ['insufficient_stock', 'out_of_stock'],
  },
  complete: yesOrNo('Sell it at once?'),
};

/** The command `order place`. */
export const orderPlace: Command = makeCommand({
  ...orderView,
  path: ['order', 'place'],
  summary: 'place an order; without a pet it is a draft',
  examples: ['petstore order place --pet 7', 'petstore order place --pet 7 --quantity 2 --complete'],
  does: placeOrder,
  flags: { ...orderFlags, complete: toggle({ long: 'complete', summary: 'sell it at once' }) },
  asks: orderAsks,
  input: (_, { pet, quantity, shipDate, complete }) => ({ body: { petId: pet, quantity, shipDate, complete } }),
  sentence: (order) => `Order ${order.id} is ${order.complete ? 'complete' : order.state === 'draft' ? 'a draft' : 'placed'}: ${orderUnits(order)}.`,
});
