import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { listOrders } from '../../src/domain/orders/list-orders.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { getSummary } from '../../src/domain/reports/get-summary.js';
import { reportStock } from '../../src/domain/reports/report-stock.js';
import { itemsOf } from '../support/pages.js';
import { testOnEveryStore, withTestShop } from '../support/stores.js';
import { runsAllStores } from '../support/seeded-random.js';
import type { TestShop } from '../support/test-shop.js';

/** The facts about a pet of a random shop, from which the result of every filter can be computed. */
interface Facts {
  readonly name: string;
  readonly category: number;
  readonly quantity: number;
  readonly reserved: number;
  readonly hold: boolean;
  readonly lowAt: number | undefined;
  readonly deleted: boolean;
}

const facts: fc.Arbitrary<Facts> = fc.record({
  name: fc.constantFrom('Rex', 'rex', 'Ñandú', 'Tom', '100%'),
  category: fc.integer({ min: 1, max: 3 }),
  quantity: fc.integer({ min: 0, max: 3 }),
  reserved: fc.integer({ min: 0, max: 3 }),
  hold: fc.boolean(),
  lowAt: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  deleted: fc.boolean(),
});

type Status = 'available' | 'pending' | 'sold';
const statuses: readonly Status[] = ['available', 'pending', 'sold'];

interface Filter {
  readonly status: Status[] | undefined;
  readonly categoryId: number[] | undefined;
  readonly low: boolean;
  readonly short: boolean;
}

function statusOf({ hold, quantity, reserved }: Facts): Status {
  if (hold) return 'pending';
  if (quantity > reserved) return 'available';
  return reserved > 0 ? 'pending' : 'sold';
}

function matches(pet: Facts, { status, categoryId, low, short }: Filter): boolean {
  const free = pet.quantity - pet.reserved;
  return (
    (status === undefined || status.includes(statusOf(pet))) &&
    (categoryId === undefined || categoryId.includes(pet.category)) &&
    (!low || (pet.lowAt !== undefined && free <= pet.lowAt)) &&
    (!short || free < 0)
  );
}

/** Builds the shop. Pets marked as deleted are deleted if the rules allow it, and returned separately. */
async function build({ category, pet, call }: TestShop, wanted: readonly Facts[]): Promise<ReadonlyMap<number, Facts>> {
  for (const name of ['Dogs', 'Cats', 'Fish']) await category(name);
  const live = new Map<number, Facts>();
  for (const one of wanted) {
    const petId = await pet({ ...one, categoryId: one.category });
    if (one.lowAt !== undefined) await call(setLowAt, { petId, body: { lowAt: one.lowAt } });
    if (one.deleted && one.reserved === 0 && one.quantity < 2) await call(deletePet, { petId });
    else live.set(petId, one);
  }
  return live;
}

const statusFilters = [
  undefined,
  [],
  ...statuses.map((status) => [status]),
  ['available', 'pending'],
  ['sold', 'pending'],
  ['sold', 'available'],
  [...statuses],
] as const;
const categoryFilters = [undefined, [], [1], [2, 3], [9]] as const;

const filters: readonly Filter[] = statusFilters.flatMap((status) =>
  categoryFilters.flatMap((categoryId) =>
    [false, true].flatMap((low) => [false, true].map((short) => ({ status: status && [...status], categoryId: categoryId && [...categoryId], low, short }))),
  ),
);

/** Runs every filter of every list, in both directions, with small and large pages, and compares the results with the facts. */
async function compare({ call }: TestShop, live: ReadonlyMap<number, Facts>, limit: number): Promise<void> {
  for (const filter of filters) {
    const expected = [...live].filter(([, pet]) => matches(pet, filter)).map(([id]) => id);
    for (const [sort, order] of [
      ['petId', expected],
      ['-petId', expected.toReversed()],
    ] as const) {
      const inventory = await itemsOf((cursor) => call(listInventory, { ...filter, sort, limit, cursor }));
      expect({ filter, sort, found: inventory.map(({ petId }) => petId) }).toEqual({ filter, sort, found: order });
    }
    const { total } = await call(listInventory, { ...filter, count: true, limit: 1 });
    expect({ filter, total }).toEqual({ filter, total: expected.length });
    if (filter.low || filter.short) continue;
    const { status, categoryId } = filter;
    for (const sort of ['id', 'name']) {
      const pets = await itemsOf((cursor) => call(listPets, { status, categoryId, sort, limit, cursor }));
      expect({ filter, sort, found: pets.map(({ id }) => id).toSorted((a, b) => a - b) }).toEqual({ filter, sort, found: expected });
    }
    expect((await call(listPets, { status, categoryId, count: true })).total).toBe(expected.length);
  }
}

/** The totals of the whole shop, computed from the facts. */
async function compareSummary({ call, ledger }: TestShop, live: ReadonlyMap<number, Facts>): Promise<void> {
  const pets = [...live.values()];
  const units = (of: (pet: Facts) => number): number => pets.reduce((sum, pet) => sum + of(pet), 0);
  const count = (holds: (pet: Facts) => boolean): number => pets.filter(holds).length;
  const onHand = units(({ quantity }) => quantity);
  const reserved = units((pet) => pet.reserved);
  const free = ({ quantity, reserved: taken }: Facts): number => Math.max(0, quantity - taken);
  const held = units((pet) => (pet.hold ? free(pet) : 0));
  const available = units((pet) => (pet.hold ? 0 : free(pet)));
  // The same figure in the summary, the list and the report.
  const { items } = await call(listInventory, { status: ['available'] });
  const report = await call(reportStock, {});
  expect(items.reduce((sum, item) => sum + item.available, 0)).toBe(available);
  expect(
    report.reduce((sum, row) => ({ held: sum.held + (row.held ?? 0), available: sum.available + (row.available ?? 0) }), { held: 0, available: 0 }),
  ).toEqual({ held, available });
  expect(await call(getSummary, {})).toEqual({
    categories: 3,
    pets: Object.fromEntries(statuses.map((status) => [status, count((pet) => statusOf(pet) === status)])),
    orders: { draft: 0, open: count((pet) => pet.reserved > 0), complete: 0 },
    units: { onHand, reserved, held, available },
    low: count(({ quantity, reserved: taken, lowAt }) => lowAt !== undefined && quantity - taken <= lowAt),
    short: count(({ quantity, reserved: taken }) => taken > quantity),
    // No order has a ship date.
    due: 0,
    overdue: 0,
    today: expect.anything(),
    lowPets: expect.any(Array),
    unhealthyHooks: [],
    newestEntry: (await ledger()).at(-1)?.id ?? 0,
    lastBatches: [],
  });
}

test('in random shops every filter returns exactly the matching pets, and the summary totals them', async () => {
  const shops = fc.array(facts, { minLength: 1, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(shops, fc.constantFrom(1, 3, 100), async (wanted, limit) => {
      await withTestShop(async (shop) => {
        const live = await build(shop, wanted);
        await compare(shop, live, limit);
        await compareSummary(shop, live);
      });
    }),
    { numRuns: runsAllStores ? 10 : 2 },
  );
});

function many(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

testOnEveryStore('a filter accepts up to 100 values', async ({ callUnchecked, call, expectRefusal }) => {
  expect(await call(listPets, { categoryId: many(100), id: many(100) })).toEqual({ items: [] });
  for (const filter of [{ categoryId: many(101) }, { id: many(101) }, { status: many(101).map(() => 'sold') }]) {
    await expectRefusal('invalid_parameter', () => callUnchecked(listPets, filter), /must be at most 100 values/);
  }
  await expectRefusal('invalid_parameter', () => callUnchecked(listOrders, { petId: many(101) }), /petId: must be at most 100 values/);
});

testOnEveryStore('refuses an invalid filter', async ({ callUnchecked, expectRefusal }) => {
  await expectRefusal('invalid_parameter', () => callUnchecked(listPets, { status: ['Sold'] }), /status: must be available, pending or sold/);
  await expectRefusal('invalid_parameter', () => callUnchecked(listPets, { categoryId: [0] }), /categoryId: must be at least 1/);
  await expectRefusal('invalid_parameter', () => callUnchecked(listInventory, { low: 'yes' }), /low: must be true or false/);
  await expectRefusal('unknown_parameter', () => callUnchecked(listPets, { low: true }), /low: is unknown/);
  await expectRefusal('invalid_parameter', () => callUnchecked(listOrders, { shipDateFrom: '2026-13-01' }), /shipDateFrom: /);
});

testOnEveryStore('refuses a search text with NUL', async ({ callUnchecked, category, pet, expectRefusal }) => {
  await category('Dogs');
  await pet({ name: 'Rex', categoryId: 1 });
  for (const wrong of ['\0', 'Re\0x']) {
    await expectRefusal('invalid_parameter', () => callUnchecked(listPets, { q: wrong }), /^q: must /);
    await expectRefusal('invalid_parameter', () => callUnchecked(listCategories, { q: wrong }), /^q: must /);
    await expectRefusal('invalid_parameter', () => callUnchecked(listCategories, { name: wrong }), /^name: must /);
  }
});

testOnEveryStore('lists pets by ids, each once, in the requested order', async ({ call, pet }) => {
  for (let index = 0; index < 4; index += 1) await pet();
  expect((await call(listPets, { id: [4, 2, 2, 77] })).items.map(({ id }) => id)).toEqual([2, 4]);
  expect((await call(listPets, { id: [4, 2], sort: '-id' })).items.map(({ id }) => id)).toEqual([4, 2]);
  expect((await call(listPets, { id: [] })).items).toEqual([]);
});

testOnEveryStore('lists a pet with several open orders once', async ({ call, pet, order, set }) => {
  const petId = await pet({ quantity: 6 });
  for (let index = 0; index < 3; index += 1) await order(petId, 2);
  await set(petId, 1, true);
  for (const sort of ['petId', '-petId']) {
    for (const filter of [{ short: true }, { status: ['pending' as const] }]) {
      expect(await call(listInventory, { ...filter, sort, count: true })).toMatchObject({ items: [{ petId, reserved: 6 }], total: 1 });
    }
  }
});

testOnEveryStore('filters orders by pet, state and ship date', async ({ call, pet }) => {
  const [rex, tom] = [await pet({ quantity: 9 }), await pet({ quantity: 9 })];
  const days = ['2026-12-01T00:00:00Z', '2026-12-01T23:59:59.999Z', '2026-12-02T00:00:00Z', undefined];
  for (const petId of [rex, tom]) for (const shipDate of days) await call(placeOrder, { body: { petId, shipDate } });
  await call(updateOrder, { orderId: 1, body: { complete: true } });
  await call(cancelOrder, { orderId: 5 });
  const found = async (filter: { petId?: number[]; complete?: boolean; shipDateFrom?: string; shipDateTo?: string }) => {
    const { items, total } = await call(listOrders, { ...filter, count: true });
    expect(total).toBe(items.length);
    return items.map(({ id }) => id);
  };
  expect(await found({ petId: [rex] })).toEqual([1, 2, 3, 4]);
  expect(await found({ petId: [rex, tom] })).toEqual([1, 2, 3, 4, 6, 7, 8]);
  expect(await found({ petId: [tom], complete: false })).toEqual([6, 7, 8]);
  expect(await found({ complete: true })).toEqual([1]);
  expect(await found({ shipDateFrom: '2026-12-01', shipDateTo: '2026-12-01' })).toEqual([1, 2, 6]);
  expect(await found({ shipDateFrom: '2026-12-02' })).toEqual([3, 7]);
  expect(await found({ shipDateTo: '2026-12-01T00:00:00Z' })).toEqual([1]);
  await expect(found({ shipDateFrom: '2026-12-02', shipDateTo: '2026-12-01' })).rejects.toMatchObject({ code: 'validation_failed' });
  expect(await found({ petId: [] })).toEqual([]);
});

testOnEveryStore('the summary counts drafts, open and complete orders separately and leaves out cancelled ones', async ({ call, pet, order }) => {
  const petId = await pet({ quantity: 9 });
  const orders = [await order(petId, 2), await order(petId, 3), await order(petId, 1)];
  await call(placeOrder, { body: { quantity: 7 } });
  await call(updateOrder, { orderId: orders[0] ?? 0, body: { complete: true } });
  await call(cancelOrder, { orderId: orders[1] ?? 0 });
  expect(await call(getSummary, {})).toMatchObject({ orders: { draft: 1, open: 1, complete: 1 }, units: { onHand: 7, reserved: 1, available: 6 } });
});
