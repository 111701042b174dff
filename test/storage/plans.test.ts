import { expect } from 'vitest';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { getOrder } from '../../src/domain/orders/get-order.js';
import { getPetDetails } from '../../src/domain/pets/get-pet-details.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { reportMovements } from '../../src/domain/reports/report-movements.js';
import { reportStock } from '../../src/domain/reports/report-stock.js';
import type { Call } from '../../src/domain/call.js';
import type { Sql } from '../../src/storage/sql.js';
import { lookUp } from '../../src/storage/tables/look-up.js';
import { testOnSqlite } from '../support/stores.js';
import { observeQueries } from '../support/observe-queries.js';
import { plansOf, stocked } from '../support/query-plans.js';

testOnSqlite('the record of a name is found by an index', async (testShop) => {
  await stocked(testShop);
  const requests = [
    { index: 'categories_by_name', request: (call: Call) => call(listCategories, { name: 'dogs', limit: 1 }) },
    { index: 'pets_by_name', request: (call: Call) => call(listPets, { name: 'rex', sort: 'name', limit: 100 }) },
  ];
  for (const { index, request } of requests) {
    const steps = await plansOf(testShop, request);
    expect(steps.filter((step) => step.includes(`USING INDEX ${index} (folded=?`))).toHaveLength(1);
    expect(steps.filter((step) => /^SCAN|TEMP B-TREE|AUTOMATIC/.test(step) && step !== 'SCAN CONSTANT ROW')).toEqual([]);
  }
});

testOnSqlite('one record is found by an index', async (testShop) => {
  await stocked(testShop);
  const views = [
    (call: Call) => call(getPetDetails, { petId: 2 }),
    (call: Call) => call(getInventoryItem, { petId: 2 }),
    (call: Call) => call(getOrder, { orderId: 2 }),
  ];
  for (const view of views) {
    const steps = await plansOf(testShop, view);
    expect(steps.filter((step) => /^SCAN|TEMP B-TREE|AUTOMATIC/.test(step) && step !== 'SCAN CONSTANT ROW')).toEqual([]);
  }
});

const entriesSince = 'SEARCH l USING INTEGER PRIMARY KEY (rowid>?)';

testOnSqlite('stock at a past time reads the entries since then by their ids', async (testShop) => {
  await stocked(testShop);
  const steps = await plansOf(testShop, (call) => call(reportStock, { at: '2026-11-20' }));
  expect(steps).toContain(entriesSince);
  expect(steps.filter((step) => /^SCAN [lqma]\b|AUTOMATIC/.test(step))).toEqual([]);
});

// The stock before a range is that of now without what the entries since have changed.
for (const [by, before] of [
  ['category', entriesSince],
  ['day', 'SEARCH ledger USING INTEGER PRIMARY KEY (rowid>?)'],
] as const) {
  testOnSqlite(`movements by ${by} read the entries of their range and the stock before it by an index`, async (testShop) => {
    await stocked(testShop);
    const steps = await plansOf(testShop, (call) => call(reportMovements, { by, from: '2026-11-20', to: '2026-11-20' }));
    expect(steps).toEqual(expect.arrayContaining([before, 'SEARCH l USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)']));
    expect(steps.filter((step) => /^SCAN (ledger|[lqmau])\b|AUTOMATIC/.test(step))).toEqual([]);
  });
}

for (const [noun, text] of [
  ['pet', '1'],
  ['pet', ''],
  ['pet', 'Re'],
  ['code', '4006'],
  ['order', '1'],
  ['openOrder', ''],
  ['reservedOrder', ''],
  ['completeOrder', '1'],
  ['batch', '1'],
  ['undoableBatch', '1'],
  ['count', '1'],
  ['category', '1'],
  ['category', 'Do'],
  ['token', 't'],
] as const) {
  testOnSqlite(`completing "${text}" of ${noun} reads a range of an index`, async ({ engine }) => {
    const queries: Sql[] = [];
    await observeQueries(engine, (query) => queries.push(query)).read((reading) => lookUp(reading, noun, text));
    for (const query of queries) {
      const plan = await engine.read((reading) => reading.all<{ readonly detail: string }>({ text: `EXPLAIN QUERY PLAN ${query.text}`, values: query.values }));
      for (const { detail } of plan)
        expect(detail).toMatch(/^SEARCH \w+ USING ((INTEGER )?PRIMARY KEY|INDEX ((categories|pets|tokens)_by_name|orders_by_state|counts_by_state))/);
    }
    expect(queries.length).toBeGreaterThan(0);
  });
}
