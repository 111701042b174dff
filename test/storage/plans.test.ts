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
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import { listOrders } from '../../src/domain/orders/list-orders.js';

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

const completed = [
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
] as const;

testOnSqlite('completion reads a range of an index, whatever it completes', async ({ engine }) => {
  for (const [noun, text] of completed) {
    const queries: Sql[] = [];
    await observeQueries(engine, (query) => queries.push(query)).read((reading) => lookUp(reading, noun, text));
    for (const query of queries) {
      const plan = await engine.read((reading) => reading.all<{ readonly detail: string }>({ text: `EXPLAIN QUERY PLAN ${query.text}`, values: query.values }));
      for (const { detail } of plan)
        expect(detail, `${noun} ${text}`).toMatch(
          /^SEARCH \w+ USING ((INTEGER )?PRIMARY KEY|INDEX ((categories|pets|tokens)_by_name|orders_by_state|counts_by_state))/,
        );
    }
    expect(queries.length).toBeGreaterThan(0);
  }
});

/** The steps that sort more than the first rows of a few queries (`part`), which are already in order. */
function sortsOf(steps: readonly string[]): readonly string[] {
  return steps.filter((step, index) => {
    if (step.includes('AUTOMATIC')) return true;
    if (!step.includes('TEMP B-TREE')) return false;
    return !/^SCAN (part|candidates|listed)$/.test(
      steps.slice(0, index).findLast((other) => !/^(SEARCH|CORRELATED|COMPOUND|LEFT-MOST|UNION ALL)/.test(other)) ?? '',
    );
  });
}

/** The sort order and the cursor of a page. */
interface PageOf {
  readonly sort: string;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** A list that is sorted by a key in both directions, and the indexes that it may scan instead of the primary key. */
type Listed = readonly [what: string, key: string, walks: RegExp, request: (call: Call, page: PageOf) => Promise<{ readonly next?: string }>];

const byId = /^(SCAN p|SEARCH p USING INTEGER PRIMARY KEY)/;
const withoutUnits = /USING (COVERING )?INDEX stock_unavailable \(<expr>=\?/;
const byCategory = /p USING (COVERING )?INDEX pets_by_category \(category_id=\? AND archived=\?/;
const byState = /o USING INDEX orders_by_state \(/;
const byDate = /o USING (COVERING )?INDEX orders_by_state_and_date/;
const byDays = /o USING (COVERING )?INDEX orders_by_state_and_date \(state=\? AND <expr>>\? AND <expr><\?/;
const byActor = /l USING (COVERING )?INDEX ledger_by_actor \(actor=\? AND kind=\?/;
const [day, days] = [
  { since: '2026-11-20', until: '2026-11-20' },
  { shipDateFrom: '2026-01-01', shipDateTo: '2027-01-01' },
];
const at = '2026-11-20';

const lists: readonly Listed[] = [
  ['pets', 'id', byId, (call, page) => call(listPets, page)],
  ['pets', 'name', /p USING INDEX pets_by_name/, (call, page) => call(listPets, page)],
  ['pets of a category', 'name', /p USING INDEX pets_by_category_and_name \(category_id=\?/, (call, page) => call(listPets, { ...page, categoryId: [1] })],
  ['pets of a category', 'id', /p USING INDEX pets_by_category \(/, (call, page) => call(listPets, { ...page, categoryId: [1] })],
  ['sold pets', 'id', withoutUnits, (call, page) => call(listPets, { ...page, status: ['sold'] })],
  ['pending pets', 'id', withoutUnits, (call, page) => call(listPets, { ...page, status: ['pending'] })],
  ['held pets', 'id', /USING COVERING INDEX pets_on_hold/, (call, page) => call(listPets, { ...page, status: ['pending'] })],
  ['pending and sold pets', 'id', withoutUnits, (call, page) => call(listPets, { ...page, status: ['pending', 'sold'] })],
  ['low pets', 'petId', /USING (COVERING )?INDEX stock_low \(<expr>=\?/, (call, page) => call(listInventory, { ...page, low: true })],
  ['short pets', 'petId', withoutUnits, (call, page) => call(listInventory, { ...page, short: true })],
  ['the inventory of an instant', 'petId', byId, (call, page) => call(listInventory, { ...page, at })],
  ['the inventory of a category at an instant', 'petId', byCategory, (call, page) => call(listInventory, { ...page, at, categoryId: [1] })],
  ['orders', 'id', /^(SCAN o|SEARCH o USING INTEGER PRIMARY KEY)/, (call, page) => call(listOrders, page)],
  ['orders of a pet', 'id', /o USING INDEX orders_by_pet/, (call, page) => call(listOrders, { ...page, limit: 1, petId: [4] })],
  ['complete orders', 'id', byState, (call, page) => call(listOrders, { ...page, complete: true })],
  ['open orders', 'id', byState, (call, page) => call(listOrders, { ...page, complete: false })],
  ['open orders', 'shipDate', /o USING INDEX orders_by_state_and_date \(state=\?/, (call, page) => call(listOrders, { ...page, complete: false })],
  ['orders', 'shipDate', byDate, (call, page) => call(listOrders, page)],
  ['orders of some days', 'shipDate', byDays, (call, page) => call(listOrders, { ...page, ...days })],
  ['the ledger', 'id', /^(SCAN l|SEARCH l USING INTEGER PRIMARY KEY)/, (call, page) => call(listLedger, page)],
  ['the ledger of a pet', 'id', /SEARCH l USING INDEX ledger_by_pet/, (call, page) => call(listLedger, { ...page, limit: 1, petId: [2] })],
  ['the ledger of an order', 'id', /SEARCH l USING INDEX ledger_by_order/, (call, page) => call(listLedger, { ...page, limit: 1, orderId: [3] })],
  ['the ledger of a kind', 'id', /l USING (COVERING )?INDEX ledger_by_kind \(kind=\?/, (call, page) => call(listLedger, { ...page, kind: ['opening'] })],
  ['the ledger of an actor', 'id', byActor, (call, page) => call(listLedger, { ...page, actor: 'ana' })],
  ['the ledger of an actor and kinds', 'id', byActor, (call, page) => call(listLedger, { ...page, actor: 'ana', kind: ['order.placed', 'opening'] })],
  ['the ledger of a day', 'id', /^SEARCH l USING INTEGER PRIMARY KEY/, (call, page) => call(listLedger, { ...page, ...day })],
  ['categories', 'name', /c USING INDEX categories_by_name/, (call, page) => call(listCategories, { ...page, limit: 1 })],
];

testOnSqlite('the first and the next page of each list use an index without sorting', async (testShop) => {
  await stocked(testShop);
  for (const [what, key, walks, request] of lists) {
    for (const sort of [key, `-${key}`]) {
      const list = `${what} by ${sort}`;
      let next: string | undefined;
      const first = await plansOf(testShop, async (call) => ({ next } = await request(call, { sort, cursor: undefined, limit: 2 })));
      expect(next, list).toBeTypeOf('string');
      const second = await plansOf(testShop, (call) => request(call, { sort, cursor: next, limit: 2 }));
      for (const steps of [first, second]) {
        expect(sortsOf(steps), list).toEqual([]);
        expect(
          steps.filter((step) => walks.test(step)),
          list,
        ).not.toEqual([]);
        // Besides the scan, only scans of an index with few rows, which a cursor bounds as well, and of up to 50 imports.
        const scans = steps.filter(
          (step) => step.startsWith('SCAN') && !/^SCAN (candidates|listed|part|s|search|b|CONSTANT ROW)|USING (COVERING )?INDEX/.test(step),
        );
        expect(
          scans.filter((step) => !walks.test(step)),
          list,
        ).toEqual([]);
      }
      expect(
        second.filter((step) => /^SCAN (?!(candidates|listed|part|s|search|CONSTANT ROW)$|b\b)/.test(step)),
        list,
      ).toEqual([]);
    }
  }
});
