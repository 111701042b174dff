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

/** Units on hand that no open order reserves; negative during a shortage. */
export function unreserved({ quantity, reserved }: Pick<Stock, 'quantity' | 'reserved'>): number {
  return quantity - reserved;
}

/** Units that can be sold now: those that are not reserved, of a pet that is not on hold. */
export function available(stock: Pick<Stock, 'quantity' | 'reserved' | 'hold'>): number {
  return stock.hold ? 0 : Math.max(0, unreserved(stock));
}

/** Whether a pet is at or below its low-stock level. */
export function isLow(stock: Pick<Stock, 'quantity' | 'reserved' | 'lowAt'>): boolean {
  return stock.lowAt !== null && unreserved(stock) <= stock.lowAt;
}

/** Whether fewer units on hand than are reserved for open orders are accepted. */
export interface ShortagePolicy {
  readonly allowShortage: boolean;
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
  'A low-stock level: a pet is low when at most this many units are on hand and not reserved. Without `lowAt` there is no level.',
  { lowAt: optional(quantityNumber, 'The level, in units that are not reserved.') },
);

/** A low-stock level, and whether a change has left it as it was. */
export const completeLowLevel = record('CompleteLowLevel', 'A low-stock level, and whether a change has left it as it was.', {
  ...lowLevel.entries,
  unchanged: versionFields.unchanged,
});
