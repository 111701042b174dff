import type { OrderRow } from '../../../domain/orders/order.js';
import type { VerbForm } from '../../record-command.js';
import type { Paint } from '../../output/colours.js';
import { clockText, listTime, relativeTime } from '../../output/time-text.js';
import { yesNoText, type Columns } from '../../output/view.js';

const stateColours: Record<OrderRow['state'], keyof Paint> = { draft: 'dim', open: 'yellow', complete: 'green', cancelled: 'dim' };

/** The columns of a list of orders. */
export const orderColumns: Columns<OrderRow> = {
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
      text: ({ shipDate }, now, zone) => (shipDate === undefined ? '' : listTime(shipDate, now, zone)),
      detail: ({ shipDate }, now, zone) => (shipDate === undefined ? '' : `${clockText(shipDate, zone)} (${relativeTime(shipDate, now)})`),
    },
    { name: 'complete', heading: 'Complete', value: ({ complete }) => complete, text: ({ complete }) => yesNoText(complete) },
    { name: 'state', heading: 'State', leaveOut: 2, dot: true, value: ({ state }) => state, colour: ({ state }) => stateColours[state] },
    { name: 'overdue', heading: 'Overdue', value: ({ overdue }) => overdue, text: ({ overdue }) => (overdue ? 'yes' : '') },
  ],
  shown: ['id', 'petId', 'pet', 'quantity', 'shipDate', 'state'],
  table: ['id', 'pet', 'quantity', 'shipDate', 'state'],
  json: ['id', 'petId', 'quantity', 'shipDate', 'complete'],
  id: 'id',
};

/** An order as JSON has it. */
function orderRecord({ id, petId, quantity, shipDate, complete }: OrderRow): unknown {
  return { id, petId, quantity, shipDate, complete };
}

/** How commands show orders. */
export const orderView = { columns: orderColumns, record: orderRecord } as const;

/** The quantity and the name of the pet of an order: "2 × Rex". */
export function namedUnits({ quantity = 0, pet = 'pet' }: OrderRow): string {
  return `${quantity} × ${pet}`;
}

/** A sale and the units that are left to sell: "Sold 2 × Rex, 5 left (order 12)". */
export function saleSentence(order: OrderRow, verb: VerbForm): string {
  const left = order.available === undefined ? '' : `, ${Math.max(0, order.available)} left`;
  return `${verb('Sold', 'Would sell')} ${namedUnits(order)}${left} (order ${order.id})`;
}

/** The quantity and the pet of an order: "2 × Rex (pet 7)". */
export function orderUnits(order: OrderRow): string {
  return order.petId === undefined ? 'no pet yet' : `${namedUnits(order)} (pet ${order.petId})`;
}
