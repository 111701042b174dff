import { joinItems } from '../values/text.js';

/** The open orders that reserve units of a pet: the first of them, oldest first, as many as a message names, and how many there are. */
export interface OpenOrders {
  readonly first: readonly number[];
  readonly count: number;
}

/** "order 3", "orders 3 and 4"; with more than ten the first ten and "and 5 more"; "no order" where the reserved units are damaged. */
export function ordersText({ first, count }: OpenOrders): string {
  if (count === 0) return 'no order';
  return `${count === 1 ? 'order' : 'orders'} ${joinItems(first, count)}`;
}
