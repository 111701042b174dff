import { numberText } from '../../parts/text.js';
import type { AnswerOf, Changes, RowOf } from '../../state/server/contract.js';
import { may } from '../../state/session.js';

/** An order as somebody saw it. */
export type OrderRow = RowOf<'listOrders'>;

/** What can be done with an order. */
export type OrderActionName = 'complete' | 'edit' | 'cancel' | 'reopen';

interface OrderAction {
  readonly name: OrderActionName;
  readonly label: string;
  /** Whether it is done all day, and so has a button of its own in a row. */
  readonly isMain: boolean;
  readonly operation: keyof Changes;
  readonly states: readonly OrderRow['state'][];
}

const orderActions: readonly OrderAction[] = [
  { name: 'complete', label: 'Complete', isMain: true, operation: 'updateOrder', states: ['open'] },
  { name: 'reopen', label: 'Reopen', isMain: false, operation: 'updateOrder', states: ['complete'] },
  { name: 'edit', label: 'Edit', isMain: false, operation: 'updateOrder', states: ['open', 'draft'] },
  { name: 'cancel', label: 'Cancel order', isMain: false, operation: 'cancelOrder', states: ['open', 'draft'] },
];

/** The actions that the session may do with an order. */
export function actionsFor({ state }: OrderRow): readonly OrderAction[] {
  return orderActions.filter(({ operation, states }) => may(operation) && states.includes(state));
}

/** The units and the pet of an order: "2 × Guppy". */
export function orderText({ petId, pet = `pet ${petId}`, quantity = 1 }: OrderRow): string {
  return petId === undefined ? 'no pet yet' : `${numberText(quantity)} × ${pet}`;
}

/** What a sale did, and what is left: "Sold 2 × Guppy, 5 left (order 12)." */
export function saleText(order: AnswerOf<'placeOrder'>): string {
  const left = order.available === undefined ? '' : `, ${numberText(Math.max(0, order.available))} left`;
  return `Sold ${orderText(order)}${left} (order ${order.id}).`;
}
