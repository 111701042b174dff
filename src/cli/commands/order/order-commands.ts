import type { Call } from '../../../domain/call.js';
import { StoreError } from '../../../domain/errors.js';
import { cancelOrder } from '../../../domain/orders/cancel-order.js';
import { getOrder } from '../../../domain/orders/get-order.js';
import { listOrders } from '../../../domain/orders/list-orders.js';
import { type OrderFields, orderFields } from '../../../domain/orders/order.js';
import { placeOrder } from '../../../domain/orders/place-order.js';
import { updateOrder } from '../../../domain/orders/update-order.js';
import { findPet, findPets, identify } from '../../../domain/pets/find-pet.js';
import { pickFields } from '../../../domain/values/fields.js';
import { orderedNumber } from '../../../domain/values/numbers.js';
import { repeated } from '../../arguments.js';
import type { Command, Context } from '../../command.js';
import { completeRecords } from '../../completion/completers.js';
import { requireChange } from '../../declare-command.js';
import { type Flag, type FlagValues, flag, sortBy, timeFlag, toggle, recordFlag, recordsFlag } from '../../flags.js';
import { listCommand, zoneOfRange } from '../../list-command.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { changePrompt, numberTextProblem, petPrompt, yesNoPrompt } from '../../prompts/shared-prompts.js';
import { refusalText } from '../../prompts/text-problems.js';
import { dueTime, orNone, petText, unitCount } from '../../readers.js';
import { changeCommand, changeEachCommand, viewCommand } from '../../record-command.js';
import { orderArgument } from '../../shared-arguments.js';
import { namedUnits, orderColumns, orderUnits, placedSentence, releasedText, shippingText } from './order-columns.js';
import { askForOrderedQuantity } from '../../prompts/stock-prompts.js';

const orderFlags = {
  pet: recordFlag('pet', 'the pet to order, by id or name'),
  quantity: flag({ long: 'quantity', value: 'n', summary: 'the number of units', read: unitCount }),
  shipDate: flag({ long: 'ship-date', value: 'time', summary: 'the ship date', read: dueTime }),
} satisfies Readonly<Record<'pet' | keyof Omit<OrderFields, 'petId'>, Flag<unknown>>>;

const listFlags = {
  pet: recordsFlag('pet', 'only orders for this pet, by id or name; may be repeated'),
  open: toggle({ long: 'open', summary: 'only open orders with a pet' }),
  draft: toggle({ long: 'draft', summary: 'only orders without a pet' }),
  overdue: toggle({ long: 'overdue', summary: 'only open orders with a ship date in the past' }),
  complete: toggle({ long: 'complete', summary: 'only complete orders' }),
  from: timeFlag('start', { long: 'from', summary: 'only orders that ship on or after this day or time' }),
  to: timeFlag('end', { long: 'to', summary: 'only orders that ship on or before this day or time' }),
  sort: sortBy(['id', 'shipDate']),
};

const orderListing = {
  operation: listOrders,
  columns: orderColumns,
  flags: listFlags,
  input: async ({ pet, open, draft, overdue, complete, from, to, sort }: FlagValues<typeof listFlags>, call: Call, { zone }: Pick<Context, 'zone'>) => {
    if ([open, draft, overdue, complete].filter(Boolean).length > 1)
      throw new StoreError('usage', '--open, --draft, --overdue and --complete exclude each other.');
    const petId = pet && (await findPets(call, pet));
    // An open order is neither complete nor a draft.
    const state = { complete: open || draft ? false : complete, draft: open ? false : draft, overdue };
    return { petId, ...state, shipDateFrom: from, shipDateTo: to, ...zoneOfRange(from, to, zone), sort };
  },
} as const;

const orderList = listCommand({
  ...orderListing,
  path: ['order', 'list'],
  aliases: ['ls'],
  // The state of an overdue order is known, its ship date is not.
  table: ({ overdue }) => (overdue === true ? ['id', 'pet', 'quantity', 'shipDate'] : undefined),
  summary: 'list orders that are not cancelled',
  examples: ['petstore order list --open', 'petstore order list --pet 7 --json', 'petstore order list --from 2026-11-01 --to 2026-11-30'],
});

const orderExport = listCommand({
  ...orderListing,
  path: ['order', 'export'],
  summary: 'write all orders as CSV, or in another --format',
  exports: true,
  examples: ['petstore order export', 'petstore order export --complete --format ndjson'],
});

const orderViewCommand = viewCommand({
  columns: orderColumns,
  path: ['order', 'view'],
  aliases: ['show', 'get'],
  summary: 'show orders',
  arguments: { id: repeated(orderArgument('any')) },
  operation: getOrder,
  input: ({ id }) => ({ orderId: id }),
  examples: ['petstore order view 12', 'petstore order view 12 13 --json'],
});

/** Asks for a pet for sale, or for none: then the order is a draft, which cannot be complete. */
const salePrompt = petPrompt('Which pet?', {
  status: 'available',
  offersMissing: true,
  none: ({ complete }: { readonly complete: true | undefined }) => (complete === true ? undefined : 'None (draft order)'),
});

async function askForQuantity(dialogue: Dialogue, { pet }: { readonly pet: string | undefined }): Promise<string | undefined> {
  return askForOrderedQuantity(dialogue, pet === undefined ? undefined : await identify(dialogue.call, pet, 'unknown_pet'));
}

const orderPlace = changeCommand({
  columns: orderColumns,
  path: ['order', 'place'],
  aliases: ['create', 'add', 'new'],
  summary: 'place an order; without a pet it is a draft',
  flags: {
    ...orderFlags,
    pet: { ...orderFlags.pet, takesWord: true, prompt: salePrompt },
    quantity: {
      ...orderFlags.quantity,
      takesWord: true,
      default: '1',
      prompt: { followUp: true, ask: askForQuantity },
    },
    complete: toggle({ long: 'complete', summary: 'complete the order at once (a sale)', prompt: yesNoPrompt('Complete the sale now?') }),
  },
  operation: placeOrder,
  input: async ({ pet, complete, ...values }, call) => {
    const { petId, units = 1 } = pet === undefined ? {} : await identify(call, pet, 'unknown_pet');
    const quantity = units === 1 ? values.quantity : (values.quantity ?? 1) * units;
    return { body: { ...pickFields(orderFields, { ...values, quantity }), petId, complete } };
  },
  sentence: (order, verb, { quantity = 1, shipDate }, zone) => {
    if (order.state === 'draft') return `${verb('Saved', 'Would save')} order ${order.id} as a draft.`;
    return placedSentence(order, verb, quantity) + shippingText(shipDate, zone);
  },
  examples: ['petstore order place 7', 'petstore order place --pet 7 --quantity 2 --complete'],
});

const editFlags = {
  pet: flag({ long: 'pet', value: 'pet', summary: 'the new pet, by id or name, or "none"', read: orNone(petText), complete: completeRecords('pet') }),
  quantity: flag({ long: 'quantity', value: 'n', summary: 'the new number of units, or "none"', read: orNone(unitCount) }),
  shipDate: flag({ long: 'ship-date', value: 'time', summary: 'the new ship date, or "none"', read: orNone(dueTime) }),
} satisfies Readonly<Record<keyof typeof orderFlags, Flag<unknown>>>;

const editPrompt = changePrompt<keyof typeof editFlags>({
  quantity: { label: 'Quantity', ask: ({ line }) => line({ message: 'New quantity:', problem: (text) => numberTextProblem(orderedNumber, text) }) },
  pet: { label: 'Pet', ask: petPrompt('Which pet?', { status: 'available' }).ask },
  shipDate: {
    label: 'Ship date',
    ask: ({ line, clock }) =>
      line({
        message: 'New ship date (such as 2026-12-24, 2026-12-24T09:00 or none):',
        problem: (text) => refusalText(() => editFlags.shipDate.read(text, 'The answer', clock)),
      }),
  },
});

const orderEdit = changeEachCommand({
  columns: orderColumns,
  path: ['order', 'edit'],
  aliases: ['update'],
  summary: 'change open orders',
  arguments: { id: repeated(orderArgument('open')) },
  flags: { ...editFlags, pet: { ...editFlags.pet, prompt: editPrompt } },
  operation: updateOrder,
  input: async ({ id, pet, ...values }, call) => {
    const fields = pickFields(orderFields, values);
    requireChange([pet, ...Object.values(fields)], '--pet, --quantity or --ship-date');
    const petId = typeof pet === 'string' ? await findPet(call, pet, 'unknown_pet') : pet;
    return { orderId: id, body: { ...fields, petId } };
  },
  sentence: (order, verb, zone) =>
    `${verb('Changed', 'Would change', 'Unchanged:')} order ${order.id}: ${orderUnits(order)}${shippingText(order.shipDate, zone)}.`,
  examples: ['petstore order edit 12 --quantity 3', 'petstore order edit 12 --ship-date 2026-12-24T09:00:00Z'],
});

const orderComplete = changeEachCommand({
  columns: orderColumns,
  path: ['order', 'complete'],
  summary: 'complete open orders and remove their units from stock',
  arguments: { id: repeated(orderArgument('reserved')) },
  operation: updateOrder,
  input: ({ id }) => ({ orderId: id, body: { complete: true } }),
  // Its units were reserved, so as many are available as before.
  sentence: (order, verb) => {
    const available = order.available === undefined ? '' : `, ${order.available} available`;
    return `${verb('Sold', 'Would sell', 'Unchanged: sold')} ${namedUnits(order)}${available} (order ${order.id})`;
  },
  examples: ['petstore order complete 12 15'],
});

const orderReopen = changeEachCommand({
  columns: orderColumns,
  path: ['order', 'reopen'],
  summary: 'reopen completed orders and return their units',
  arguments: { id: repeated(orderArgument('complete')) },
  operation: updateOrder,
  input: ({ id }) => ({ orderId: id, body: { complete: false } }),
  // Its units are on hand and reserved again, so as many are available as before.
  sentence: (order, verb) => {
    const reserved = order.available === undefined ? '' : ` reserved again, ${order.available} available`;
    return `${verb('Reopened', 'Would reopen', 'Unchanged:')} order ${order.id}: ${orderUnits(order)}${verb(reserved, reserved, '')}.`;
  },
  examples: ['petstore order reopen 12 --note "customer changed her mind"'],
});

const orderCancel = changeEachCommand({
  columns: orderColumns,
  path: ['order', 'cancel'],
  summary: 'cancel open orders and release their units',
  arguments: { id: repeated(orderArgument('open')) },
  operation: cancelOrder,
  input: ({ id }) => ({ orderId: id }),
  sentence: (order, verb) => {
    const units = `: ${orderUnits(order)}${releasedText(order)}`;
    return `${verb('Cancelled', 'Would cancel', 'Unchanged:')} order ${order.id}${verb(units, units, ' is cancelled')}.`;
  },
  examples: ['petstore order cancel 12'],
});

/** The commands of orders. */
export const orderCommands: readonly Command[] = [orderList, orderViewCommand, orderPlace, orderEdit, orderComplete, orderReopen, orderCancel, orderExport];
