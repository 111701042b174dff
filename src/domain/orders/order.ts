import { field, optional, trueOrFalse, record, requestRecord } from '../values/schemas.js';
import { patchFields, pickFields, type FieldValues } from '../values/fields.js';
import { pathId, idNumber, idOf } from '../values/ids.js';
import { orderedNumber, wholeNumber } from '../values/numbers.js';
import { mayReadPets, type Scope } from '../tokens/token.js';
import { versionFields, type Versioned } from '../values/version.js';
import { dateTimeText, parseDateTime } from '../values/time.js';
import * as v from 'valibot';

/** The fields of an order that requests set and tables store; each is optional. */
export const orderFields = {
  petId: optional(idOf('pet'), 'ID of the animal in this order.'),
  quantity: optional(orderedNumber, 'Number of units ordered. Default: 1 for an order with a pet.'),
  shipDate: optional(dateTimeText, 'Expected or actual ship date, ISO 8601; set on completion if missing.'),
};

/** The values of `orderFields`. */
export type OrderFields = FieldValues<typeof orderFields>;

const complete = optional(trueOrFalse, 'Whether the order has been fulfilled.');

const orderDescription =
  'An order for a pet. No field is required: an order without a pet is a draft. The `id` is assigned by the shop and ignored in a request.';

/** The specification's Order. */
export const order = record('Order', orderDescription, {
  id: optional(idNumber, 'Unique order identifier; assigned by the shop and ignored in a request.'),
  ...orderFields,
  complete,
});

const exampleFields: Required<OrderFields> = { petId: 7, quantity: 1, shipDate: '2026-12-24T09:00:00.000Z' };

/** The order in the examples of the OpenAPI document. */
export const exampleOrder: v.InferOutput<typeof order> = { id: 12, ...exampleFields, complete: false };

/** The id of an order in a path. */
export const orderIdParameter = pathId('order', 12);

const ignored = v.pipe(
  v.unknown(),
  v.transform(() => undefined),
);

/** The specification's Order in a request; its `id` is read-only, and any value is ignored. */
export const newOrder = requestRecord('Order', orderDescription, { id: v.optional(ignored), ...orderFields, complete });

/** The fields of an order to change; null removes one. */
export const orderPatch = requestRecord(
  'OrderPatch',
  'The fields of an order to change (JSON merge patch); the others stay as they are, and null removes one. `complete` true fulfils the order, false reopens it.',
  { ...patchFields(orderFields), complete },
);

/** The state of an order as stored; a cancelled order is kept for the ledger only. */
export type OrderState = 'open' | 'complete' | 'cancelled';

/** An order as stored. */
export interface OrderRecord extends OrderFields, Versioned {
  readonly id: number;
  readonly state: OrderState;
  /** Units of a complete order that were returned; absent if none were. */
  readonly returned?: number | undefined;
}

/** An order with the name of its pet and its state. */
export const completeOrder = record('CompleteOrder', 'An order with the name of its pet and its state.', {
  id: field(idNumber, 'Unique order identifier.'),
  ...orderFields,
  complete: field(trueOrFalse, 'Whether the order has been fulfilled.'),
  pet: optional(v.string(), 'Name of the pet; absent for a token without `pets:read`.'),
  state: field(v.picklist(['draft', 'open', 'complete', 'cancelled']), 'State of the order.'),
  overdue: field(trueOrFalse, 'Whether the order is open and should have shipped already.'),
  ...versionFields,
  returned: optional(wholeNumber, 'Units of a complete order that came back; absent if none did.'),
  available: optional(wholeNumber, 'Units of the pet that are available for sale; only in the response about a single order.'),
});

/** An order with the name of its pet and its state. */
export type OrderRow = v.InferOutput<typeof completeOrder>;

/** An order as it is read alone: with the name of its pet, and the units of it that are available if it is still in the shop. */
export interface OrderWithPet extends OrderRecord {
  readonly pet?: string | undefined;
  readonly available?: number | undefined;
}

/** Whether an order reserves units and should have shipped before an instant (ms since 1970). */
function isOverdue({ petId, shipDate, state }: OrderRecord, now: number): boolean {
  return state === 'open' && petId !== undefined && shipDate !== undefined && (parseDateTime(shipDate) ?? now) < now;
}

/** Makes an order for display from the stored one, as its caller may see it now. */
export function orderRow(stored: OrderWithPet, { now, scopes }: { readonly now: number; readonly scopes: readonly Scope[] | undefined }): OrderRow {
  const { id, petId, state, pet, version, returned, available } = stored;
  return {
    id,
    ...pickFields(orderFields, stored),
    complete: state === 'complete',
    ...(pet !== undefined && mayReadPets(scopes) && { pet }),
    state: state === 'open' && petId === undefined ? 'draft' : state,
    overdue: isOverdue(stored, now),
    ...(version !== undefined && { version }),
    ...(returned !== undefined && { returned }),
    ...(available !== undefined && { available }),
  };
}
