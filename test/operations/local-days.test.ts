import { expect, test } from 'vitest';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import { listOrders } from '../../src/domain/orders/list-orders.js';
import { undoEntry } from '../../src/domain/ledger/undo-entry.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { getSummary } from '../../src/domain/reports/get-summary.js';
import { reportDeadStock } from '../../src/domain/reports/report-dead-stock.js';
import { reportMovements } from '../../src/domain/reports/report-movements.js';
import { coveredDays, reportSellThrough } from '../../src/domain/reports/report-sell-through.js';
import { reportStock } from '../../src/domain/reports/report-stock.js';
import { timeZoneNamed, utc } from '../../src/domain/values/time-zone.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { csv } from '../support/files.js';
import { testOnEveryStore } from '../support/stores.js';

const losAngeles = 'America/Los_Angeles';

testOnEveryStore('a day of 25 hours has all its movements, as the ledger has them', async ({ call, category, pet, adjust, clock }) => {
  const koi = await pet({ categoryId: await category('Fish'), name: 'Koi', quantity: 1 });
  // Clocks in Los Angeles are set back on 2027-11-07 at 09:00 UTC: the day is from 07:00 to 08:00 UTC of the next one.
  const start = Date.parse('2027-11-07T07:00:00Z');
  for (let half = -2; half <= 52; half++) {
    clock.set(new Date(start + half * 30 * 60_000).toISOString());
    await adjust(koi, 1);
  }
  const rows = await call(reportMovements, { by: 'day', tz: losAngeles, from: '2027-11-01' });
  expect(rows.map(({ day, opening, received, closing }) => [day, opening, received, closing])).toEqual([
    ['2027-11-06', 1, 2, 3],
    ['2027-11-07', 3, 50, 53],
    ['2027-11-08', 53, 3, 56],
  ]);
  const range = { since: '2027-11-07', until: '2027-11-07', tz: losAngeles };
  const { items } = await call(listLedger, { ...range, limit: 500 });
  expect(items.reduce((sum, { delta = 0 }) => sum + delta, 0)).toBe(50);
  expect(await call(reportMovements, { from: '2027-11-07', to: '2027-11-07', tz: losAngeles })).toMatchObject([{ opening: 3, received: 50, closing: 53 }]);
  expect(await call(reportSellThrough, { from: '2027-11-07', to: '2027-11-07', tz: losAngeles })).toMatchObject([{ received: 50 }, { received: 50 }]);
});

testOnEveryStore('a sale at 22:17 is in the day of its zone', async ({ call, category, pet, adjust, clock }) => {
  const koi = await pet({ categoryId: await category('Fish'), name: 'Koi', quantity: 9 });
  clock.set('2027-03-15T05:17:00.000Z');
  await adjust(koi, -4);
  const daysIn = async (tz?: string) => (await call(reportMovements, { by: 'day', tz, from: '2027-01-01' })).map(({ day }) => day);
  expect(await daysIn(losAngeles)).toEqual(['2027-03-14']);
  expect(await daysIn('Pacific/Apia')).toEqual(['2027-03-15']);
  expect(await daysIn()).toEqual(['2027-03-15']);
  for (const [at, onHand] of [
    ['2027-03-13', 9],
    ['2027-03-14', 5],
  ] as const) {
    expect(await call(reportStock, { at, tz: losAngeles })).toMatchObject([{ onHand }]);
    expect((await call(listInventory, { at, tz: losAngeles })).items).toMatchObject([{ quantity: onHand }]);
  }
  expect(await call(reportStock, { at: '2027-03-14' })).toMatchObject([{ onHand: 9 }]);
});

testOnEveryStore('a range of ship dates takes the days of its zone', async ({ call, category, pet }) => {
  const petId = await pet({ categoryId: await category('Fish'), name: 'Koi', quantity: 9 });
  await call(placeOrder, { body: { petId, quantity: 1, shipDate: '2026-12-02T05:17:00Z' } });
  const found = async (day: string, tz?: string) => (await call(listOrders, { shipDateFrom: day, shipDateTo: day, tz })).items.length;
  expect([await found('2026-12-01', losAngeles), await found('2026-12-02', losAngeles), await found('2026-12-02')]).toEqual([1, 0, 1]);
});

testOnEveryStore('refuses an unknown zone, and a day that a zone left out', async ({ call }) => {
  for (const tz of ['Mars/Olympus', '+01:00', ''])
    await expectRefusal('invalid_parameter', call(reportMovements, { tz }), /^tz: must be an IANA time zone such as America\/Los_Angeles, not ".*"\.$/);
  const from = '2011-12-30';
  await expectRefusal('invalid_parameter', call(reportMovements, { from, tz: 'Pacific/Apia' }), /^from: there was no 2011-12-30 in Pacific\/Apia\.$/);
});

testOnEveryStore('dead stock counts local days, also over a day of 25 hours', async ({ call, category, pet, adjust, clock }) => {
  // Clocks in Los Angeles are set back on 2027-11-07: from 22:17 on the 5th to 22:17 on the 8th are 73 hours.
  clock.set('2027-11-06T05:17:00.000Z');
  const koi = await pet({ categoryId: await category('Fish'), name: 'Koi', quantity: 9 });
  await adjust(koi, -1);
  const idle = async (days: number, tz?: string) => (await call(reportDeadStock, { days, tz })).map(({ idleDays }) => idleDays);
  clock.set('2027-11-09T05:30:00.000Z');
  // In Los Angeles it is 21:30, so two days and 23 hours; in UTC three days have passed.
  expect([await idle(3, losAngeles), await idle(2, losAngeles), await idle(3)]).toEqual([[], [2], [3]]);
  clock.set('2027-11-09T06:17:00.000Z');
  expect([await idle(3, losAngeles), await idle(4, losAngeles)]).toEqual([[3], []]);
});

testOnEveryStore('refuses a reversed range with the days of its zone', async ({ call }) => {
  const range = { from: '2026-11-21T08:00:00Z', to: '2026-11-21T07:59:59.999Z', tz: losAngeles };
  await expectRefusal(
    'validation_failed',
    call(reportMovements, range),
    /^The range starts at 2026-11-21, after its end at 2026-11-20 \(America\/Los_Angeles\)\.$/,
  );
  const times = { since: '2026-11-21T06:17:00Z', until: '2026-11-21T06:16:00Z', tz: losAngeles };
  await expectRefusal('validation_failed', call(listLedger, times), /starts at 2026-11-20 22:17, after its end at 2026-11-20 22:16 \(America/);
});

test('the days of a sell-through are local days, of 23 or 25 hours too', () => {
  const zone = timeZoneNamed(losAngeles) ?? utc;
  const span = { from: '2026-01-01T00:00:00.000Z', to: '2028-01-01T00:00:00.000Z' };
  const days = (from: string, to: string): number => coveredDays({ from, to }, span, zone);
  expect(days('2027-11-06T07:00:00.000Z', '2027-11-08T08:00:00.000Z')).toBe(2);
  expect(days('2027-03-13T08:00:00.000Z', '2027-03-15T07:00:00.000Z')).toBe(2);
  expect(coveredDays({ from: '2027-11-06T07:00:00.000Z', to: '2027-11-08T08:00:00.000Z' }, span, utc)).toBeCloseTo(2 + 1 / 24);
});

testOnEveryStore('the summary has the units sold, received and returned today as the report has them, with those of imports', async (shop) => {
  const { call, category, pet, adjust, ledger } = shop;
  const koi = await pet({ categoryId: await category('Fish'), name: 'Koi', quantity: 9 });
  await adjust(koi, -2);
  await adjust(koi, 4);
  await call(undoEntry, { entryId: (await ledger()).at(-1)?.id ?? 0 });
  const { id } = await call(placeOrder, { body: { petId: koi, quantity: 3, complete: true } });
  await call(updateOrder, { orderId: id, body: { complete: false } });
  const { batch } = await shop.shop.importStock(csv('petId,delta', `${koi},12`), { mode: 'atomic' });
  await call(undoEntry, { entryId: (await ledger()).at(-1)?.id ?? 0 });
  await shop.shop.importStock(csv('petId,delta', `${koi},5`), { mode: 'atomic' });
  expect(batch).toBe(1);
  const [row] = await call(reportMovements, { from: '2020-01-01' });
  const { today } = await call(getSummary, {});
  expect(today).toEqual({ sold: row?.sold, received: row?.received, returned: row?.returned });
});
