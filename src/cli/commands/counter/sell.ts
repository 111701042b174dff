import { getInventoryItem } from '../../../domain/inventory/get-inventory-item.js';
import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import type { OrderRow } from '../../../domain/orders/order.js';
import { placeOrder } from '../../../domain/orders/place-order.js';
import { orderedNumber } from '../../../domain/values/numbers.js';
import type { Call } from '../../../domain/call.js';
import type { Command } from '../../command.js';
import { command } from '../../declare-command.js';
import { callOptions, mutationFlags } from '../../mutation-flags.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { lineOrDefault, numberTextProblem, petPrompt } from '../../prompts/shared-prompts.js';
import { showChange } from '../../record-command.js';
import { orderView } from '../order/order-columns.js';
import { saleItemArgument, saleItems, saleRestArgument, type SaleItem } from './sale-items.js';

async function askForQuantity(dialogue: Dialogue, { pet: item }: { readonly pet: SaleItem | undefined }): Promise<string | undefined> {
  if (item === undefined || item.quantity !== undefined) return undefined;
  const { available } = await dialogue.call(getInventoryItem, { petId: item.pet });
  const tooMany = (text: string): string | undefined => (available > 0 && Number(text) > available ? `Only ${available} available.` : undefined);
  return lineOrDefault(dialogue, {
    message: `How many? (${available} available)`,
    fallback: '1',
    problem: (typed) => numberTextProblem(orderedNumber, typed) ?? tooMany(typed),
  });
}

/** The stock of the pets of a sale; where an order cannot be placed, `placeOrder` refuses it. */
async function stockOf(call: Call, petIds: readonly number[]): Promise<ReadonlyMap<number, InventoryRow>> {
  const stock = new Map<number, InventoryRow>();
  for (const petId of new Set(petIds)) stock.set(petId, await call(getInventoryItem, { petId }));
  return stock;
}

/** The units that each order of a sale leaves of its pet, in order; `left` is what was available before the sale. */
function unitsLeft(orders: readonly OrderRow[], before: ReadonlyMap<number, InventoryRow>): ReadonlyMap<OrderRow, number> {
  const left = new Map([...before].map(([petId, { available }]) => [petId, available]));
  return new Map(
    orders.map((order) => {
      const { petId = 0, quantity = 0 } = order;
      const rest = (left.get(petId) ?? 0) - quantity;
      left.set(petId, rest);
      return [order, rest];
    }),
  );
}

/** The command `sell`. */
export const sellCommand: Command = command({
  path: ['sell'],
  summary: 'sell pets over the counter: all of them or none',
  arguments: {
    pet: saleItemArgument(petPrompt('Which pet?', { status: 'available' })),
    quantity: saleRestArgument({ followUp: true, ask: askForQuantity }),
  },
  flags: mutationFlags,
  operations: [placeOrder],
  columns: orderView.columns,
  mutates: true,
  run: async (context, { pet, quantity: rest, ...mutation }) => {
    const { call, callEach } = await context.shop();
    const items = saleItems(pet, rest);
    const inputs = items.map(({ pet: petId, quantity = 1 }) => ({ body: { petId, quantity, complete: true } }));
    const orders = await callEach(placeOrder, inputs, callOptions(context, mutation));
    const isDryRun = mutation.dryRun === true;
    const stock = await stockOf(
      call,
      items.map((item) => item.pet),
    );
    const left = isDryRun ? unitsLeft(orders, stock) : new Map(orders.map((order) => [order, stock.get(order.petId ?? 0)?.available ?? 0]));
    const sentence = (order: OrderRow): string => {
      const { id, pet: name = 'pet', quantity = 0 } = order;
      return `${isDryRun ? 'Would sell' : 'Sold'} ${quantity} × ${name}, ${left.get(order)} left${isDryRun ? '' : ` (order ${id})`}`;
    };
    await showChange(context, orderView, orders, items.length > 1, sentence, mutation.dryRun);
  },
  examples: ['petstore sell 7', 'petstore sell 7 3', 'petstore sell 7 13x5 --note "cash"'],
});
