import type { AnswerOf, RowOf } from '../state/server/contract.js';
import { numberText, unitsText } from './text.js';

/** The units and the pet of an order: "2 × Guppy". */
export function orderText({ petId, pet = `pet ${petId}`, quantity = 1 }: RowOf<'listOrders'>): string {
  return petId === undefined ? 'no pet yet' : unitsText(quantity, pet);
}

/** What a sale did, and what is left: "Sold 2 × Guppy, 5 left (order 12)." */
export function saleText(order: AnswerOf<'placeOrder'>): string {
  const left = order.available === undefined ? '' : `, ${numberText(order.available)} left`;
  return `Sold ${orderText(order)}${left} (order ${order.id}).`;
}
