import type { OrderRow } from '../../../domain/orders/order.js';
import { placeOrder } from '../../../domain/orders/place-order.js';
import { argument } from '../../arguments.js';
import type { Command, Context } from '../../command.js';
import { completeRecords } from '../../completion/completers.js';
import { command } from '../../declare-command.js';
import type { FlagValues } from '../../flags.js';
import { callOptions, mutationFlags } from '../../mutation-flags.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { petPrompt } from '../../prompts/shared-prompts.js';
import { showChange, type ChangeSentence } from '../../record-command.js';
import { withPetArgument } from '../../shared-arguments.js';
import { orderColumns, placedSentence } from '../order/order-columns.js';
import { askForOrderedQuantity } from '../../prompts/stock-prompts.js';
import type { Sale } from './till.js';
import { saleItem, saleItems, saleRest, type SaleItem } from './sale-items.js';

async function askForQuantity(dialogue: Dialogue, { pet: item }: { readonly pet: SaleItem | 'scans' | undefined }): Promise<string | undefined> {
  if (item === undefined || item === 'scans' || item.quantity !== undefined) return undefined;
  return askForOrderedQuantity(dialogue, item.pet);
}

type Mutation = FlagValues<typeof mutationFlags>;

/** Sells items in one transaction, each with an order of its own. */
async function placeSale(context: Context, items: readonly SaleItem[], mutation: Mutation): Promise<readonly OrderRow[]> {
  const inputs = items.map(({ pet: { petId, units }, quantity = 1 }) => ({ body: { petId, quantity: quantity * units, complete: true } }));
  return withPetArgument((await context.shop()).callEach(placeOrder, inputs, callOptions(context, mutation)));
}

async function showSale(context: Context, { items, orders }: Sale, { dryRun }: Mutation, isList: boolean): Promise<void> {
  const scans = new Map(orders.map((order, index) => [order, items[index]?.quantity ?? 1]));
  const sentence: ChangeSentence<OrderRow> = (order, verb) => placedSentence(order, verb, scans.get(order));
  await showChange(context, { columns: orderColumns, rows: orders, isList, sentence, dryRun });
}

/** The command `sell`; `-` is a till. */
export const sellCommand: Command = command({
  path: ['sell'],
  summary: 'sell pets over the counter: all of them or none',
  arguments: {
    pet: argument({
      read: async (text, reading): Promise<SaleItem | 'scans'> => (text === '-' ? 'scans' : saleItem(text, reading)),
      prompt: petPrompt('Which pet?', { status: 'available', offersMissing: true }),
      complete: completeRecords('pet'),
    }),
    quantity: { required: false, repeated: true, parse: saleRest, prompt: { followUp: true, ask: askForQuantity }, complete: completeRecords('pet') },
  },
  flags: mutationFlags,
  operations: [placeOrder],
  exits: ['pet_not_found', 'import_refused', 'not_utf8', 'payload_too_large', 'cancelled'],
  columns: orderColumns,
  mutates: true,
  run: async (context, { pet, quantity: rest, ...mutation }) => {
    if (pet === 'scans') {
      const { sellAtTill } = await import('./till.js');
      const sale = await sellAtTill(context, mutation, (items, options) => placeSale(context, items, options));
      return sale && showSale(context, sale, mutation, true);
    }
    const items = saleItems(pet, rest);
    await showSale(context, { items, orders: await placeSale(context, items, mutation) }, mutation, items.length > 1);
  },
  examples: ['petstore sell 7 3', 'petstore sell 7 13x5 --note "cash"', 'petstore sell -', 'petstore sell Biscuit'],
});
