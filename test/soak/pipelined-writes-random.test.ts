import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CallOptions } from '../../src/domain/call.js';
import { updateCategory } from '../../src/domain/categories/update-category.js';
import { StoreError } from '../../src/domain/errors.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { setLowDefault } from '../../src/domain/inventory/set-low-default.js';
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
import { sql } from '../../src/storage/sql.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { addressOf } from '../support/postgres.js';
import { isFullSize, seed, seededRandom } from '../support/seeded-random.js';
import { inDirectory } from '../support/stores.js';
import { brokenRules } from '../support/invariants.js';
import { fill, pets, shopOn, withEngines } from '../support/postgres-engines.js';

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

type Ask = (shop: Shop, options: CallOptions) => Promise<unknown>;

/** Random changes, by name. Those with few pets conflict often. */
function randomAsk(random: () => number): Ask {
  const upTo = (limit: number): number => 1 + Math.floor(random() * limit);
  const [petId, orderId, units, kind, other] = [upTo(pets + 1), upTo(pets + 4), upTo(4), upTo(22), upTo(2)];
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
    (shop, how) => shop.call(setLowAt, { petId, body: { lowAt: units > 3 ? undefined : units } }, how),
    (shop, how) =>
      shop.callEach(
        updateOrder,
        [orderId, other, 3].map((id) => ({ orderId: id, body: { complete: units > 2 } })),
        how,
      ),
    (shop, how) =>
      shop.callEach(
        placeOrder,
        [petId, other].map((id) => ({ body: { petId: id } })),
        { ...how, key: `several ${units}` },
      ),
    (shop, how) => shop.callEach(deletePet, [{ petId }, { petId: 1 }], how),
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

describe.skipIf(addressOf('') === undefined)('random writes at the same time on PostgreSQL', () => {
  for (const count of [1, 2]) {
    const rounds = isFullSize ? 100 : 1;
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
            expect(await brokenRules({ engine })).toEqual([]);
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
});
