import { describe, expect, test } from 'vitest';
import { StoreError } from '../../src/domain/errors.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { undoLast } from '../../src/domain/ledger/undo-last.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import type { Shop } from '../../src/domain/shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { sql } from '../../src/storage/sql.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { addressOf } from '../support/postgres.js';
import { proxyTo } from '../support/proxy.js';
import { brokenRules } from '../support/invariants.js';
import { fill, inEmptyShop, pets, shopOn, withEngines, withEnginesAt } from '../support/postgres-engines.js';

/** Runs work with the engine of a shop with pets, and with that shop. */
const withFilled = (work: (engine: Engine, shop: Shop) => Promise<void>): Promise<void> =>
  withEngines(1, async ([engine]) => {
    if (engine === undefined) return;
    await fill(engine);
    await work(engine, shopOn(engine));
  });

describe.skipIf(addressOf('') === undefined)('writes of different records on PostgreSQL', () => {
  test('of many orders for one pet exactly as many succeed as there are units', () =>
    withEngines(2, async (engines) => {
      const [engine] = engines as [Engine];
      await fill(engine);
      await shopOn(engine).call(setInventory, { petId: 6, body: { quantity: 21 } });
      const orders = Array.from({ length: 64 }, (_, index) => shopOn(engines[index % 2] as Engine).call(placeOrder, { body: { petId: 6 } }));
      const outcomes = await Promise.allSettled(orders);
      const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as StoreError] : []));
      expect(outcomes.length - refused.length).toBe(20);
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['insufficient_stock']));
      expect(refused[0]?.message).toMatch(/^No Pet 6 \(pet 6\) available \(21 on hand, 21 reserved for orders 6, /);
      expect(await brokenRules({ engine })).toEqual([]);
    }));

  test('an order is decided with the stock that a write before it has set', () =>
    withFilled(async (engine, { call }) => {
      await call(setInventory, { petId: 1, body: { quantity: 1 } });
      const [, placed] = await Promise.all([call(adjustInventory, { petId: 1, body: { delta: 1 } }), call(placeOrder, { body: { petId: 1 } })]);
      expect(placed).toMatchObject({ petId: 1, available: 0 });
      // And refused with the stock that an order before it has left.
      await Promise.all([
        call(updateOrder, { orderId: placed.id, body: { quantity: 1 } }),
        expectRefusal('insufficient_stock', call(placeOrder, { body: { petId: 1 } })),
      ]);
    }));

  test('a key that is sent several times at once makes one order, and another request under it is refused', () =>
    withEngines(2, async (engines) => {
      await fill(engines[0] as Engine);
      let replayed = 0;
      const orders = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          shopOn(engines[index % 2] as Engine).call(placeOrder, { body: { petId: 5 } }, { key: 'K', onReplay: () => (replayed += 1) }),
        ),
      );
      expect([new Set(orders.map(({ id }) => id)).size, replayed]).toEqual([1, 11]);
      const { call } = shopOn(engines[0] as Engine);
      const both = [call(placeOrder, { body: { petId: 5 } }, { key: 'L' }), call(placeOrder, { body: { petId: 6 } }, { key: 'L' })] as const;
      await Promise.all([both[0], expectRefusal('idempotency_key_reused', both[1])]);
    }));

  test('a change with a version succeeds only when nothing of its group has changed the record', () =>
    withFilled(async (engine, { call }) => {
      const { version = 0 } = await call(updatePet, { petId: 2, body: { name: 'Rex' } });
      const rename = (name: string) => call(updatePet, { petId: 2, body: { name } }, { ifMatch: version });
      const outcomes = await Promise.allSettled(['one', 'two', 'three'].map(rename));
      expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value.name : (one.reason as StoreError).code))).toEqual([
        'one',
        'precondition_failed',
        'precondition_failed',
      ]);
    }));

  test('new pets, a change of a level and an order share a commit', () =>
    withFilled(async (engine, { call }) => {
      const commits = async (): Promise<number> =>
        (await engine.read((queries) => queries.get<{ readonly n: number }>(sql`SELECT count(*) AS n FROM commits`)))?.n ?? 0;
      const before = await commits();
      // The first begins alone, and the others wait for it.
      await Promise.all([
        call(placeOrder, { body: { petId: 5 } }),
        ...['Ada', 'Bo', 'Cy'].map((name) => call(createPet, { quantity: 3, body: { name, categoryId: 1 } })),
        call(setLowAt, { petId: 6, body: {} }),
        call(placeOrder, { body: { petId: 6 } }),
      ]);
      expect((await commits()) - before).toBeLessThanOrEqual(2);
      expect(await brokenRules({ engine })).toEqual([]);
    }));

  test('a dry run beside other writes changes nothing', () =>
    withFilled(async (engine, { call }) => {
      const order = (dryRun: boolean) => call(placeOrder, { body: { petId: 6 } }, { dryRun });
      const placed = await Promise.all([order(true), order(false), order(true), order(false)]);
      const stored = await engine.read((queries) => queries.all<{ readonly id: number }>(sql`SELECT id FROM orders WHERE id > ${pets} ORDER BY id`));
      expect(stored).toEqual([{ id: pets + 1 }, { id: pets + 2 }]);
      expect(placed.map(({ petId }) => petId)).toEqual([6, 6, 6, 6]);
    }));

  test('an undo beside other writes reverses the last change', () =>
    withFilled(async (engine, { call }) => {
      await call(adjustInventory, { petId: 3, body: { delta: 5 } });
      await Promise.all([call(undoLast, { body: {} }), shopOn(engine, 'ben').call(placeOrder, { body: { petId: 4 } })]);
      expect(await engine.read((queries) => queries.get(sql`SELECT quantity FROM stock WHERE pet_id = 3`))).toEqual({ quantity: 6 });
      expect(await brokenRules({ engine })).toEqual([]);
    }));

  const insertPet = (id: number, name: string) => sql`INSERT INTO pets (id, name, folded, category_id) VALUES (${id}, ${name}, ${name}, 1)`;

  test('a change that violates a constraint fails alone', () =>
    withFilled(async (engine, { call }) => {
      const good = call(placeOrder, { body: { petId: 6 } });
      const bad = engine.write((queries) => queries.run(insertPet(1, 'again')), { records: [] });
      const further = call(placeOrder, { body: { petId: 5 } });
      await expect(bad).rejects.toThrow(/duplicate key/);
      expect([(await good).id, (await further).id]).toEqual([pets + 1, pets + 2]);
      expect(await brokenRules({ engine })).toEqual([]);
    }));

  test('a write that goes on after its changes is rolled back alone when it fails', () =>
    withFilled(async (engine, { call }) => {
      const select = sql`SELECT name FROM pets WHERE id = 70`;
      const bad = engine.write(
        async (queries) => {
          await queries.run(insertPet(70, 'new'));
          expect(await queries.get(select)).toEqual({ name: 'new' });
          throw new StoreError('pet_on_hold', 'No.');
        },
        { records: [] },
      );
      const good = call(placeOrder, { body: { petId: 6 } });
      await expectRefusal('pet_on_hold', bad);
      expect((await good).id).toBe(pets + 1);
      expect(await engine.read((queries) => queries.get(select))).toBeUndefined();
    }));

  for (const when of ['before', 'after'] as const) {
    for (const text of ['begin_write', 'INSERT INTO orders', 'COMMIT /*']) {
      test(`a connection lost at ${text}, ${when} the server received it: every order is made once`, () =>
        inEmptyShop(async (address) => {
          const proxy = await proxyTo(address);
          await withEnginesAt(1, proxy.through, async ([engine]) => {
            await fill(engine as Engine);
            proxy.breakAt(text, when);
            const { call } = shopOn(engine as Engine);
            // Without keys, so that an order that is placed again would be another one.
            const placed = await Promise.all([4, 5, 6].map((petId) => call(placeOrder, { body: { petId } })));
            expect(placed.map(({ id, petId }) => [id, petId])).toEqual([4, 5, 6].map((petId, index) => [pets + 1 + index, petId]));
            expect(await brokenRules({ engine: engine as Engine })).toEqual([]);
          });
          await proxy.close();
        }));
    }
  }

  test('writes wait for the lock no longer than allowed, and run once it is free', () =>
    withEngines(
      2,
      async ([first, second]) => {
        await fill(first as Engine);
        let [release, lock] = [(): void => undefined, (): void => undefined];
        const [held, isLocked] = [new Promise<void>((resolve) => (release = resolve)), new Promise<void>((resolve) => (lock = resolve))];
        const holding = first?.write(async (queries) => {
          await queries.get(sql`SELECT 1`);
          lock();
          await held;
        });
        await isLocked;
        const order = () => shopOn(second as Engine).call(placeOrder, { body: { petId: 6 } });
        const both = [order(), order()];
        await Promise.all(both.map((one) => expectRefusal('store_busy', one, /waited 0.4 s/)));
        const patient = order();
        release();
        await holding;
        expect((await patient).id).toBe(pets + 1);
      },
      0.4,
    ));
});
