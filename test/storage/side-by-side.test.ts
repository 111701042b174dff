import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CallOptions } from '../../src/domain/call.js';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { updateCategory } from '../../src/domain/categories/update-category.js';
import { StoreError } from '../../src/domain/errors.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { setLowDefault } from '../../src/domain/inventory/set-low-default.js';
import { undoLast } from '../../src/domain/ledger/undo-last.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { releasePet } from '../../src/domain/pets/release-pet.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import type { Shop } from '../../src/domain/shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { about, sql } from '../../src/storage/sql.js';
import { localShop } from '../../src/storage/shop.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { checkRules } from '../../src/storage/maintenance/check-rules.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { brokenRows } from '../support/invariants.js';
import { addressOf, asAdmin, freshDatabase, openShop } from '../support/postgres.js';
import { startProxy } from '../support/proxy.js';
import { isFullSize, seed, seededRandom } from '../support/seeded-random.js';
import { inDirectory } from '../support/stores.js';

const startedAt = Date.parse('2026-11-20T09:00:00Z');

function shopOn(engine: Engine, actor = 'ana', clock = () => startedAt): Shop {
  return localShop(engine, { actor, source: 'cli', clock }, 'here');
}

/** Runs work with engines on one new database. */
async function withEngines(count: number, work: (engines: readonly Engine[], name: string) => Promise<void>, waitSeconds = 20): Promise<void> {
  const { address, name, drop } = await freshDatabase();
  const engines = await Promise.all(Array.from({ length: count }, () => openShop(address, { waitSeconds })));
  try {
    await work(engines, name);
  } finally {
    for (const engine of engines) await engine.close();
    await drop();
  }
}

const tables = ['categories', 'pets', 'stock', 'settings', 'orders', 'ledger', 'replays'];

/** All rows, without the columns that only PostgreSQL has. */
async function rowsOf(engine: Engine): Promise<unknown> {
  return engine.read(async (queries) => {
    const all: unknown[] = [];
    for (const table of tables) {
      const rows = await queries.all<object>({ text: `SELECT * FROM ${table} ORDER BY 1, 2`, values: [] });
      all.push([table, rows.map((row) => ({ ...row, ...(table === 'stock' && { at_level: 0, shortage: 0 }) }))]);
    }
    return all;
  });
}

async function problemsOf(engine: Engine): Promise<readonly string[]> {
  const found = await brokenRows({ rows: (query) => engine.read((queries) => queries.all(query)) });
  const checks = await engine.read((queries) => checkRules(queries));
  return [...found, ...checks.filter(({ status }) => status !== 'pass').map(({ name, message }) => `${name}: ${message}`)];
}

const pets = 6;

/** A shop with some pets and orders. */
async function fill(engine: Engine): Promise<void> {
  const { call } = shopOn(engine, 'eva');
  for (const name of ['Dogs', 'Cats']) await call(createCategory, { body: { name } });
  for (let petId = 1; petId <= pets; petId += 1) await call(createPet, { quantity: petId * 2, body: { name: `Pet ${petId}`, categoryId: 1 } });
  for (let petId = 1; petId <= pets; petId += 1) await call(placeOrder, { body: { petId } });
  await call(setLowAt, { petId: 1, body: { lowAt: 1 } });
}

type Ask = (shop: Shop, options: CallOptions) => Promise<unknown>;

/** Random changes, by name. Those with few pets conflict often. */
function randomAsk(random: () => number): Ask {
  const upTo = (limit: number): number => 1 + Math.floor(random() * limit);
  const [petId, orderId, units, kind, other] = [upTo(pets + 1), upTo(pets + 4), upTo(4), upTo(18), upTo(2)];
  const asks: readonly Ask[] = [
    (shop, how) => shop.call(placeOrder, { body: { petId, quantity: units } }, how),
    (shop, how) => shop.call(placeOrder, { body: { petId } }, { ...how, key: `key ${units}` }),
    (shop, how) => shop.call(placeOrder, { body: { petId, complete: true } }, how),
    (shop, how) => shop.call(placeOrder, { body: {} }, how),
    (shop, how) => shop.call(updateOrder, { orderId, body: { complete: true } }, how),
    (shop, how) => shop.call(updateOrder, { orderId, body: { petId, quantity: units } }, how),
    (shop, how) => shop.call(updateOrder, { orderId, body: { complete: false } }, how),
    (shop, how) => shop.callEach(cancelOrder, [{ orderId }, { orderId: other }], how),
    (shop, how) => shop.call(adjustInventory, { petId, body: { delta: units - 2 || 1 } }, how),
    (shop, how) =>
      shop.callEach(
        setInventory,
        [
          { petId, body: { quantity: units * 2 } },
          { petId: 1, body: { quantity: units } },
        ],
        how,
      ),
    (shop, how) => shop.call(updatePet, { petId, body: { name: `Name ${units}`, categoryId: other } }, how),
    (shop, how) => shop.call(updatePet, { petId, body: { status: units > 2 ? 'available' : 'pending' } }, { ...how, ifMatch: [units * 6, petId + 2] }),
    (shop, how) => shop.call(units > 2 ? holdPet : releasePet, { petId }, how),
    (shop, how) => shop.call(createPet, { body: { name: `New ${units}`, categoryId: 1 } }, how),
    (shop, how) => shop.call(deletePet, { petId }, how),
    (shop, how) => shop.call(setLowDefault, { body: { lowAt: units } }, how),
    (shop, how) => shop.call(updateCategory, { categoryId: other, body: { description: `About ${units}` } }, how),
    (shop, how) => shop.call(placeOrder, { body: { petId } }, { ...how, dryRun: true }),
  ];
  return asks[kind - 1] ?? asks[0] ?? (async () => undefined);
}

/** Sends changes at the same time, and returns those that changed something, in the order of the ledger, with their answers. */
async function sendAll(
  engines: readonly Engine[],
  asks: readonly Ask[],
): Promise<readonly { readonly ask: Ask; readonly note: string; readonly answer: unknown }[]> {
  const answers = await Promise.allSettled(asks.map((ask, index) => ask(shopOn(engines[index % engines.length] as Engine), { note: `change ${index}` })));
  for (const one of answers) if (one.status === 'rejected' && !(one.reason instanceof StoreError)) throw one.reason;
  const entries = await engines[0]?.read((queries) =>
    queries.all<{ readonly note: string }>(sql`SELECT note FROM ledger WHERE note LIKE 'change %' GROUP BY note ORDER BY min(id)`),
  );
  return (entries ?? []).map(({ note }) => {
    const index = Number(note.split(' ')[1]);
    const outcome = answers[index];
    expect(outcome?.status, `${note} was refused but is in the ledger`).toBe('fulfilled');
    return { ask: asks[index] as Ask, note, answer: outcome?.status === 'fulfilled' ? outcome.value : undefined };
  });
}

describe.skipIf(addressOf('') === undefined)('writes side by side on PostgreSQL', () => {
  for (const count of [1, 2]) {
    const rounds = isFullSize ? 100 : 8;
    test(
      `changes sent at the same time to ${count} processes give the answers and rows of the same changes one after the other`,
      { timeout: 600_000 },
      async () => {
        const random = seededRandom(seed + count);
        for (let round = 0; round < rounds; round += 1) {
          await withEngines(count, async (engines) => {
            const [engine] = engines as [Engine];
            await fill(engine);
            const asks = Array.from({ length: 40 }, () => randomAsk(random));
            const changes = await sendAll(engines, asks);
            expect(changes.length).toBeGreaterThan(5);
            expect(await problemsOf(engine)).toEqual([]);
            await inDirectory(async (directory) => {
              const reference = await openSqlite(join(directory, 'shop.db'), { create: true, waitSeconds: 5 });
              await fill(reference);
              for (const { ask, note, answer } of changes) {
                const expected = await ask(shopOn(reference), { note });
                expect(answer, `${note} of round ${round}, seed ${seed}`).toEqual(expected);
              }
              expect(await rowsOf(engine)).toEqual(await rowsOf(reference));
              await reference.close();
            });
          });
        }
      },
    );
  }

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
      expect(await problemsOf(engine)).toEqual([]);
    }));

  test('an order is decided with the stock that a write before it has set', () =>
    withEngines(1, async ([engine]) => {
      await fill(engine as Engine);
      const { call } = shopOn(engine as Engine);
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
    withEngines(1, async ([engine]) => {
      await fill(engine as Engine);
      const { call } = shopOn(engine as Engine);
      const { version = 0 } = await call(updatePet, { petId: 2, body: { name: 'Rex' } });
      const rename = (name: string) => call(updatePet, { petId: 2, body: { name } }, { ifMatch: version });
      const outcomes = await Promise.allSettled(['one', 'two', 'three'].map(rename));
      expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value.name : (one.reason as StoreError).code))).toEqual([
        'one',
        'precondition_failed',
        'precondition_failed',
      ]);
    }));

  test('a dry run beside other writes changes nothing', () =>
    withEngines(1, async ([engine]) => {
      await fill(engine as Engine);
      const { call } = shopOn(engine as Engine);
      const order = (dryRun: boolean) => call(placeOrder, { body: { petId: 6 } }, { dryRun });
      const placed = await Promise.all([order(true), order(false), order(true), order(false)]);
      const stored = await engine?.read((queries) => queries.all<{ readonly id: number }>(sql`SELECT id FROM orders WHERE id > ${pets} ORDER BY id`));
      expect(stored).toEqual([{ id: pets + 1 }, { id: pets + 2 }]);
      expect(placed.map(({ petId }) => petId)).toEqual([6, 6, 6, 6]);
    }));

  test('an undo beside other writes reverses the last change', () =>
    withEngines(1, async ([engine]) => {
      await fill(engine as Engine);
      const { call } = shopOn(engine as Engine);
      await call(adjustInventory, { petId: 3, body: { delta: 5 } });
      await Promise.all([call(undoLast, { body: {} }), shopOn(engine as Engine, 'ben').call(placeOrder, { body: { petId: 4 } })]);
      expect(await engine?.read((queries) => queries.get(sql`SELECT quantity FROM stock WHERE pet_id = 3`))).toEqual({ quantity: 6 });
      expect(await problemsOf(engine as Engine)).toEqual([]);
    }));

  const insertPet = (id: number, name: string) =>
    about(sql`INSERT INTO pets (id, name, folded, category_id) VALUES (${id}, ${name}, ${name}, 1)`, [`pet ${id}`]);

  test('a change that violates a constraint fails alone', () =>
    withEngines(1, async ([engine]) => {
      await fill(engine as Engine);
      const good = shopOn(engine as Engine).call(placeOrder, { body: { petId: 6 } });
      const bad = engine?.write((queries) => queries.run(insertPet(1, 'again')), true, true);
      const further = shopOn(engine as Engine).call(placeOrder, { body: { petId: 5 } });
      await expect(bad).rejects.toThrow(/duplicate key/);
      expect([(await good).id, (await further).id]).toEqual([pets + 1, pets + 2]);
      expect(await problemsOf(engine as Engine)).toEqual([]);
    }));

  test('a write that goes on after its changes is rolled back alone when it fails', () =>
    withEngines(1, async ([engine]) => {
      await fill(engine as Engine);
      const select = about(sql`SELECT name FROM pets WHERE id = 70`, ['pet 70']);
      const bad = engine?.write(
        async (queries) => {
          await queries.run(insertPet(70, 'new'));
          expect(await queries.get(select)).toEqual({ name: 'new' });
          throw new StoreError('pet_on_hold', 'No.');
        },
        true,
        true,
      );
      const good = shopOn(engine as Engine).call(placeOrder, { body: { petId: 6 } });
      await expectRefusal('pet_on_hold', bad as Promise<unknown>);
      expect((await good).id).toBe(pets + 1);
      expect(await engine?.read((queries) => queries.get(select))).toBeUndefined();
    }));

  for (const when of ['before', 'after'] as const) {
    for (const text of ['FOR UPDATE', 'INSERT INTO orders', '; COMMIT']) {
      test(`a connection lost at ${text}, ${when} the server received it: every order is made once`, async () => {
        const { address, drop } = await freshDatabase();
        const proxy = await startProxy(Number(new URL(address).port));
        const url = new URL(address);
        url.port = String(proxy.port);
        const engine = await openShop(url.href, { waitSeconds: 20 });
        await fill(engine);
        proxy.breakAt(text, when);
        const { call } = shopOn(engine);
        const placed = await Promise.all([4, 5, 6].map((petId) => call(placeOrder, { body: { petId } }, { key: `K ${petId}` })));
        expect(placed.map(({ id, petId }) => [id, petId])).toEqual([4, 5, 6].map((petId, index) => [pets + 1 + index, petId]));
        expect(await problemsOf(engine)).toEqual([]);
        await engine.close();
        await proxy.close();
        await drop();
      });
    }
  }

  test('writes wait for the lock no longer than allowed, and run once it is free', () =>
    withEngines(
      2,
      async ([first, second], name) => {
        await fill(first as Engine);
        let release = (): void => undefined;
        const held = new Promise<void>((resolve) => (release = resolve));
        const holding = first?.write(async () => held);
        const isLocked = async () => (await asAdmin(`SELECT 1 FROM pg_stat_activity WHERE datname = '${name}' AND state = 'idle in transaction'`)).length > 0;
        while (!(await isLocked())) await new Promise((resolve) => setTimeout(resolve, 5));
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
