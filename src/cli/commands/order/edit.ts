import { clockText } from '../../output/time-text.js';
import { repeated } from '../../arguments.js';
import { flag } from '../../flags.js';
import { orderedNumber } from '../../../domain/values/numbers.js';
import { changePrompt } from '../../prompts/change-prompt.js';
import { numberTextProblem, petPrompt } from '../../prompts/shared-prompts.js';
import { refusalOf } from '../../prompts/text-problems.js';
import { dateTime } from '../../readers.js';
import { orderArgument } from '../../shared-arguments.js';
import { orderView, orderUnits } from './order-columns.js';
import { orderFlags } from './order-flags.js';
import { findPet } from '../../../domain/pets/find-pet.js';
import { updateOrder } from '../../../domain/orders/update-order.js';
import { requireChange } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

/** A ship date, or "none" to remove it. */
const shipDateOrNone: typeof dateTime = {
  read: (text, name) => (text === 'none' ? text : dateTime.read(text, name)),
  resolve: (text, clock, name) => (text === 'none' ? text : dateTime.resolve(text, clock, name)),
};

const editPrompt = changePrompt({
  quantity: { label: 'Quantity', ask: ({ line }) => line({ message: 'New quantity:', problem: (text) => numberTextProblem(orderedNumber, text) }) },
  pet: { label: 'Pet', ask: petPrompt('Which pet?', { status: 'available' }).ask },
  shipDate: {
    label: 'Ship date',
    ask: ({ line }) =>
      line({ message: 'New ship date (such as 2026-12-24T09:00, or none):', problem: (text) => refusalOf(() => shipDateOrNone.read(text, 'The answer')) }),
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
    ...orderFlags,
    pet: { ...orderFlags.pet, prompt: editPrompt },
    shipDate: flag({ long: 'ship-date', value: 'time', summary: 'the new ship date, or "none"', ...shipDateOrNone }),
  },
  operation: updateOrder,
  input: async ({ id, pet, quantity, shipDate }, call) => {
    requireChange([pet, quantity, shipDate], '--pet, --quantity or --ship-date');
    const petId = pet === undefined ? undefined : await findPet(call, pet, 'unknown_pet');
    return { orderId: id, body: { petId, quantity, shipDate: shipDate === 'none' ? null : shipDate } };
  },
  sentence: (order, verb, zone) => {
    const shipping = order.shipDate === undefined ? '' : `, shipping ${clockText(order.shipDate, zone)}`;
    return `${verb('Changed', 'Would change')} order ${order.id}: ${orderUnits(order)}${shipping}.`;
  },
  examples: ['petstore order edit 12 --quantity 3', 'petstore order edit 12 --ship-date 2026-12-24T09:00:00Z'],
});
