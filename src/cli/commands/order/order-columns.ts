import { order as contract, type OrderRow } from '../../../domain/orders/order.js';
import type { TimeZone } from '../../../domain/values/time-zone.js';
import type { Versioned } from '../../../domain/values/version.js';
import type { VerbForm } from '../../record-command.js';
import type { Paint } from '../../output/colours.js';
import { unitsText } from '../../output/numbers.js';
import { clockText, datedText } from '../../output/time-text.js';
import { columnsOf } from '../../output/view.js';

const stateColours: Record<OrderRow['state'], keyof Paint> = { draft: 'dim', open: 'yellow', complete: 'green', cancelled: 'dim' };

/** The columns of a list of orders. */
export const orderColumns = columnsOf<OrderRow, keyof Omit<OrderRow, keyof Versioned | 'returned' | 'available'>>(
  {
    id: { heading: 'ID', numeric: true },
    petId: { heading: 'Pet ID', numeric: true },
    pet: { heading: 'Pet', least: 12, idAfter: ({ petId }) => petId },
    quantity: { heading: 'Quantity', numeric: true },
    shipDate: {
      heading: 'Ship date',
      leaveOut: 1,
      time: true,
      detail: ({ shipDate }, now, zone) => (shipDate === undefined ? '' : datedText(shipDate, now, zone)),
    },
    complete: { heading: 'Complete' },
    state: { heading: 'State', leaveOut: 2, dot: true, colour: ({ state }) => stateColours[state] },
    overdue: { heading: 'Overdue', text: ({ overdue }) => (overdue ? 'yes' : '') },
  },
  {
    shown: ['id', 'petId', 'pet', 'quantity', 'shipDate', 'state'],
    table: ['id', 'pet', 'quantity', 'shipDate', 'state'],
    json: Object.keys(contract.entries),
  },
);

/** The quantity and the name of the pet of an order: "2 × Rex"; with the number of scans of a code, where that is another: "3 × 20 = 60 × Rex". */
export function namedUnits({ quantity = 0, pet = 'pet' }: OrderRow, scans = quantity): string {
  return `${scans === 0 ? quantity : unitsText(scans, quantity / scans)} × ${pet}`;
}

/** The units that can be sold before and after a new order: "7 → 5 available". */
function availableText({ quantity = 0, available }: OrderRow): string {
  return available === undefined ? '' : `: ${available + quantity} → ${available} available`;
}

/** The units that can be sold before and after an order was cancelled: ", 5 → 7 available". */
export function releasedText({ quantity = 0, available }: OrderRow): string {
  return available === undefined ? '' : `, ${Math.max(0, available - quantity)} → ${available} available`;
}

/** What a new order sold or reserved: "Sold 2 × Rex: 7 → 5 available (order 12)". */
export function placedSentence(order: OrderRow, verb: VerbForm, scans?: number): string {
  const did = order.complete ? verb('Sold', 'Would sell') : verb('Reserved', 'Would reserve');
  return `${did} ${namedUnits(order, scans)}${availableText(order)} (order ${order.id})`;
}

/** When an order ships: ", shipping 2026-12-24 09:30"; nothing without a ship date. */
export function shippingText(shipDate: string | undefined, zone: TimeZone): string {
  return shipDate === undefined ? '' : `, shipping ${clockText(shipDate, zone)}`;
}

/** The quantity and the pet of an order: "2 × Rex (pet 7)". */
export function orderUnits(order: OrderRow): string {
  return order.petId === undefined ? 'no pet yet' : `${namedUnits(order)} (pet ${order.petId})`;
}
