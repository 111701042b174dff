import { describe, expect, test } from 'vitest';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import { listUndoable } from '../../src/domain/ledger/list-undoable.js';
import { listOrders } from '../../src/domain/orders/list-orders.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import type { Call } from '../../src/domain/call.js';
import type { Engine } from '../../src/storage/engine.js';
import { localShop } from '../../src/storage/shop.js';
import type { Sql } from '../../src/storage/sql.js';
import { observeQueries } from '../support/observe-queries.js';
import { addressOf, freshDatabase, openShop } from '../support/postgres.js';

const raw = (text: string): Sql => ({ text, values: [] });
const series = (length: number): string => `generate_series(1, ${length}) AS g (i)`;

const pets = 8000;

type Request = (call: Call) => Promise<unknown>;

/** Enough pets, orders and entries for PostgreSQL to prefer an index to a sequential scan. */
async function fill(engine: Engine): Promise<void> {
  await engine.write(async ({ run }) => {
    await run(raw(`INSERT INTO categories (id, name, folded) SELECT i, 'Breed ' || i, 'breed ' || i FROM ${series(200)}`));
    await run(raw(`INSERT INTO pets (id, name, folded, category_id) SELECT i, 'Pet ' || i, 'pet ' || i, 1 + i % 200 FROM ${series(pets)}`));
    // Four fifths are sold out.
    await run(raw(`INSERT INTO stock (pet_id, quantity) SELECT i, CASE WHEN i % 5 < 4 THEN 0 ELSE 20 END FROM ${series(pets)}`));
    // The first half is complete; of the second half one in a hundred is larger than the stock.
    await run(
      raw(`INSERT INTO orders (id, pet_id, quantity, ship_date, state) SELECT i, 1 + i * 7 % ${pets}, CASE i % 100 WHEN 0 THEN 60 ELSE 1 END, i * 1000,
        CASE WHEN i <= ${pets / 2} THEN 'complete' ELSE 'open' END FROM ${series(pets)}`),
    );
    await run(
      raw(`INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, at, actor, source)
        SELECT i, 'adjust', 1 + i % ${pets}, 1, 1 + i / ${pets}, i * 1000, CASE i % 50 WHEN 0 THEN 'ana' ELSE 'ben' END, 'cli' FROM ${series(pets * 3)}`),
    );
    await run(raw('ANALYZE'));
  });
}

/** The PostgreSQL query plan of each query of a request, one step per line. */
async function plansOf(engine: Engine, request: Request): Promise<readonly string[]> {
  const queries: Sql[] = [];
  const heard = observeQueries(engine, (query) => queries.push(query));
  await request(localShop(heard, { actor: 'ana', source: 'cli', clock: () => 0 }, '').call);
  const steps: string[] = [];
  for (const { text, values } of queries) {
    const plan = await engine.read((reading) => reading.all<Readonly<Record<string, string>>>({ text: `EXPLAIN ${text}`, values }));
    steps.push(...plan.flatMap((row) => Object.values(row)));
  }
  return steps;
}

const lastEntries = /Index Scan Backward using ledger_by_pet on ledger m\b/;

/** Pages that are found in the order of an index, whatever the size of the shop. */
const pages: readonly { readonly index: string; readonly request: Request }[] = [
  { index: 'pets_by_name', request: (call) => call(listPets, { status: ['sold'], sort: '-name', limit: 50 }) },
  { index: 'pets_by_category_and_name', request: (call) => call(listPets, { status: ['pending'], categoryId: [3], sort: 'name', limit: 50 }) },
  { index: 'pets_by_category', request: (call) => call(listInventory, { categoryId: [3], at: '1970-01-01T08:20:00Z', limit: 50 }) },
  { index: 'stock_low', request: (call) => call(listInventory, { low: true, limit: 50 }) },
  { index: 'stock_unavailable', request: (call) => call(listInventory, { short: true, limit: 50 }) },
  { index: 'orders_by_state', request: (call) => call(listOrders, { complete: true, sort: '-id', limit: 50 }) },
  { index: 'orders_by_state_and_date', request: (call) => call(listOrders, { complete: true, shipDateTo: '1970-01-01T00:00:09Z', sort: '-id', limit: 50 }) },
  { index: 'orders_by_state_and_date', request: (call) => call(listOrders, { complete: false, shipDateTo: '1970-01-01T02:50:00Z', limit: 50 }) },
  { index: 'ledger_by_actor', request: (call) => call(listUndoable, {}) },
];

describe.skipIf(addressOf('') === undefined)('PostgreSQL', () => {
  test('the inventory at a past time and searches of the ledger read entries by an index', async () => {
    const { address, drop } = await freshDatabase();
    try {
      const engine = await openShop(address, { waitSeconds: 30 });
      try {
        await fill(engine);
        const at = '1970-01-01T08:20:00Z';
        const steps = await plansOf(engine, (call: Call) => call(listInventory, { at, limit: 50 }));
        expect(steps.filter((step) => lastEntries.test(step))).not.toEqual([]);
        expect(steps.filter((step) => /Seq Scan on ledger [mkh]\b/.test(step))).toEqual([]);
        const searches = [
          { index: 'ledger_by_kind', request: (call: Call) => call(listLedger, { kind: ['sale'], limit: 50 }) },
          { index: 'ledger_by_actor', request: (call: Call) => call(listLedger, { actor: 'ana', sort: '-id', limit: 50 }) },
        ];
        for (const { index, request } of searches)
          expect((await plansOf(engine, request)).join('\n')).toMatch(new RegExp(`Index (Only )?Scan (Backward )?using ${index}`));
        for (const { index, request } of pages) {
          const pageSteps = await plansOf(engine, request);
          expect(pageSteps.join('\n')).toMatch(new RegExp(`Index (Only )?Scan (Backward )?(using|on) ${index}\\b`));
          expect(pageSteps.filter((step) => /Seq Scan on (pets|stock|orders|ledger)\b/.test(step))).toEqual([]);
        }
      } finally {
        await engine.close();
      }
    } finally {
      await drop();
    }
  });
});
