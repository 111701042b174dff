import type { LedgerDraft } from '../ledger/ledger-entry.js';

/** The figures of one live pet: units on hand, units promised to its open orders, and the hold bit. */
export interface Stock {
  readonly petId: number;
  readonly hold: boolean;
  readonly quantity: number;
  readonly promised: number;
  /** The level at or below which the pet counts as low; null for none. */
  readonly lowAt: number | null;
}

/** Units that can still be sold: on hand less promised; negative while a counted shortage stands. */
export function available(stock: Pick<Stock, 'quantity' | 'promised'>): number {
  return stock.quantity - stock.promised;
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
