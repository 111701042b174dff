import { StoreError } from '../../domain/errors.js';
import { cancelOrder } from '../../domain/orders/cancel-order.js';
import { getOrder } from '../../domain/orders/get-order.js';
import { listOrders } from '../../domain/orders/list-orders.js';
import { placeOrder } from '../../domain/orders/place-order.js';
import { updateOrder } from '../../domain/orders/update-order.js';
import type { OrderRow } from '../../domain/orders/order.js';
import { getInventoryItem } from '../../domain/inventory/get-inventory-item.js';
import { orderedNumber } from '../../domain/values/numbers.js';
import { something, type Command } from '../command.js';
import { listCommand } from '../list-command.js';
import { changeCommand, makeCommand, viewCommand } from '../record-command.js';
import { dateTime, flag, idOf, instantAt, petNamed, repeatedFlag, sortBy, toggle, wholeNumber } from '../flags.js';
import type { Paint } from '../output/colours.js';
import { amountProblem, anOrder, aPet, detail, must, wish, yesOrNo, type Asks } from '../prompts/questions.js';
import { relativeTime, yesNoText, type Columns } from '../output/view.js';

const stateColours: Record<OrderRow['state'], keyof Paint> = { draft: 'dim', open: 'yellow', complete: 'green', cancelled: 'dim' };

const orderColumns: Columns<OrderRow> = {
  all: [
    { name: 'id', heading: 'ID', value: ({ id }) => id, numeric: true },
    { name: 'petId', heading: 'Pet ID', value: ({ petId }) => petId, numeric: true },
    { name: 'pet', heading: 'Pet', least: 12, value: ({ pet }) => pet, idAfter: ({ petId }) => petId },
    { name: 'quantity', heading: 'Quantity', value: ({ quantity }) => quantity, numeric: true },
    {
      name: 'shipDate',
      heading: 'Ship date',
      leaveOut: 1,
      value: ({ shipDate }) => shipDate,
      text: ({ shipDate }, now) => (shipDate === undefined ? '' : relativeTime(shipDate, now)),
      detail: ({ shipDate }, now) => (shipDate === undefined ? '' : `${shipDate} (${relativeTime(shipDate, now)})`),
    },
    { name: 'complete', heading: 'Complete', value: ({ complete }) => complete, text: ({ complete }) => yesNoText(complete) },
    { name: 'state', heading: 'State', leaveOut: 2, dot: true, value: ({ state }) => state, colour: ({ state }) => stateColours[state] },
  ],
  shown: ['id', 'petId', 'pet', 'quantity', 'shipDate', 'state'],
  table: ['id', 'pet', 'quantity', 'shipDate', 'state'],
  json: ['id', 'petId', 'quantity', 'shipDate', 'complete'],
  id: 'id',
};

function record({ id, petId, quantity, shipDate, complete }: OrderRow): unknown {
  return { id, petId, quantity, shipDate, complete };
}
const orderId = idOf('order');
const shown = { columns: orderColumns, record } as const;

function units({ quantity = 0, pet, petId }: OrderRow): string {
  return petId === undefined ? 'no pet yet' : `${quantity} × ${pet ?? 'pet'} (pet ${petId})`;
}

const listed = {
  does: listOrders,
  columns: orderColumns,
  flags: {
    pet: repeatedFlag('--pet <id>', 'only orders for this pet; may be repeated', idOf('pet')),
    open: toggle('--open', 'only open orders that name a pet'),
    draft: toggle('--draft', 'only orders that name no pet yet'),
    complete: toggle('--complete', 'only complete orders'),
    from: flag('--from <time>', 'only orders that ship on or after this day (UTC) or time', instantAt('start')),
    to: flag('--to <time>', 'only orders that ship on or before this day (UTC) or time', instantAt('end')),
    sort: sortBy(['id', 'shipDate']),
  },
  input: ({ pet, open, draft, complete, from, to, sort }: ListedFlags) => {
    if ([open, draft, complete].filter(Boolean).length > 1) throw new StoreError('usage', '--open, --draft and --complete exclude each other.');
    return { petId: pet && [...pet], complete: open || draft ? false : complete, draft: draft ?? (open && false), shipDateFrom: from, shipDateTo: to, sort };
  },
} as const;

interface ListedFlags {
  readonly pet: readonly number[] | undefined;
  readonly open: true | undefined;
  readonly draft: true | undefined;
  readonly complete: true | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly sort: 'id' | '-id' | 'shipDate' | '-shipDate' | undefined;
}

const orderFlags = {
  pet: flag('--pet <id>', 'the pet that is ordered', petNamed),
  quantity: flag('--quantity <n>', 'how many units (default: 1)', wholeNumber),
  shipDate: flag('--ship-date <time>', 'when it ships', dateTime),
};

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

/** The commands of orders. */
export const orderCommands: readonly Command[] = [
  listCommand({
    ...listed,
    words: 'order list',
    summary: 'list orders that are not cancelled',
    examples: ['petstore order list --open', 'petstore order list --pet 7 --json', 'petstore order list --from 2026-11-01 --to 2026-11-30'],
  }),
  viewCommand({
    ...shown,
    words: 'order view <id...>',
    summary: 'show orders',
    examples: ['petstore order view 12', 'petstore order view 12 13 --json'],
    does: getOrder,
    id: orderId,
    asks: { id: anOrder('Which order?') },
    input: (id) => ({ orderId: id }),
  }),
  makeCommand({
    ...shown,
    words: 'order place',
    summary: 'place an order; without a pet it is a draft',
    examples: ['petstore order place --pet 7', 'petstore order place --pet 7 --quantity 2 --complete'],
    does: placeOrder,
    flags: { ...orderFlags, complete: toggle('--complete', 'sell it at once') },
    asks: orderAsks,
    input: (_, { pet, quantity, shipDate, complete }) => ({ body: { petId: pet, quantity, shipDate, complete } }),
    sentence: (order) => `Order ${order.id} is ${order.complete ? 'complete' : order.state === 'draft' ? 'a draft' : 'placed'}: ${units(order)}.`,
  }),
  changeCommand({
    ...shown,
    words: 'order edit <id...>',
    summary: 'change open orders',
    examples: ['petstore order edit 12 --quantity 3', 'petstore order edit 12 --ship-date 2026-12-24T09:00:00Z'],
    does: updateOrder,
    flags: orderFlags,
    id: orderId,
    input: (id, { pet, quantity, shipDate }) => {
      something([pet, quantity, shipDate], '--pet, --quantity or --ship-date');
      return { orderId: id, body: { petId: pet, quantity, shipDate } };
    },
    sentence: (order) => `Order ${order.id} is now ${units(order)}${order.shipDate === undefined ? '' : `, shipping ${order.shipDate}`}.`,
  }),
  changeCommand({
    ...shown,
    words: 'order complete <id...>',
    summary: 'fulfil open orders: their units leave the shop',
    examples: ['petstore order complete 12 15'],
    does: updateOrder,
    id: orderId,
    asks: { id: anOrder('Which open order?', { complete: false, draft: false }) },
    input: (id) => ({ orderId: id, body: { complete: true } }),
    sentence: (order) => `Order ${order.id} is complete: ${units(order)}.`,
  }),
  changeCommand({
    ...shown,
    words: 'order reopen <id...>',
    summary: 'take complete orders back: their units return',
    examples: ['petstore order reopen 12 --note "customer changed her mind"'],
    does: updateOrder,
    id: orderId,
    asks: { id: anOrder('Which complete order?', { complete: true }) },
    input: (id) => ({ orderId: id, body: { complete: false } }),
    sentence: (order) => `Order ${order.id} is open again: ${units(order)}.`,
  }),
  changeCommand({
    ...shown,
    words: 'order cancel <id...>',
    summary: 'cancel open orders: their units are no longer reserved',
    examples: ['petstore order cancel 12'],
    does: cancelOrder,
    id: orderId,
    asks: { id: anOrder('Which open order?', { complete: false }) },
    input: (id) => ({ orderId: id }),
    sentence: (order) => `Order ${order.id} is cancelled: ${units(order)}.`,
  }),
  listCommand({
    ...listed,
    words: 'order export',
    summary: 'write all orders as CSV, or as --format says',
    examples: ['petstore order export', 'petstore order export --complete --format ndjson'],
    exports: true,
  }),
];
