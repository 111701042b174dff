import { StoreError } from './errors.js';
import { notFound } from './numbers.js';
import type { OrderRecord } from './orders.js';
import { available, move, post, type Stock } from './stock.js';
import { listed } from './text.js';
import { formatDateTime } from './time.js';
import type { Reading, Writing } from './transaction.js';

/** An order that can still be worked on, or the refusal `order_not_found` (also when cancelled). */
export async function orderOf(tx: Reading, id: number): Promise<OrderRecord> {
  const found = await tx.orders.get(id);
  if (found === undefined || found.state === 'cancelled') throw notFound('order', id);
  return found;
}

/** The stock of a pet that a body names, or the refusal `unknown_pet`. */
export async function namedStock(tx: Reading, petId: number): Promise<Stock> {
  const stock = await tx.stock.get(petId);
  if (stock === undefined) throw new StoreError('unknown_pet', `There is no pet ${petId}.`, 'petstore pet list');
  return stock;
}

/** Refuses a promise of `quantity` units: a hold is named before the stock. `own` units are the order's already. */
export async function checkPromise(tx: Reading, stock: Stock, quantity: number, own: number): Promise<void> {
  if (stock.hold && own === 0) {
    throw new StoreError('pet_on_hold', `Pet ${stock.petId} is on hold.`, `petstore pet release ${stock.petId}`);
  }
  const free = available(stock) + own;
  if (quantity <= free) return;
  const orders = await tx.stock.openOrders(stock.petId);
  const promised = stock.promised > 0 ? `, ${stock.promised} of them promised to ${orders.length === 1 ? 'order' : 'orders'} ${listed(orders)}` : '';
  throw new StoreError(
    'insufficient_stock',
    `Pet ${stock.petId} has ${stock.quantity} on hand${promised}; ${quantity} ${quantity === 1 ? 'was' : 'were'} asked for.`,
    `petstore inventory view ${stock.petId}`,
  );
}

/** Fulfils an open order: the promised units leave the shop. */
export async function fulfil(tx: Writing, open: OrderRecord): Promise<OrderRecord> {
  const { id, petId, quantity } = open;
  if (petId === undefined || quantity === undefined) {
    throw new StoreError('order_incomplete', `Order ${id} names no pet yet.`, `petstore order edit ${id} --help`);
  }
  const stock = await namedStock(tx, petId);
  if (stock.quantity < quantity) {
    throw new StoreError('out_of_stock', `Pet ${petId} has ${stock.quantity} on hand; order ${id} needs ${quantity}.`, `petstore inventory view ${petId}`);
  }
  const complete: OrderRecord = { ...open, state: 'complete', shipDate: open.shipDate ?? formatDateTime(tx.now) };
  await tx.orders.update(complete);
  await move(tx, stock, -quantity, { kind: 'sale', orderId: id }, stock.promised - quantity);
  return complete;
}

/**
 * The ship date that an order keeps when it is reopened: one that somebody set, but not the instant of its completion,
 * which `fulfil` filled in. That instant is the time of the order's last sale in the ledger.
 */
async function keptShipDate(tx: Reading, { id, shipDate }: OrderRecord): Promise<string | undefined> {
  if (shipDate === undefined) return undefined;
  const [sale] = await tx.ledger.list({ orderId: [id], kind: ['sale'] }, { sort: 'id', descending: true, from: undefined, limit: 1 });
  return sale?.at === shipDate ? undefined : shipDate;
}

/** Takes a complete order back: its units return and are promised again, and a ship date that its completion set goes. */
export async function reopen(tx: Writing, complete: OrderRecord): Promise<OrderRecord> {
  const { id, petId, quantity = 0 } = complete;
  const open: OrderRecord = { ...complete, shipDate: await keptShipDate(tx, complete), state: 'open' };
  if (petId === undefined) return open;
  const stock = await tx.stock.get(petId);
  if (stock === undefined) {
    throw new StoreError('unknown_pet', `Pet ${petId} of order ${id} is no longer in the shop; the order cannot be reopened.`);
  }
  await tx.orders.update(open);
  await move(tx, stock, quantity, { kind: 'return', orderId: id }, stock.promised + quantity);
  return open;
}

/** Writes the edits of an open order, re-checked against the stock with the order's own promise given back. */
export async function edit(tx: Writing, before: OrderRecord, after: OrderRecord): Promise<OrderRecord> {
  if (after.petId === before.petId && after.quantity === before.quantity && after.shipDate === before.shipDate) return before;
  const samePet = after.petId === before.petId;
  const own = before.quantity ?? 0;
  const wanted = after.quantity ?? 0;
  const stock = after.petId === undefined ? undefined : await namedStock(tx, after.petId);
  if (stock && (!samePet || wanted > own)) await checkPromise(tx, stock, wanted, samePet ? own : 0);
  const left = samePet || before.petId === undefined ? undefined : await tx.stock.get(before.petId);
  await tx.orders.update(after);
  const entry = { kind: 'order.updated', orderId: after.id } as const;
  if (left) await post(tx, left, { ...left, promised: left.promised - own }, entry);
  if (stock) await post(tx, stock, { ...stock, promised: stock.promised + wanted - (samePet ? own : 0) }, entry);
  if (!left && !stock) await tx.ledger.append(entry);
  return after;
}
