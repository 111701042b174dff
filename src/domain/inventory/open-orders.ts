import { joinItems } from '../values/text.js';

/** The open orders that reserve units of a pet: the first of them, oldest first, and how many there are. */
export interface OpenOrders {
  readonly first: readonly number[];
  readonly count: number;
}

/** The most open orders of a pet that are read to be named: a pet may have any number of them. */
export const namedOrders = 10;

/** "order 3", "orders 3 and 4"; with more than ten the first ten and "and 5 more". */
export function ordersText({ first, count }: OpenOrders): string {
  return `${count === 1 ? 'order' : 'orders'} ${joinItems(first, count)}`;
}
