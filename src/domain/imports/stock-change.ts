import type { RowError } from './row-error.js';
import { maximumQuantity } from '../values/numbers.js';
import type { ShortagePolicy, Stock } from '../inventory/stock.js';
import { ordersText, type OpenOrders } from '../inventory/open-orders.js';
import { pluralize } from '../values/text.js';

/** What to do with a row whose expected quantity is not on hand. */
export const stalePolicies = ['fail', 'keep-count', 'keep-difference'] as const;

/** Exceptions from the rules that an import allows. */
export interface StockPolicy extends ShortagePolicy {
  readonly onStale: (typeof stalePolicies)[number];
}

/** A change of the quantity on hand of a pet. */
export interface StockChange {
  readonly petId: number;
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** What the value of a stock row is: a counted quantity, a change, or a change that undoes another one. */
export type StockRowKind = 'count' | 'adjust' | 'undo';

/** Why a stock row is refused. */
export type StockRefusal = Pick<RowError, 'code' | 'message'>;

/** A stock row for one pet: a counted quantity or a change in units, and the quantity expected on hand before. */
export interface StockRow {
  readonly petId: number;
  /** The name of the pet for a refusal, where it is known. */
  readonly name?: string;
  readonly value: number;
  readonly expected: number | undefined;
}

/** The pet of a row at the beginning of a sentence. */
function subjectOf(petId: number, name: string | undefined): string {
  return name === undefined ? `Pet ${petId}` : `${name} (pet ${petId})`;
}

/** The quantity on hand after a stock row is applied, or why it is refused. `stock` is undefined for an unknown pet. */
export function quantityAfter(
  kind: StockRowKind,
  { petId, name, value, expected }: StockRow,
  stock: Pick<Stock, 'quantity' | 'reserved'> | undefined,
  policy: StockPolicy,
): number | StockRefusal {
  if (stock === undefined) return { code: 'unknown_pet', message: `There is no pet ${petId}.` };
  const { quantity, reserved } = stock;
  const stale = expected !== undefined && expected !== quantity;
  if (stale && policy.onStale === 'fail') return { code: 'stock_changed', message: `${subjectOf(petId, name)} has ${quantity} on hand, expected ${expected}.` };
  const base = stale && policy.onStale === 'keep-count' ? expected : quantity;
  // "keep-difference" adds to the count what changed since it was taken.
  const target = stale && policy.onStale === 'keep-difference' ? quantity + value - expected : value;
  const after = kind === 'count' ? target : base + value;
  if (after < 0) return { code: 'out_of_stock', message: `${subjectOf(petId, name)} has ${quantity} on hand; cannot remove ${base - after}.` };
  if (after > maximumQuantity) return { code: 'invalid_quantity', message: `${subjectOf(petId, name)} would exceed the maximum of ${maximumQuantity}.` };
  if (after < reserved && !policy.allowShortage && (kind === 'count' ? after !== quantity : after < quantity)) {
    return {
      code: 'stock_reserved',
      message: `${subjectOf(petId, name)} has ${pluralize(reserved, 'unit')} reserved for open orders; ${after} on hand would not be enough.`,
    };
  }
  return after;
}

/** Adds the open orders of the pet to each error `stock_reserved`. */
export function withOrders(errors: readonly RowError[], orders: ReadonlyMap<number, OpenOrders>): readonly RowError[] {
  return errors.map((error) => {
    const found = error.code === 'stock_reserved' && error.petId !== undefined ? orders.get(error.petId) : undefined;
    return found === undefined ? error : { ...error, message: `${error.message} They are reserved for ${ordersText(found)}.` };
  });
}

/** The error of a pet that is counted on two lines; both lines are refused. */
export function duplicateRow(petId: number, line: number, other: number): RowError {
  return { line, petId, code: 'duplicate_row', message: `Pet ${petId} is also on line ${other}.` };
}
