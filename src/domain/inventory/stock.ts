import { requestRecord, optional } from '../values/schemas.js';
import { quantityNumber } from '../values/numbers.js';
import type { LedgerDraft } from '../ledger/ledger-entry.js';

/** The figures of one live pet: units on hand, units reserved for its open orders, and the hold bit. */
export interface Stock {
  readonly petId: number;
  readonly hold: boolean;
  readonly quantity: number;
  readonly reserved: number;
  /** The level at or below which the pet counts as low; null for none. */
  readonly lowAt: number | null;
}

/** Units that can still be sold: on hand less reserved; negative while a counted shortage stands. */
export function available(stock: Pick<Stock, 'quantity' | 'reserved'>): number {
  return stock.quantity - stock.reserved;
}

/** Whether a pet is at or below its low level. */
export function isLow(stock: Pick<Stock, 'quantity' | 'reserved' | 'lowAt'>): boolean {
  return stock.lowAt !== null && available(stock) <= stock.lowAt;
}

/** The ledger row, if any, that a change of the figures adds because it crosses the low level. */
export function levelCrossing(before: Stock, after: Stock): LedgerDraft | undefined {
  if (isLow(before) === isLow(after)) return undefined;
  return { kind: isLow(after) ? 'inventory.low' : 'inventory.restocked', petId: after.petId };
}

/** A low-stock level as a request brings it and an answer shows it. */
export const lowLevel = requestRecord(
  'LowLevel',
  'A low-stock level: a pet is low when no more units than this can still be sold. Without `lowAt` there is no level.',
  { lowAt: optional(quantityNumber, 'The level, in units that can still be sold.') },
);
