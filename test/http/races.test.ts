import { expect } from 'vitest';
import { ask, testListening, testServed, type Answer, type ServedShop } from '../support/server.js';

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** The number of answers by status. */
function tally(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { status, code } of answers) found[`${status} ${code}`.trim()] = (found[`${status} ${code}`.trim()] ?? 0) + 1;
  return found;
}

testServed('of many changes with the same If-Match version one succeeds', async ({ http, pet, category, order, ledgerSummary }) => {
  await pet({ quantity: 30 });
  await category('Cats');
  await order(1, 1);
  const records: readonly (readonly [url: string, method: string, body: (index: number) => object])[] = [
    ['/pets/1', 'PUT', (index) => ({ name: `Rex ${index}`, categoryId: 1 })],
    ['/pets/1', 'PATCH', (index) => ({ name: `Max ${index}` })],
    ['/store/inventory/1', 'PUT', (index) => ({ quantity: 50 + index })],
    ['/categories/2', 'PUT', (index) => ({ name: `Cats ${index}` })],
    ['/store/orders/1', 'PATCH', (index) => ({ quantity: 2 + index })],
  ];
  for (const [url, method, body] of records) {
    const { headers } = await http('GET', url);
    const before = (await ledgerSummary()).length;
    const answers = await times(16, (index) => http(method, url, { headers: { 'if-match': headers['etag'] ?? '' }, body: body(index) }));
    expect([url, method, tally(answers)]).toEqual([url, method, { '200': 1, '412 precondition_failed': 15 }]);
    expect((await ledgerSummary()).length).toBe(before + 1);
    const winner = answers.find(({ status }) => status === 200);
    const read = await http('GET', url);
    expect([read.json(), read.headers['etag']]).toEqual([winner?.json(), winner?.headers['etag']]);
  }
});

testListening('of twenty concurrent orders for the last unit one succeeds', async ({ address, pet, set, stockSummary }) => {
  await pet({ quantity: 1 });
  for (let round = 0; round < 3; round += 1) {
    const answers = await times(20, () => ask(address, 'POST', '/store/orders', { body: { petId: 1, quantity: 1 } }));
    expect(tally(answers)).toEqual({ '201': 1, '409 insufficient_stock': 19 });
    expect(await stockSummary(1)).toBe(`${round + 1} on hand, ${round + 1} reserved, pending`);
    await set(1, round + 2);
  }
});

testListening('concurrent requests with one key on many connections take effect once', async ({ address, pet, ledgerSummary }) => {
  await pet({ quantity: 5 });
  const before = (await ledgerSummary()).length;
  const sent = { headers: { 'idempotency-key': 'till-7' }, body: { petId: 1, quantity: 2 } };
  const answers = await times(20, () => ask(address, 'POST', '/store/orders', sent));
  const made = answers.filter(({ status }) => status === 201);
  expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  expect(made.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
  for (const { code } of answers.filter(({ status }) => status !== 201)) expect(code).toBe('idempotency_in_progress');
  expect((await ledgerSummary()).slice(before)).toEqual(['order.placed']);
});

testServed('concurrent sales, returns and counts add up', async ({ http, pet, ledgerSummary }) => {
  await pet({ quantity: 40 });
  const before = (await ledgerSummary()).length;
  const answers = await times(60, (index) =>
    index % 3 === 0
      ? http('POST', '/store/inventory/1/adjustments', { body: { delta: 2 } })
      : http('POST', '/store/orders', { body: { petId: 1, quantity: 1, complete: true } }),
  );
  expect(tally(answers)).toEqual({ '200': 20, '201': 40 });
  expect((await http('GET', '/store/inventory/1')).json()).toMatchObject({ quantity: 40 });
  const after = (await ledgerSummary()).slice(before);
  expect([after.filter((one) => one === 'adjust +2').length, after.filter((one) => one === 'sale -1').length]).toEqual([20, 40]);
});

type Row = { readonly id?: number; readonly petId?: number };

/** Pages through a list by its links and runs a change after each page. */
async function walk({ http }: ServedShop, url: string, between: () => Promise<void>): Promise<readonly number[]> {
  const seen: number[] = [];
  for (let next: string | undefined = url; next !== undefined;) {
    const page: Answer = await http('GET', next);
    expect([next, page.status]).toEqual([next, 200]);
    seen.push(...page.json<readonly Row[]>().map(({ id, petId }) => id ?? petId ?? 0));
    next = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1];
    await between();
  }
  return seen;
}

/** Changes that add and remove records before and after the current page. */
const changesDuringWalk: Readonly<Record<string, (served: ServedShop, turn: number) => Promise<void>>> = {
  '/categories': async ({ http }, turn) => {
    await http('POST', '/categories', { body: { name: ['Aaa', 'Zzz', 'Mmm'][turn % 3] } });
    await http('DELETE', `/categories/${2 + 2 * turn}`);
  },
  '/store/orders': async ({ http }, turn) => {
    await http('POST', '/store/orders', { body: { shipDate: `2026-1${turn % 3}-01T00:00:00Z` } });
    await http('DELETE', `/store/orders/${2 + 2 * turn}`);
  },
};

// Pets: test/operations/paging.test.ts.
for (const [name, list, sort] of [
  ['categories', '/categories', 'name'],
  ['categories', '/categories', '-id'],
  ['orders', '/store/orders', 'shipDate'],
  ['orders', '/store/orders', '-id'],
] as const) {
  testServed(`paging through ${name} by ${sort} during changes neither skips nor repeats unchanged records`, async (served) => {
    const { http } = served;
    await served.category();
    for (let index = 1; index <= 24; index += 1) {
      if (list === '/categories') await served.category(`Category ${(index * 7) % 24}`);
      else await http('POST', list, { body: index % 5 === 0 ? {} : { shipDate: `2026-12-${String(1 + ((index * 7) % 24)).padStart(2, '0')}T00:00:00Z` } });
    }
    let turn = 0;
    const seen = await walk(served, `${list}?limit=3&sort=${sort}`, async () => changesDuringWalk[list]?.(served, turn++));
    // Records with even ids may be deleted; new records may appear or not.
    const stood = Array.from({ length: 12 }, (_, index) => 1 + 2 * index);
    expect(seen.filter((id) => stood.includes(id)).toSorted((one, other) => one - other)).toEqual(stood);
    expect(new Set(seen).size).toBe(seen.length);
    expect(turn).toBeGreaterThan(6);
  });
}

testServed('paging through stock, ledger and imports while they grow returns every row once', async (served) => {
  const { http, pet } = served;
  for (let index = 0; index < 9; index += 1) {
    await pet({ quantity: 4 });
    await http('POST', '/store/imports', { headers: { 'content-type': 'text/csv' }, body: `petId,quantity\n1,${index + 10}\n` });
  }
  for (const list of ['/store/inventory', '/store/ledger', '/store/imports']) {
    const before = (await http('GET', `${list}?limit=500`)).json<readonly Row[]>().map(({ id, petId }) => id ?? petId ?? 0);
    let turn = 0;
    const seen = await walk(served, `${list}?limit=4`, async () => {
      turn += 1;
      if (turn > 5) return;
      await pet();
      await http('POST', '/store/imports', { headers: { 'content-type': 'text/csv' }, body: `petId,quantity\n2,${turn + list.length * 10}\n` });
    });
    expect([list, seen.slice(0, before.length), new Set(seen).size]).toEqual([list, before, seen.length]);
    expect(seen.length).toBeGreaterThan(before.length);
  }
});
