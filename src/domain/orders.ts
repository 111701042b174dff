import * as v from 'valibot';
import { StoreError } from './errors.js';
import { checkVersion } from './ledger.js';
import { checkPromise, edit, fulfil, namedStock, orderOf, reopen } from './order-life.js';
import { checkBodyId, idNumber, notFound, orderedNumber } from './numbers.js';
import { lists, reads, writes, type Versioned } from './operation.js';
import { fewOf, page, pageParameters, type Position, type Slice } from './page.js';
import { post } from './stock.js';
import { checkRange, dateTimeText, parseDateTime, rangeEndText, rangeStartText } from './time.js';
import type { Reading } from './transaction.js';

const fields = {
  id: v.optional(idNumber),
  petId: v.optional(idNumber),
  quantity: v.optional(orderedNumber),
  shipDate: v.optional(dateTimeText),
  complete: v.optional(v.boolean('must be true or false')),
};

/** The specification's Order. */
export const order = v.object(fields);
/** The specification's Order as a request; its `id` is read-only and ignored, whatever it is. */
export const newOrder = v.strictObject({
  ...fields,
  id: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(() => undefined),
    ),
  ),
});
/** Part of an order; null removes a field. */
const orderPatch = v.strictObject({
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

/** Which orders are asked for; cancelled ones never are. */
export interface OrderFilter {
  readonly petId?: readonly number[] | undefined;
  readonly complete?: boolean | undefined;
  /** Only orders that name no pet yet, or only those that do. */
  readonly draft?: boolean | undefined;
  readonly shipDateFrom?: string | undefined;
  readonly shipDateTo?: string | undefined;
}

type OrderSort = 'id' | 'shipDate';

/** The orders, for reading. */
export interface OrderReader {
  /** An order in any state, or undefined when its id was never assigned. */
  get(id: number): Promise<(OrderRecord & { readonly pet: string | undefined }) | undefined>;
  list(filter: OrderFilter, slice: Slice<OrderSort>): Promise<readonly (OrderRecord & { readonly pet: string | undefined })[]>;
  count(filter: OrderFilter, bound?: number): Promise<number>;
}

/** The orders. */
export interface OrderWriter extends OrderReader {
  insert(order: Omit<OrderRecord, 'id'>): Promise<number>;
  update(order: OrderRecord): Promise<void>;
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

// Far beyond the year 9999: orders without a ship date come last.
const noShipDate = 9e15;

function orderPosition({ id, shipDate }: OrderRow, sort: OrderSort): Position {
  if (sort === 'id') return { key: id, id };
  return { key: shipDate === undefined ? noShipDate : (parseDateTime(shipDate) ?? noShipDate), id };
}

async function readOrder(tx: Reading, id: number): Promise<OrderRow> {
  const found = await tx.orders.get(id);
  if (found === undefined) throw notFound('order', id);
  return orderRow(found);
}

/** Lists orders that are not cancelled. Refuses a range that ends before it starts with `invalid_parameter`. */
export const listOrders = lists({
  id: 'listOrders',
  summary: 'List orders',
  tag: 'Store',
  path: '/store/orders',
  input: v.strictObject({
    ...pageParameters(['id', 'shipDate']),
    petId: v.optional(fewOf(idNumber)),
    complete: v.optional(v.boolean('must be true or false')),
    draft: v.optional(v.boolean('must be true or false')),
    shipDateFrom: v.optional(rangeStartText),
    shipDateTo: v.optional(rangeEndText),
  }),
  output: order,
  run: async (tx, { limit, cursor, sort, count, ...filter }) => {
    checkRange('shipDateFrom', filter.shipDateFrom, 'shipDateTo', filter.shipDateTo);
    return page('orders', { limit, cursor, sort, count }, filter, {
      keys: { id: 'id', shipDate: 'number' },
      list: async (slice: Slice<OrderSort>) => (await tx.orders.list(filter, slice)).map(orderRow),
      position: orderPosition,
      total: () => tx.orders.count(filter),
    });
  },
});

/** Reads one order that is not cancelled. */
export const getOrder = reads({
  id: 'getOrder',
  summary: 'Read an order',
  tag: 'Store',
  path: '/store/orders/{orderId}',
  input: v.strictObject({ orderId: idNumber }),
  output: order,
  run: async (tx, { orderId }) => {
    await orderOf(tx, orderId);
    return readOrder(tx, orderId);
  },
});

/** Places an order; with `complete` it is a walk-in sale, promised and fulfilled at once. */
export const placeOrder = writes({
  id: 'placeOrder',
  summary: 'Place an order',
  tag: 'Store',
  method: 'POST',
  path: '/store/orders',
  status: 201,
  input: v.strictObject({ body: newOrder }),
  output: order,
  run: async (tx, { body: { petId, quantity, shipDate, complete } }) => {
    // Before anything is stored, so that the refusal names no order that does not exist.
    if (complete === true && petId === undefined) {
      throw new StoreError('order_incomplete', 'An order that names no pet cannot be completed.', 'Name the pet with --pet, or leave out --complete.');
    }
    const wanted = petId === undefined ? quantity : (quantity ?? 1);
    const stock = petId === undefined ? undefined : await namedStock(tx, petId);
    if (stock && wanted !== undefined) await checkPromise(tx, stock, wanted, 0);
    const placed = { petId, quantity: wanted, shipDate, state: 'open' } as const;
    const id = await tx.orders.insert(placed);
    const entry = { kind: 'order.placed', orderId: id } as const;
    if (stock) await post(tx, stock, { ...stock, promised: stock.promised + (wanted ?? 0) }, entry);
    else await tx.ledger.append(entry);
    if (complete === true) await fulfil(tx, { id, ...placed });
    return readOrder(tx, id);
  },
});

/** Changes an open order, fulfils it (`complete` true) or reopens a complete one (`complete` false). */
export const updateOrder = writes({
  id: 'updateOrder',
  summary: 'Change, fulfil or reopen an order',
  tag: 'Store',
  method: 'PATCH',
  path: '/store/orders/{orderId}',
  status: 200,
  input: v.strictObject({ orderId: idNumber, body: orderPatch }),
  output: order,
  run: async (tx, { orderId, body: { id, complete, ...patch } }) => {
    checkBodyId(id, orderId);
    const before = await orderOf(tx, orderId);
    await checkVersion(tx, `Order ${orderId}`, { orderId });
    if (before.state === 'complete' && complete !== false) {
      checkUnchanged(before, patched(before, patch));
      return readOrder(tx, orderId);
    }
    const open = before.state === 'complete' ? await reopen(tx, before) : before;
    const edited = await edit(tx, open, patched(open, patch));
    if (complete === true) await fulfil(tx, edited);
    return readOrder(tx, orderId);
  },
});

type OrderEdits = Pick<v.InferOutput<typeof orderPatch>, 'petId' | 'quantity' | 'shipDate'>;

function patched(before: OrderRecord, { petId, quantity, shipDate }: OrderEdits): OrderRecord {
  const pet = petId === undefined ? before.petId : (petId ?? undefined);
  const units = quantity === undefined ? before.quantity : (quantity ?? undefined);
  return {
    ...before,
    petId: pet,
    quantity: pet === undefined ? units : (units ?? 1),
    shipDate: shipDate === undefined ? before.shipDate : (shipDate ?? undefined),
  };
}

function checkUnchanged(before: OrderRecord, wanted: OrderRecord): void {
  if (wanted.petId === before.petId && wanted.quantity === before.quantity && wanted.shipDate === before.shipDate) return;
  throw new StoreError('order_complete', `Order ${before.id} is complete and can no longer change.`, `petstore order reopen ${before.id}`);
}

/** Cancels an open order; its promise is given back. */
export const cancelOrder = writes({
  id: 'cancelOrder',
  summary: 'Cancel an order',
  tag: 'Store',
  method: 'DELETE',
  path: '/store/orders/{orderId}',
  status: 204,
  input: v.strictObject({ orderId: idNumber }),
  output: order,
  run: async (tx, { orderId }) => {
    const before = await tx.orders.get(orderId);
    if (before === undefined) throw notFound('order', orderId);
    if (before.state === 'cancelled') return orderRow(before);
    await checkVersion(tx, `Order ${orderId}`, { orderId });
    if (before.state === 'complete') {
      throw new StoreError('order_complete', `Order ${orderId} is complete and cannot be cancelled.`, `petstore order reopen ${orderId}`);
    }
    const stock = before.petId === undefined ? undefined : await tx.stock.get(before.petId);
    await tx.orders.update({ ...before, state: 'cancelled' });
    const entry = { kind: 'order.cancelled', orderId } as const;
    if (stock) await post(tx, stock, { ...stock, promised: stock.promised - (before.quantity ?? 0) }, entry);
    else await tx.ledger.append(entry);
    return readOrder(tx, orderId);
  },
});
