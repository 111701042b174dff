import type { Stock } from './stock.js';

/** The stock of the shop, for reading. */
export interface StockReader {
  /** The figures of a live pet, or undefined when it does not exist or is archived. */
  get(petId: number): Promise<Stock | undefined>;
  /** The ids of the open orders that reserve units of a pet, oldest first. */
  openOrders(petId: number): Promise<readonly number[]>;
  /** The store's low level for pets that have none of their own, or null. */
  lowDefault(): Promise<number | null>;
}

/** The stock of the shop. */
export interface StockWriter extends StockReader {
  insert(petId: number, quantity: number): Promise<void>;
  setQuantity(petId: number, quantity: number): Promise<void>;
  /** Takes away the entry of a pet that is archived: only live pets have stock. */
  remove(petId: number): Promise<void>;
  /** Gives a pet a low level of its own, or the store's again with `undefined`; answers whether that changed anything. */
  setLowAt(petId: number, lowAt: number | undefined): Promise<boolean>;
  setLowDefault(lowAt: number | null): Promise<void>;
}
