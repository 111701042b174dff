import { clockText } from '../../output/time-text.js';
import { repeated } from '../../arguments.js';
import { completeRecords } from '../../completion/completers.js';
import { flag, type Flag } from '../../flags.js';
import { orderedNumber } from '../../../domain/values/numbers.js';
import { changePrompt } from '../../prompts/change-prompt.js';
import { numberTextProblem, petPrompt } from '../../prompts/shared-prompts.js';
import { refusalOf } from '../../prompts/text-problems.js';
import { dueTime, orNone, petText, unitCount } from '../../readers.js';
import { orderArgument } from '../../shared-arguments.js';
import { orderView, orderUnits } from './order-columns.js';
import type { orderFlags } from './order-flags.js';
import { findPet } from '../../../domain/pets/find-pet.js';
import { orderFields } from '../../../domain/orders/order.js';
import { pickFields } from '../../../domain/values/fields.js';
import { updateOrder } from '../../../domain/orders/update-order.js';
import { requireChange } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

/** The flags for the new fields of an order; "none" removes a field. */
const flags = {
  pet: flag({ long: 'pet', value: 'pet', summary: 'the new pet, by id or name, or "none"', read: orNone(petText), complete: completeRecords('pet') }),
  quantity: flag({ long: 'quantity', value: 'n', summary: 'the new number of units, or "none"', read: orNone(unitCount) }),
  shipDate: flag({
    long: 'ship-date',
    value: 'time',
    summary: 'the new ship date, or "none"',
    read: orNone(dueTime.read),
    resolve: dueTime.resolve,
  }),
} satisfies Readonly<Record<keyof typeof orderFlags, Flag<unknown>>>;

const editPrompt = changePrompt<keyof typeof flags>({
  quantity: { label: 'Quantity', ask: ({ line }) => line({ message: 'New quantity:', problem: (text) => numberTextProblem(orderedNumber, text) }) },
  pet: { label: 'Pet', ask: petPrompt('Which pet?', { status: 'available' }).ask },
  shipDate: {
    label: 'Ship date',
    ask: ({ line }) =>
      line({
        message: 'New ship date (such as 2026-12-24, 2026-12-24T09:00 or none):',
        problem: (text) => refusalOf(() => flags.shipDate.read(text, 'The answer')),
      }),
  },
});

/** The command `order edit`. */
export const orderEdit: Command = changeEachCommand({
  ...orderView,
  path: ['order', 'edit'],
  aliases: ['update'],
  summary: 'change open orders',
  arguments: { id: repeated(orderArgument('open')) },
  flags: {
    ...flags,
    pet: { ...flags.pet, prompt: editPrompt },
  },
  operation: updateOrder,
  input: async ({ id, pet, ...values }, call) => {
    const fields = pickFields(orderFields, values);
    requireChange([pet, ...Object.values(fields)], '--pet, --quantity or --ship-date');
    const petId = typeof pet === 'string' ? await findPet(call, pet, 'unknown_pet') : pet;
    return { orderId: id, body: { ...fields, petId } };
  },
  sentence: (order, verb, zone) => {
    const shipping = order.shipDate === undefined ? '' : `, shipping ${clockText(order.shipDate, zone)}`;
    return `${verb('Changed', 'Would change', 'Unchanged:')} order ${order.id}: ${orderUnits(order)}${shipping}.`;
  },
  examples: ['petstore order edit 12 --quantity 3', 'petstore order edit 12 --ship-date 2026-12-24T09:00:00Z'],
});
