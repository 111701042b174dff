import * as v from 'valibot';
import { idNumber } from '../values/ids.js';
import { orderedNumber } from '../values/numbers.js';
import type { Versioned } from '../values/version.js';
import { dateTimeText } from '../values/time.js';

const orderFields = {
  id: v.optional(idNumber),
  petId: v.optional(idNumber),
  quantity: v.optional(orderedNumber),
  shipDate: v.optional(dateTimeText),
  complete: v.optional(v.boolean('must be true or false')),
};

/** The specification's Order. */
export const order = v.object(orderFields);

/** The specification's Order as a request; its `id` is read-only and ignored, whatever it is. */
export const newOrder = v.strictObject({
  ...orderFields,
  id: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(() => undefined),
    ),
  ),
});

/** Part of an order; null removes a field. */
export const orderPatch = v.strictObject({
  id: v.optional(idNumber),
  petId: v.nullish(idNumber),
  quantity: v.nullish(orderedNumber),
  shipDate: v.nullish(dateTimeText),
  complete: v.optional(v.boolean('must be true or false')),
});

/** Where an order stands in its life; a cancelled one is kept for the ledger only. */
export type OrderState = 'open' | 'complete' | 'cancelled';

/** An order as it is kept. */
export interface OrderRecord extends Versioned {
  readonly id: number;
  readonly petId: number | undefined;
  readonly quantity: number | undefined;
  readonly shipDate: string | undefined;
  readonly state: OrderState;
}

/** An order as people read it: the contract's record, its pet's name and its state. */
export interface OrderRow extends Versioned {
  readonly id: number;
  readonly petId?: number;
  readonly quantity?: number;
  readonly shipDate?: string;
  readonly complete: boolean;
  readonly pet?: string;
  readonly state: 'draft' | 'open' | 'complete' | 'cancelled';
}

/** An order as people read it. */
export function orderRow({ id, petId, quantity, shipDate, state, pet, version }: OrderRecord & { readonly pet: string | undefined }): OrderRow {
  return {
    id,
    ...(petId !== undefined && { petId }),
    ...(quantity !== undefined && { quantity }),
    ...(shipDate !== undefined && { shipDate }),
    complete: state === 'complete',
    ...(pet !== undefined && { pet }),
    state: state === 'open' && petId === undefined ? 'draft' : state,
    ...(version !== undefined && { version }),
  };
}
