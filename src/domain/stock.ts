import * as v from 'valibot';
import { StoreError } from './errors.js';
import type { LedgerDraft } from './ledger.js';
import { counted, listed } from './text.js';
import { maximumQuantity, notFound } from './numbers.js';
import type { Reading, Writing } from './transaction.js';

/** The specification's PetStatus. */
export const petStatus = v.picklist(['available', 'pending', 'sold'], 'must be available, pending or sold');
/** The specification's PetStatus. */
export type PetStatus = v.InferOutput<typeof petStatus>;

/** The figures of one live pet: units on hand, units promised to its open orders, and the hold bit. */
export interface Stock {
  readonly petId: number;
  readonly hold: boolean;
  readonly quantity: number;
  readonly promised: number;
  /** The level at or below which the pet counts as low; null for none. */
  readonly lowAt: number | null;
}

/** The stock of the shop, for reading. */
export interface StockReader {
  /** The figures of a live pet, or undefined when it does not exist or is archived. */
  get(petId: number): Promise<Stock | undefined>;
  /** The ids of the open orders that promise units of a pet, oldest first. */
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

/** Units that can still be sold: on hand less promised; negative while a counted shortage stands. */
export function available(stock: Pick<Stock, 'quantity' | 'promised'>): number {
  return stock.quantity - stock.promised;
}

/** The one definition of a pet's status: a hold, then what can be sold, then what is promised. */
export function statusOf(stock: Pick<Stock, 'hold' | 'quantity' | 'promised'>): PetStatus {
  if (stock.hold) return 'pending';
  if (available(stock) > 0) return 'available';
  return stock.promised > 0 ? 'pending' : 'sold';
}

/** Whether a pet is at or below its low level. */
export function isLow(stock: Pick<Stock, 'quantity' | 'promised' | 'lowAt'>): boolean {
  return stock.lowAt !== null && available(stock) <= stock.lowAt;
}

/** The ledger row, if any, that a change of the figures adds because it crosses the low level. */
export function levelCrossing(before: Stock, after: Stock): LedgerDraft | undefined {
  if (isLow(before) === isLow(after)) return undefined;
  return { kind: isLow(after) ? 'inventory.low' : 'inventory.restocked', petId: after.petId };
}

/** The figures of a pet, or the refusal `pet_not_found`. */
export async function stockOf(tx: Reading, petId: number): Promise<Stock> {
  const stock = await tx.stock.get(petId);
  if (stock === undefined) throw notFound('pet', petId);
  return stock;
}

/** Writes a change of the figures with its ledger row and, where it crosses the low level, the row that says so. */
export async function post(tx: Writing, before: Stock, after: Stock, entry: LedgerDraft): Promise<Stock> {
  if (after.quantity !== before.quantity) await tx.stock.setQuantity(after.petId, after.quantity);
  await tx.ledger.append({ ...entry, petId: after.petId, ...(available(after) < 0 && { shortage: true }) });
  const crossing = levelCrossing(before, after);
  if (crossing) await tx.ledger.append(crossing);
  return after;
}

/** Moves units in or out of stock; the caller has checked its own rule, the bounds are checked here. */
export async function move(tx: Writing, stock: Stock, delta: number, entry: LedgerDraft, promised = stock.promised): Promise<Stock> {
  const quantity = stock.quantity + delta;
  if (quantity > maximumQuantity) {
    throw new StoreError(
      'validation_failed',
      `quantity: pet ${stock.petId} has ${stock.quantity} on hand; ${delta} more would exceed the maximum of ${maximumQuantity}.`,
    );
  }
  return post(tx, stock, { ...stock, quantity, promised }, { ...entry, delta, quantityAfter: quantity });
}

/** Refuses a figure below what open orders were promised, naming the orders; `allowShortage` accepts it. */
export async function checkPromises(tx: Reading, stock: Stock, quantity: number, allowShortage: boolean): Promise<void> {
  if (quantity >= stock.promised || allowShortage) return;
  const orders = await tx.stock.openOrders(stock.petId);
  throw new StoreError(
    'stock_promised',
    `Pet ${stock.petId} has ${counted(stock.promised, 'unit')} promised to ${orders.length === 1 ? 'order' : 'orders'} ${listed(orders)}; ${quantity} on hand would not cover them.`,
    'Cancel or change an order first, or accept the shortage with --allow-shortage.',
  );
}
