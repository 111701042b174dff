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

// Lists of which records are removed meanwhile: test/operations/paging.test.ts.
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
