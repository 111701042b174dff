import { expect } from 'vitest';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import { listOrders } from '../../src/domain/orders/list-orders.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import type { Call } from '../../src/domain/call.js';
import { testOnSqlite } from '../support/stores.js';
import { plansOf, stocked } from '../support/query-plans.js';

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
      const scans = steps.filter(
        (step) => step.startsWith('SCAN') && !/^SCAN (candidates|listed|part|s|search|b|CONSTANT ROW)|USING (COVERING )?INDEX/.test(step),
      );
      expect(scans.filter((step) => !walks.test(step))).toEqual([]);
    }
    expect(second.filter((step) => /^SCAN (?!(candidates|listed|part|s|search|CONSTANT ROW)$|b\b)/.test(step))).toEqual([]);
  });
}
