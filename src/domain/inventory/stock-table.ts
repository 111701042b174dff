import type { OpenOrders } from './open-orders.js';
import type { Stock } from './stock.js';

/** Read access to the stock. */
export interface StockReader {
  /** The stock of a pet, or undefined when the pet does not exist or is archived. */
  get(petId: number): Promise<Stock | undefined>;
  /** The open orders that reserve units of a pet, to name them. */
  openOrders(petId: number): Promise<OpenOrders>;
  /** The low-stock level of a pet of its own, or null. */
  ownLowAt(petId: number): Promise<number | null>;
}

/** Write access to the stock. */
export interface StockWriter extends StockReader {
  insert(petId: number, quantity: number): Promise<void>;
  setQuantity(petId: number, quantity: number): Promise<void>;
  /** Removes the entry of an archived pet: only live pets have stock. */
  remove(petId: number): Promise<void>;
  /** Sets the low-stock level of a pet; `undefined` removes it, so that the shop's level applies. */
  setLowAt(petId: number, lowAt: number | undefined): Promise<void>;
  /** Sets the low-stock level of the pets without one of their own, for which the level of the shop applies. */
  setSharedLowAt(lowAt: number | null): Promise<void>;
}
