import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StoreError } from '../../src/domain/errors.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import type { LedgerEntry } from '../../src/domain/ledger/ledger-entry.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { releasePet } from '../../src/domain/pets/release-pet.js';
import { reportSellThrough } from '../../src/domain/reports/report-sell-through.js';
import { reportMovements, type MovementRow } from '../../src/domain/reports/report-movements.js';
import type { MovementFigures } from '../../src/domain/reports/movement-figures.js';
import { undoEntry } from '../../src/domain/ledger/undo-entry.js';
import { runsAllStores } from '../support/seeded-random.js';
import { withTestShop } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';

const day = 24 * 60 * 60 * 1000;

type Step = (testShop: TestShop) => Promise<unknown>;

const someId = fc.integer({ min: 1, max: 4 });
const categoryIds = [1, 2] as const;

/** Random changes of a shop, except edits of orders and moves between categories. */
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...categoryIds), fc.nat(5)).map(
      ([categoryId, quantity]) =>
        (it: TestShop) =>
          it.pet({ categoryId, quantity }),
    ),
  },
  fc.constantFrom(...categoryIds).map(
    (categoryId) =>
      ({ call }: TestShop) =>
        call(createPet, { body: { name: 'Held', categoryId, status: 'pending' } }),
  ),
  fc
    .tuple(
      someId,
      fc.integer({ min: -4, max: 6 }).filter((delta) => delta !== 0),
    )
    .map(
      ([petId, delta]) =>
        (it: TestShop) =>
          it.adjust(petId, delta, true),
    ),
  fc.tuple(someId, fc.nat(6)).map(
    ([petId, quantity]) =>
      (it: TestShop) =>
        it.set(petId, quantity, true),
  ),
  {
    weight: 2,
    arbitrary: fc.tuple(someId, fc.integer({ min: 1, max: 2 })).map(
      ([petId, quantity]) =>
        (it: TestShop) =>
          it.order(petId, quantity),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(someId, fc.boolean()).map(
      ([orderId, complete]) =>
        ({ call }: TestShop) =>
          call(updateOrder, { orderId, body: { complete } }),
    ),
  },
  someId.map(
    (orderId) =>
      ({ call }: TestShop) =>
        call(cancelOrder, { orderId }),
  ),
  fc.tuple(someId, fc.constantFrom(holdPet, releasePet, deletePet)).map(
    ([petId, change]) =>
      ({ call }: TestShop) =>
        call(change, { petId }),
  ),
  fc.integer({ min: 3, max: 30 }).map(
    (entryId) =>
      ({ call }: TestShop) =>
        call(undoEntry, { entryId, allowShortage: true }),
  ),
);

/** Runs a step at a later time; a refusal is accepted. */
async function take(testShop: TestShop, step: Step): Promise<string> {
  testShop.clock.pass(day / 5);
  await step(testShop).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error;
  });
  return new Date(testShop.clock.now()).toISOString();
}

const signs = { opening: 0, received: 1, sold: -1, returned: 1, writtenOff: -1, counted: 1, closing: 0 } as const;

function expectBalance(row: MovementFigures): void {
  const moved = (Object.keys(signs) as (keyof MovementFigures)[]).reduce((sum, name) => sum + signs[name] * row[name], 0);
  expect(row.opening + moved).toBe(row.closing);
}

/** The units on hand of some pets at the end of an instant, from their last ledger entries. */
function onHandAt(entries: readonly LedgerEntry[], instant: string, mine: (petId: number) => boolean): number {
  const last = new Map<number, number>();
  for (const { at, petId = 0, quantityAfter } of entries) if (at <= instant && quantityAfter !== undefined && mine(petId)) last.set(petId, quantityAfter);
  return [...last.values()].reduce((sum, quantity) => sum + quantity, 0);
}

/** The movements of all rows together. */
function sumOf(rows: readonly MovementFigures[]): readonly number[] {
  const names = ['received', 'sold', 'returned', 'writtenOff', 'counted'] as const;
  return names.map((name) => rows.reduce((sum, row) => sum + row[name], 0));
}

async function expectMovements(testShop: TestShop, from: string, to: string): Promise<void> {
  const { call, rows, ledger } = testShop;
  const categoryOf = new Map(
    (await rows<{ id: number; home: number }>({ text: 'SELECT id, category_id AS home FROM pets', values: [] })).map((row) => [row.id, row.home]),
  );
  const entries = await ledger();
  const before = new Date(Date.parse(from) - 1).toISOString();
  const holds = (row: MovementRow, mine: (petId: number) => boolean): void => {
    expectBalance(row);
    expect([row.opening, row.closing]).toEqual([onHandAt(entries, before, mine), onHandAt(entries, to, mine)]);
  };
  for (const row of await call(reportMovements, { from, to })) holds(row, (petId) => categoryOf.get(petId) === row.categoryId);
  for (const row of await call(reportMovements, { from, to, by: 'pet' })) holds(row, (petId) => petId === row.petId);
  const days = await call(reportMovements, { from, to, by: 'day' });
  const moved = sumOf(days);
  expect(sumOf(await call(reportMovements, { from, to }))).toEqual(moved);
  for (const by of ['pet', 'week', 'month'] as const) expect([by, sumOf(await call(reportMovements, { from, to, by }))]).toEqual([by, moved]);
  for (const [index, row] of days.entries()) {
    expectBalance(row);
    expect(row.opening).toBe(days[index - 1]?.closing ?? onHandAt(entries, before, () => true));
  }
  if (days.length > 0) expect(days.at(-1)?.closing).toBe(onHandAt(entries, to, () => true));
  const total = (await call(reportSellThrough, { from, to })).at(-1);
  expect(total?.closing ?? 0).toBe(onHandAt(entries, to, () => true));
}

test('after random operations the reports agree with the ledger and past reports do not change', async () => {
  let [reserved, held] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 40, size: 'max' }), fc.nat(), fc.nat(), async (taken, one, other) => {
      await withTestShop(async (testShop) => {
        await testShop.category('Dogs');
        await testShop.category('Fish');
        const seen: (readonly [instant: string, inventory: readonly unknown[]])[] = [];
        for (const step of taken) seen.push([await take(testShop, step), (await testShop.call(listInventory, {})).items]);
        for (const [at, inventory] of seen) {
          const { items } = await testShop.call(listInventory, { at });
          expect(items).toEqual(inventory);
          reserved += items.filter((item) => item.reserved > 0).length;
          held += items.filter((item) => item.hold && item.quantity > item.reserved).length;
        }
        const [from = '', to = ''] = [one, other].map((pick) => seen[pick % seen.length]?.[0] ?? '').toSorted();
        await expectMovements(testShop, from, to);
      });
    }),
    { numRuns: runsAllStores ? 60 : 6 },
  );
  // Without reservations and holds the past would be trivial.
  expect(reserved).toBeGreaterThan(0);
  expect(held).toBeGreaterThan(0);
});
