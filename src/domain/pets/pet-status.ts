import * as v from 'valibot';
import { type Stock, unreserved } from '../inventory/stock.js';

/** The statuses of pets. */
export const petStatuses = ['available', 'pending', 'sold'] as const;

/** The specification's PetStatus. */
export const petStatus = v.pipe(
  v.picklist(petStatuses, 'must be available, pending or sold'),
  v.metadata({ record: 'PetStatus' }),
  v.description(
    'Whether a pet can be sold (`available`), is reserved or on hold (`pending`), or is out of stock (`sold`). Computed from the stock of the pet.',
  ),
);

/** The specification's PetStatus. */
export type PetStatus = v.InferOutput<typeof petStatus>;

/** Computes the status of a pet: `pending` on hold, else `available` with units for sale, else `pending` with reserved units, else `sold`. */
export function statusOf(stock: Pick<Stock, 'hold' | 'quantity' | 'reserved'>): PetStatus {
  if (stock.hold) return 'pending';
  if (unreserved(stock) > 0) return 'available';
  return stock.reserved > 0 ? 'pending' : 'sold';
}

/** What setting a status changes: the hold flag, and the stock by at most one unit. */
interface StatusChange {
  readonly hold: boolean;
  readonly delta: -1 | 0 | 1;
  /** Why the status cannot be set: units are reserved, or more than one is on hand. */
  readonly conflict?: 'reserved' | 'many';
}

/** How a status is set; nothing changes where the pet has it. */
export function statusChange(stock: Stock, wanted: PetStatus): StatusChange {
  if (wanted === statusOf(stock)) return { hold: stock.hold, delta: 0 };
  if (wanted === 'pending') return { hold: true, delta: 0 };
  if (wanted === 'available') {
    const delta = stock.quantity === 0 && stock.reserved === 0 ? 1 : 0;
    return { hold: false, delta, ...(unreserved(stock) + delta <= 0 && { conflict: 'reserved' }) };
  }
  if (stock.reserved > 0) return { hold: false, delta: 0, conflict: 'reserved' };
  return { hold: false, delta: stock.quantity === 1 ? -1 : 0, ...(stock.quantity > 1 && { conflict: 'many' }) };
}
