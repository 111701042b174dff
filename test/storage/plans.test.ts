import { expect } from 'vitest';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import { getOrder } from '../../src/domain/orders/get-order.js';
import { listOrders } from '../../src/domain/orders/list-orders.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { getPetDetails } from '../../src/domain/pets/get-pet-details.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { reportMovements } from '../../src/domain/reports/report-movements.js';
import { reportStock } from '../../src/domain/reports/report-stock.js';
import type { Call } from '../../src/domain/call.js';
import type { Shop } from '../../src/domain/shop.js';
import { localShop } from '../../src/storage/shop.js';
import { changedPets } from '../../src/storage/sqlite/bulk.js';
import type { Sql } from '../../src/storage/sql.js';
import { lookUp } from '../../src/storage/tables/look-up.js';
import { testOnSqlite } from '../support/stores.js';
import { observeQueries } from '../support/observe-queries.js';
import type { TestShop } from '../support/test-shop.js';

/** The SQLite query plan of each query of a request, one step per line. */
async function plansOf({ engine, clock }: TestShop, request: (call: Call, shop: Shop) => Promise<unknown>): Promise<readonly string[]> {
  const queries: Sql[] = [];
  const shop = localShop(
    observeQueries(engine, (query) => queries.push(query)),
    { actor: 'ana', source: 'cli', clock: clock.now },
    '',
  );
  await request(shop.call, shop);
  const steps: string[] = [];
  for (const { text, values } of queries) {
    // The newest row of a table is the first step of an index scan with LIMIT 1.
    if (text.endsWith('ORDER BY id DESC LIMIT 1')) continue;
    const plan = await engine.read((reading) => reading.all<{ readonly detail: string }>({ text: `EXPLAIN QUERY PLAN ${text}`, values }));
    steps.push(...plan.map(({ detail }) => detail));
  }
  expect(queries.length).toBeGreaterThan(0);
  return steps;
}

/** A few rows of every table. Without statistics SQLite plans the same for a dozen rows as for millions. */
async function stocked({ category, pet, call }: TestShop): Promise<void> {
  const [dogs, cats] = [await category('Dogs'), await category('Cats')];
  for (let index = 0; index < 4; index += 1) {
    await pet({ categoryId: dogs, quantity: 0 });
    const held = await pet({ categoryId: cats, quantity: 5, reserved: 1, hold: true });
    await call(setLowAt, { petId: held, body: { lowAt: 9 } });
    await pet({ categoryId: dogs, quantity: 1, reserved: 3 });
    await call(placeOrder, { body: { petId: await pet({ quantity: 9, categoryId: dogs }), complete: true } });
  }
  await call(placeOrder, { body: { petId: 4 } });
}

/** The steps that sort more than the first rows of a few queries (`part`), which are already in order. */
function sortsOf(steps: readonly string[]): readonly string[] {
  return steps.filter((step, index) => {
    if (step.includes('AUTOMATIC')) return true;
    if (!step.includes('TEMP B-TREE')) return false;
    return !/^SCAN (part|few|listed)$/.test(steps.slice(0, index).findLast((other) => !/^(SEARCH|CORRELATED|COMPOUND|LEFT-MOST|UNION ALL)/.test(other)) ?? '');
  });
}

interface Listed {
  readonly name: string;
  readonly request: (call: Call, cursor?: string) => Promise<{ readonly next?: string }>;
  /** The indexes that it may scan instead of the primary key. */
  readonly walks: RegExp;
}

const byId = /^(SCAN p|SEARCH p USING INTEGER PRIMARY KEY)/;
const withoutUnits = /USING (COVERING )?INDEX stock_unavailable \(<expr>=\?/;
const byState = /o USING INDEX orders_by_state \(/;
const byDate = /o USING (COVERING )?INDEX orders_by_state_and_date/;

const lists: readonly Listed[] = [
  ...[{}, { sort: '-id' }].map((sort): Listed => ({
    name: `pets by ${sort.sort ?? 'id'}`,
    walks: byId,
    request: (call, cursor) => call(listPets, { ...sort, cursor, limit: 2 }),
  })),
  ...['name', '-name'].map((sort): Listed => ({
    name: `pets by ${sort}`,
    walks: /p USING INDEX pets_by_name/,
    request: (call, cursor) => call(listPets, { sort, cursor, limit: 2 }),
  })),
  ...['name', '-name'].flatMap((sort): Listed[] => [
    {
      name: `pets of a category by ${sort}`,
      walks: /p USING INDEX pets_by_category_and_name \(category_id=\?/,
      request: (call, cursor) => call(listPets, { sort, cursor, limit: 2, categoryId: [1] }),
    },
    {
      name: `pets of two categories by ${sort}`,
      walks: /p USING (COVERING )?INDEX pets_by_category_and_name \(category_id=\?/,
      request: (call, cursor) => call(listPets, { sort, cursor, limit: 2, categoryId: [1, 2] }),
    },
  ]),
  ...['id', '-id'].flatMap((sort): Listed[] => [
    { name: `sold pets by ${sort}`, walks: withoutUnits, request: (call, cursor) => call(listPets, { sort, cursor, limit: 2, status: ['sold'] }) },
    { name: `pending pets by ${sort}`, walks: withoutUnits, request: (call, cursor) => call(listPets, { sort, cursor, limit: 2, status: ['pending'] }) },
    {
      name: `held pets by ${sort}`,
      walks: /USING COVERING INDEX pets_on_hold/,
      request: (call, cursor) => call(listPets, { sort, cursor, limit: 2, status: ['pending'] }),
    },
    {
      name: `pending and sold pets by ${sort}`,
      walks: withoutUnits,
      request: (call, cursor) => call(listPets, { sort, cursor, limit: 2, status: ['pending', 'sold'] }),
    },
    {
      name: `pets of a category by ${sort}`,
      walks: /p USING INDEX pets_by_category \(/,
      request: (call, cursor) => call(listPets, { sort, cursor, limit: 2, categoryId: [1] }),
    },
    {
      name: `pets of two categories by ${sort}`,
      walks: /p USING (COVERING )?INDEX pets_by_category \(/,
      request: (call, cursor) => call(listPets, { sort, cursor, limit: 2, categoryId: [1, 2] }),
    },
    {
      name: `orders by ${sort}`,
      walks: /^(SCAN o|SEARCH o USING INTEGER PRIMARY KEY)/,
      request: (call, cursor) => call(listOrders, { sort, cursor, limit: 2 }),
    },
    {
      name: `orders of a pet by ${sort}`,
      walks: /o USING INDEX orders_by_pet/,
      request: (call, cursor) => call(listOrders, { sort, cursor, limit: 1, petId: [4] }),
    },
    {
      name: `complete orders by ${sort}`,
      walks: byState,
      request: (call, cursor) => call(listOrders, { sort, cursor, limit: 2, complete: true }),
    },
    {
      name: `open orders by ${sort}`,
      walks: byState,
      request: (call, cursor) => call(listOrders, { sort, cursor, limit: 2, complete: false }),
    },
    {
      name: `the ledger by ${sort}`,
      walks: /^(SCAN l|SEARCH l USING INTEGER PRIMARY KEY)/,
      request: (call, cursor) => call(listLedger, { sort, cursor, limit: 2 }),
    },
    {
      name: `the ledger of a pet by ${sort}`,
      walks: /SEARCH l USING INDEX ledger_by_pet/,
      request: (call, cursor) => call(listLedger, { sort, cursor, limit: 1, petId: [2] }),
    },
    {
      name: `the ledger of an order by ${sort}`,
      walks: /SEARCH l USING INDEX ledger_by_order/,
      request: (call, cursor) => call(listLedger, { sort, cursor, limit: 1, orderId: [3] }),
    },
    {
      name: `the ledger of a kind by ${sort}`,
      walks: /l USING (COVERING )?INDEX ledger_by_kind \(kind=\?/,
      request: (call, cursor) => call(listLedger, { sort, cursor, limit: 2, kind: ['opening'] }),
    },
    {
      name: `the ledger of an actor by ${sort}`,
      walks: /l USING (COVERING )?INDEX ledger_by_actor \(actor=\? AND kind=\?/,
      request: (call, cursor) => call(listLedger, { sort, cursor, limit: 2, actor: 'ana' }),
    },
    {
      name: `the ledger of an actor and a kind by ${sort}`,
      walks: /l USING (COVERING )?INDEX ledger_by_actor \(actor=\? AND kind=\?/,
      request: (call, cursor) => call(listLedger, { sort, cursor, limit: 2, actor: 'ana', kind: ['order.placed', 'opening'] }),
    },
    {
      name: `the ledger of a day by ${sort}`,
      walks: /^SEARCH l USING INTEGER PRIMARY KEY/,
      request: (call, cursor) => call(listLedger, { sort, cursor, limit: 2, since: '2026-11-20', until: '2026-11-20' }),
    },
  ]),
  ...['petId', '-petId'].flatMap((sort): Listed[] => [
    {
      name: `low pets by ${sort}`,
      walks: /USING (COVERING )?INDEX stock_low \(<expr>=\?/,
      request: (call, cursor) => call(listInventory, { sort, cursor, limit: 2, low: true }),
    },
    {
      name: `the inventory of an instant by ${sort}`,
      walks: byId,
      request: (call, cursor) => call(listInventory, { sort, cursor, limit: 2, at: '2026-11-20' }),
    },
    {
      name: `the inventory of a category at an instant by ${sort}`,
      walks: /p USING (COVERING )?INDEX pets_by_category \(category_id=\? AND archived=\?/,
      request: (call, cursor) => call(listInventory, { sort, cursor, limit: 2, categoryId: [1], at: '2026-11-20' }),
    },
    { name: `short pets by ${sort}`, walks: withoutUnits, request: (call, cursor) => call(listInventory, { sort, cursor, limit: 2, short: true }) },
  ]),
  ...['shipDate', '-shipDate'].flatMap((sort): Listed[] => [
    {
      name: `open orders by ${sort}`,
      walks: /o USING INDEX orders_by_state_and_date \(state=\?/,
      request: (call, cursor) => call(listOrders, { sort, cursor, limit: 2, complete: false }),
    },
    { name: `orders by ${sort}`, walks: byDate, request: (call, cursor) => call(listOrders, { sort, cursor, limit: 2 }) },
    {
      name: `orders of some days by ${sort}`,
      walks: /o USING (COVERING )?INDEX orders_by_state_and_date \(state=\? AND <expr>>\? AND <expr><\?/,
      request: (call, cursor) => call(listOrders, { sort, cursor, limit: 2, shipDateFrom: '2026-01-01', shipDateTo: '2027-01-01' }),
    },
  ]),
  {
    name: 'categories by name',
    walks: /c USING INDEX categories_by_name/,
    request: (call, cursor) => call(listCategories, { cursor, limit: 1, sort: 'name' }),
  },
];

for (const { name, request, walks } of lists) {
  testOnSqlite(`the first and the next page of ${name} use an index without sorting`, async (testShop) => {
    await stocked(testShop);
    let next: string | undefined;
    const first = await plansOf(testShop, async (call) => ({ next } = await request(call)));
    expect(next).toBeTypeOf('string');
    const second = await plansOf(testShop, (call) => request(call, next));
    for (const steps of [first, second]) {
      expect(sortsOf(steps)).toEqual([]);
      expect(steps.filter((step) => walks.test(step))).not.toEqual([]);
      // Besides the scan, only scans of an index with few rows, which a cursor bounds as well, and of up to 50 imports.
      const scans = steps.filter((step) => step.startsWith('SCAN') && !/^SCAN (few|listed|part|s|search|b|CONSTANT ROW)|USING (COVERING )?INDEX/.test(step));
      expect(scans.filter((step) => !walks.test(step))).toEqual([]);
    }
    expect(second.filter((step) => /^SCAN (?!(few|listed|part|s|search|CONSTANT ROW)$|b\b)/.test(step))).toEqual([]);
  });
}

testOnSqlite('the lines of a list read the orders of a pet once, and only for columns that need them', async (testShop) => {
  await stocked(testShop);
  for (const [columns, looks] of [
    [['petId', 'quantity', 'reserved', 'available', 'status'], 1],
    [['petId', 'name'], 0],
  ] as const) {
    const steps = await plansOf(testShop, (_, { snapshot }) =>
      snapshot(async (__, askLines) => {
        for await (const { count } of askLines(listInventory, {}, columns, Infinity) ?? []) expect(count).toBe(16);
      }),
    );
    expect(steps.filter((step) => /\bo USING\b/.test(step))).toHaveLength(looks);
    expect(steps.filter((step) => /TEMP B-TREE|AUTOMATIC/.test(step))).toEqual([]);
  }
});

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

const lastEntries = 'SEARCH m USING INDEX ledger_by_pet (pet_id=? AND id<?)';

testOnSqlite('stock at a past time reads the last entry of each pet by an index', async (testShop) => {
  await stocked(testShop);
  const steps = await plansOf(testShop, (call) => call(reportStock, { at: '2026-11-20' }));
  expect(steps).toContain(lastEntries);
  expect(steps.filter((step) => /^SCAN [lqma]\b|AUTOMATIC/.test(step))).toEqual([]);
});

// The stock before a range is that of the last entry of each pet, or for all pets together what was there before the entries since.
for (const [by, before] of [
  ['category', lastEntries],
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
  ['order', '1'],
  ['openOrder', ''],
  ['reservedOrder', ''],
  ['completeOrder', '1'],
  ['batch', '1'],
  ['undoableBatch', '1'],
  ['category', '1'],
  ['category', 'Do'],
  ['token', 't'],
] as const) {
  testOnSqlite(`completing "${text}" of ${noun} reads a range of an index`, async ({ engine }) => {
    const queries: Sql[] = [];
    await observeQueries(engine, (query) => queries.push(query)).read((reading) => lookUp(reading, noun, text));
    for (const query of queries) {
      const plan = await engine.read((reading) => reading.all<{ readonly detail: string }>({ text: `EXPLAIN QUERY PLAN ${query.text}`, values: query.values }));
      for (const { detail } of plan) expect(detail).toMatch(/^SEARCH \w+ USING (INTEGER PRIMARY KEY|INDEX ((categories|pets|tokens)_by_name|orders_by_state))/);
    }
    expect(queries.length).toBeGreaterThan(0);
  });
}

testOnSqlite('an import that has the lock reads only the ledger entries since it was prepared', async ({ engine }) => {
  const plan = await engine.read((queries) => queries.all<{ readonly detail: string }>({ text: `EXPLAIN QUERY PLAN ${changedPets}`, values: [0] }));
  expect(plan[0]?.detail).toBe('SEARCH ledger USING INTEGER PRIMARY KEY (rowid>?)');
});
