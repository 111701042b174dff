import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import type { LedgerEntry } from '../../src/domain/ledger/ledger-entry.js';
import { reportSellThrough } from '../../src/domain/reports/report-sell-through.js';
import { reportMovements, type MovementRow } from '../../src/domain/reports/report-movements.js';
import type { MovementFigures } from '../../src/domain/reports/movement-figures.js';
import { operationsAdapter } from '../support/adapters/operations.js';
import type { Command } from '../support/reference-model/apply-command.js';
import { steps } from '../support/reference-model/arbitraries.js';
import { runsAllStores } from '../support/seeded-random.js';
import { withTestShop } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';

const day = 24 * 60 * 60 * 1000;

/** The commands of the reference model that change stock, orders and holds. */
const changing: ReadonlySet<Command['do']> = new Set([
  'create pet',
  'delete pet',
  'hold',
  'release',
  'set',
  'adjust',
  'undo entry',
  'place',
  'edit order',
  'cancel',
  'several',
  'import stock',
  'undo batch',
]);

/**
 * Random changes, except edits of orders and pets and moves between categories: the inventory of a past time has the present
 * quantity of an order, and the present name and category of a pet.
 */
const changes = steps
  .map(({ command }) => (command.do === 'edit order' ? { ...command, pet: undefined, quantity: undefined, ship: undefined } : command))
  .filter((command) => command.do !== 'again' && command.do !== 'import again' && changing.has(command.do)) as fc.Arbitrary<Command>;

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
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 4, maxLength: 40, size: 'max' }), fc.nat(), fc.nat(), async (taken, one, other) => {
      await withTestShop(async (testShop) => {
        const { call, clock, category, pet } = testShop;
        const { send } = operationsAdapter.connect(testShop);
        for (const name of ['Dogs', 'Fish']) await category(name);
        // With reserved units and a hold from the beginning.
        await pet({ categoryId: 2, quantity: 5, reserved: 2, hold: true });
        const seen: (readonly [instant: string, inventory: readonly unknown[]])[] = [];
        for (const command of taken) {
          clock.pass(day / 5);
          await send({ command, dryRun: false, key: undefined, ifMatch: undefined });
          seen.push([new Date(clock.now()).toISOString(), (await call(listInventory, {})).items]);
        }
        for (const [at, inventory] of seen) expect((await call(listInventory, { at })).items).toEqual(inventory);
        const [from = '', to = ''] = [one, other].map((pick) => seen[pick % seen.length]?.[0] ?? '').toSorted();
        await expectMovements(testShop, from, to);
      });
    }),
    { numRuns: runsAllStores ? 60 : 6 },
  );
});
