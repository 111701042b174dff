import type { OrderRow } from '../../../domain/orders/order.js';
import { placeOrder } from '../../../domain/orders/place-order.js';
import type { Command, Context } from '../../command.js';
import { command } from '../../declare-command.js';
import type { FlagValues } from '../../flags.js';
import { callOptions, mutationFlags } from '../../mutation-flags.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { petPrompt } from '../../prompts/shared-prompts.js';
import { showChange, type ChangeSentence } from '../../record-command.js';
import { withPetArgument } from '../../shared-arguments.js';
import { orderView, saleSentence } from '../order/order-columns.js';
import { askForOrderedQuantity } from '../../prompts/stock-prompts.js';
import { saleItemArgument, saleItems, saleRestArgument, type SaleItem } from './sale-items.js';

async function askForQuantity(dialogue: Dialogue, { pet: item }: { readonly pet: SaleItem | undefined }): Promise<string | undefined> {
  if (item === undefined || item.quantity !== undefined) return undefined;
  return askForOrderedQuantity(dialogue, item.pet);
}

/** Sells items in one transaction, each with an order of its own, and shows the orders. */
export async function sellItems(context: Context, items: readonly SaleItem[], mutation: FlagValues<typeof mutationFlags>): Promise<void> {
  const inputs = items.map(({ pet: { petId, units }, quantity = 1 }) => ({ body: { petId, quantity: quantity * units, complete: true } }));
  const orders = await withPetArgument((await context.shop()).callEach(placeOrder, inputs, callOptions(context, mutation)));
  const scans = new Map(orders.map((order, index) => [order, items[index]?.quantity ?? 1]));
  const sentence: ChangeSentence<OrderRow> = (order, verb) => saleSentence(order, verb, scans.get(order));
  await showChange(context, { ...orderView, rows: orders, isList: items.length > 1, sentence, dryRun: mutation.dryRun });
}

/** The command `sell`. */
export const sellCommand: Command = command({
  path: ['sell'],
  summary: 'sell pets over the counter: all of them or none',
  arguments: {
    pet: saleItemArgument(petPrompt('Which pet?', { status: 'available', offersMissing: true })),
    quantity: saleRestArgument({ followUp: true, ask: askForQuantity }),
  },
  flags: mutationFlags,
  operations: [placeOrder],
  exits: ['pet_not_found'],
  columns: orderView.columns,
  mutates: true,
  run: async (context, { pet, quantity: rest, ...mutation }) => {
    const items = saleItems(pet, rest);
    await sellItems(context, items, mutation);
  },
  examples: ['petstore sell 7', 'petstore sell Biscuit', 'petstore sell 7 3', 'petstore sell 7 13x5 --note "cash"'],
});
