import * as v from 'valibot';
import { StoreError } from './errors.js';
import { checkVersion } from './ledger.js';
import { deltaNumber, idNumber, notFound, quantityNumber } from './numbers.js';
import { lists, reads, writes, type Versioned } from './operation.js';
import { page, pageParameters } from './page.js';
import { petFilter, petPosition, type PetFilter, type PetRow } from './pets.js';
import { available, checkPromises, levelCrossing, move, petStatus, stockOf, type Stock } from './stock.js';
import { noteText } from './text.js';
import { rangeEndText } from './time.js';
import type { Reading } from './transaction.js';

/** The specification's InventoryItem. */
export const inventoryItem = v.object({ petId: idNumber, quantity: quantityNumber, status: petStatus });
/** The specification's InventoryUpdate. */
export const inventoryUpdate = v.strictObject({ quantity: quantityNumber });

/** An inventory entry as people read it: the contract's item and the figures around it. */
export interface InventoryRow extends v.InferOutput<typeof inventoryItem>, Versioned {
  readonly name: string;
  readonly category: string;
  readonly promised: number;
  readonly available: number;
  readonly lowAt?: number;
}

/** A pet's inventory entry with the figures around it. */
export function inventoryRow(row: PetRow): InventoryRow {
  const { id, name, category, status, quantity, promised, lowAt, version } = row;
  return {
    petId: id,
    name,
    category,
    quantity,
    status,
    promised,
    available: available(row),
    ...(lowAt !== undefined && { lowAt }),
    ...(version !== undefined && { version }),
  };
}

async function readItem(tx: Reading, petId: number): Promise<InventoryRow> {
  const row = await tx.pets.get(petId);
  if (row === undefined) throw notFound('pet', petId);
  return inventoryRow(row);
}

/** Refuses filters by figures that an instant of the past has only for the pets that are shown, or not at all. */
function checkPast(at: string | undefined, { status, low, short }: PetFilter): void {
  if (at === undefined) return;
  const [given] = Object.entries({ status: status !== undefined, low, short }).flatMap(([name, asked]) => (asked === true ? [name] : []));
  if (given === undefined) return;
  throw new StoreError('invalid_parameter', `at, ${given}: the stock of an instant cannot be chosen by ${given}; leave one of them out.`);
}

/**
 * Lists inventory entries, one of each live pet; with `at` as they stood at that instant, by the ledger. Low levels of
 * then are not recorded, and an order that was edited since counts with what it asks for now.
 */
export const listInventory = lists({
  id: 'listInventory',
  summary: 'List inventory entries',
  tag: 'Store',
  path: '/store/inventory',
  input: v.strictObject({
    ...pageParameters(['petId']),
    ...petFilter,
    low: v.optional(v.boolean('must be true or false'), false),
    short: v.optional(v.boolean('must be true or false'), false),
    at: v.optional(rangeEndText),
  }),
  output: inventoryItem,
  run: async (tx, { limit, cursor, sort, count, at, ...filter }) => {
    checkPast(at, filter);
    const answer = await page(
      'inventory',
      { limit, cursor, sort, count },
      { ...filter, at },
      {
        keys: { petId: 'id' },
        list: (slice) => (at === undefined ? tx.pets.list(filter, { ...slice, sort: 'id' }) : tx.pets.listAt(at, filter, { ...slice, sort: 'id' })),
        position: (row) => petPosition(row, 'id'),
        total: () => (at === undefined ? tx.pets.count(filter) : tx.pets.countAt(at, filter)),
      },
    );
    return { ...answer, items: answer.items.map(inventoryRow) };
  },
  lines: (tx, { at, sort, ...filter }, columns, limit) =>
    at === undefined ? tx.pets.lines(filter, columns, { descending: sort === '-petId', limit }) : undefined,
});

/** Reads one pet's inventory entry. */
export const getInventoryItem = reads({
  id: 'getInventoryItem',
  summary: 'Read the inventory entry of a pet',
  tag: 'Store',
  path: '/store/inventory/{petId}',
  input: v.strictObject({ petId: idNumber }),
  output: inventoryItem,
  run: (tx, { petId }) => readItem(tx, petId),
});

/** Sets a counted quantity; `expected` is compared with what is on hand first. */
export const setInventory = writes({
  id: 'setInventory',
  summary: 'Set the stock of a pet to a counted quantity',
  tag: 'Store',
  method: 'PUT',
  path: '/store/inventory/{petId}',
  status: 200,
  input: v.strictObject({
    petId: idNumber,
    allowShortage: v.optional(v.boolean('must be true or false'), false),
    expected: v.optional(quantityNumber),
    body: inventoryUpdate,
  }),
  output: inventoryItem,
  run: async (tx, { petId, allowShortage, expected, body: { quantity } }) => {
    const stock = await stockOf(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    if (expected !== undefined && expected !== stock.quantity) await refuseStale(tx, stock, expected);
    if (quantity !== stock.quantity) {
      await checkPromises(tx, stock, quantity, allowShortage);
      await move(tx, stock, quantity - stock.quantity, { kind: 'count' });
    }
    return readItem(tx, petId);
  },
});

async function refuseStale(tx: Reading, stock: Stock, expected: number): Promise<never> {
  const last = await tx.ledger.lastMovement(stock.petId);
  const since = last === undefined ? '' : ` The last movement is ledger entry ${last.id}: ${last.kind} by ${last.actor} at ${last.at}.`;
  throw new StoreError(
    'stock_changed',
    `Pet ${stock.petId} has ${stock.quantity} in stock, expected ${expected}.${since}`,
    `petstore inventory view ${stock.petId}`,
  );
}

/** Adds or takes units away. A delivery is accepted even while it does not cover every promise yet. */
export const adjustInventory = writes({
  id: 'adjustInventory',
  summary: 'Add units to the stock of a pet or take some away',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/inventory/{petId}/adjustments',
  status: 200,
  input: v.strictObject({
    petId: idNumber,
    allowShortage: v.optional(v.boolean('must be true or false'), false),
    body: v.strictObject({ delta: deltaNumber, note: v.optional(noteText) }),
  }),
  output: inventoryItem,
  run: async (tx, { petId, allowShortage, body: { delta, note } }) => {
    const stock = await stockOf(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    if (stock.quantity + delta < 0) {
      throw new StoreError('out_of_stock', `Pet ${petId} has ${stock.quantity} on hand; ${-delta} cannot be taken away.`, `petstore inventory view ${petId}`);
    }
    if (delta < 0) await checkPromises(tx, stock, stock.quantity + delta, allowShortage);
    await move(tx, stock, delta, { kind: 'adjust', ...(note !== undefined && { note }) });
    return readItem(tx, petId);
  },
});

/** Sets the level at or below which one pet counts as low; without a level the store's applies again. */
export const setLowAt = writes({
  id: 'setLowAt',
  summary: 'Set the low-stock level of a pet',
  tag: 'Store',
  stability: 'beta',
  method: 'PUT',
  path: '/store/inventory/{petId}/low-at',
  status: 200,
  input: v.strictObject({ petId: idNumber, body: v.strictObject({ lowAt: v.optional(quantityNumber) }) }),
  output: inventoryItem,
  run: async (tx, { petId, body: { lowAt } }) => {
    const before = await stockOf(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    if (!(await tx.stock.setLowAt(petId, lowAt))) return readItem(tx, petId);
    await tx.ledger.append({ kind: 'pet.updated', petId });
    const crossing = levelCrossing(before, await stockOf(tx, petId));
    if (crossing) await tx.ledger.append(crossing);
    return readItem(tx, petId);
  },
});

/** Sets the low level of every pet that has none of its own; without a level those pets are never low. */
export const setLowDefault = writes({
  id: 'setLowDefault',
  summary: "Set the store's low-stock level",
  tag: 'Store',
  stability: 'beta',
  method: 'PUT',
  path: '/store/low-at',
  status: 200,
  input: v.strictObject({ body: v.strictObject({ lowAt: v.optional(quantityNumber) }) }),
  output: v.object({ lowAt: v.optional(quantityNumber) }),
  run: async (tx, { body: { lowAt } }) => {
    const [before, after] = [await tx.stock.lowDefault(), lowAt ?? null];
    if (before !== after) {
      await tx.ledger.appendCrossings(before, after);
      await tx.stock.setLowDefault(after);
    }
    return lowAt === undefined ? {} : { lowAt };
  },
});
