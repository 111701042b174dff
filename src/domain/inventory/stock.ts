import { record, requestRecord, optional } from '../values/schemas.js';
import { quantityNumber } from '../values/numbers.js';
import { versionFields } from '../values/version.js';

/** The stock of one live pet: its name, units on hand (`quantity`), units reserved for its open orders, and the hold flag. */
export interface Stock {
  readonly petId: number;
  readonly name: string;
  readonly hold: boolean;
  readonly quantity: number;
  readonly reserved: number;
  /** The level at or below which the pet counts as low; null for none. */
  readonly lowAt: number | null;
}

/** Units available for sale: on hand minus reserved; negative during a shortage. */
export function available(stock: Pick<Stock, 'quantity' | 'reserved'>): number {
  return stock.quantity - stock.reserved;
}

/** Whether a pet is at or below its low-stock level. */
export function isLow(stock: Pick<Stock, 'quantity' | 'reserved' | 'lowAt'>): boolean {
  return stock.lowAt !== null && available(stock) <= stock.lowAt;
}

interface LevelCrossing {
  readonly kind: 'inventory.low' | 'inventory.restocked';
  readonly petId: number;
}

/** The ledger row to write where a change crosses the low-stock level; otherwise undefined. */
export function levelCrossing(before: Stock, after: Stock): LevelCrossing | undefined {
  if (isLow(before) === isLow(after)) return undefined;
  return { kind: isLow(after) ? 'inventory.low' : 'inventory.restocked', petId: after.petId };
}

/** A low-stock level, in requests and responses. */
export const lowLevel = requestRecord(
  'LowLevel',
  'A low-stock level: a pet is low when at most this many units are available for sale. Without `lowAt` there is no level.',
  { lowAt: optional(quantityNumber, 'The level, in units available for sale.') },
);

/** A low-stock level, and whether a change has left it as it was. */
export const completeLowLevel = record('CompleteLowLevel', 'A low-stock level, and whether a change has left it as it was.', {
  ...lowLevel.entries,
  unchanged: versionFields.unchanged,
});
