import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { reportDeadStock } from '../../src/domain/reports/report-dead-stock.js';
import { expectNarrow } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { runHosted } from '../support/program.js';
import { goTo } from './accessibility.js';
import { testListening, type ListeningShop } from '../support/server.js';

const { context } = testBrowser();

/** A zone in which the first movements of the shop are on the evening before. */
const timezoneId = 'America/Los_Angeles';

/** A shop with two categories, in which units moved on three days. */
async function movedStock({ category, pet, adjust, set, call, clock }: ListeningShop): Promise<void> {
  const [fish, birds] = [await category('Fish'), await category('Birds, "large"')];
  clock.set('2026-11-21T03:00:00Z');
  const koi = await pet({ name: 'Koi', quantity: 1400, categoryId: fish, reserved: 4 });
  await pet({ name: '<b>Rex</b>', quantity: 7, categoryId: birds });
  await call(placeOrder, { body: { petId: koi, quantity: 3, complete: true } });
  clock.set('2026-11-22T20:00:00Z');
  await adjust(koi, 12);
  await call(placeOrder, { body: { petId: koi, quantity: 5, complete: true } });
  await adjust(koi, -2);
  await set(koi, 1390);
}

async function reportPage({ address }: ListeningShop, query: string): Promise<Page> {
  const browser = await context(address, { timezoneId });
  await browser.clock.setFixedTime('2026-11-23T12:00:00Z');
  const page = await browser.newPage();
  await page.goto(`${address}/board/reports${query}`);
  await page.getByRole('table').waitFor();
  return page;
}

/** A figure as the page writes it. */
function written(value: unknown, name: string): string {
  if (name === 'sellThrough' && typeof value === 'number') return `${(value * 100).toFixed(1)} %`;
  if (typeof value !== 'number') return typeof value === 'string' ? value : '';
  return `${name === 'counted' && value > 0 ? '+' : ''}${value.toLocaleString('en')}`.replace('-', name === 'counted' ? '−' : '-');
}

/** The rows of the table below the headings, without the first `names` cells, which name the row. */
async function figuresOf(page: Page, names: number): Promise<readonly (readonly string[])[]> {
  const rows = await page.locator('main tbody:not(.total) tr').all();
  return Promise.all(rows.map(async (row) => (await row.locator('> *').allTextContents()).slice(names)));
}

/** The figures of the last row, without empty cells; none for a table without a total. */
async function totalOf(page: Page): Promise<readonly string[]> {
  const cells = await page.locator('main tbody.total td').allTextContents();
  return cells.filter((text) => text !== '').map((text) => text.replace('−', '-').replaceAll(',', ''));
}

/** The same figures in the table of a command. */
function totalIn(table: string): readonly string[] {
  const line = table.split('\n').find((text) => text.startsWith('Total'));
  return (line?.trim().split(/ {2,}/) ?? []).slice(1).map((text) => text.replace('−', '-'));
}

const movementNames = ['opening', 'received', 'sold', 'returned', 'writtenOff', 'counted', 'closing'];
const range = '&from=2026-11-20&to=2026-11-22';

const rangeFlags = '--from 2026-11-20 --to 2026-11-22';

/** For each address: the report of the command line, and the fields of its answer that the table shows after the name of the row. */
const addresses: readonly (readonly [query: string, line: string, fields: readonly string[], isNewestFirst?: true])[] = [
  ['', 'stock', ['status', 'pets', 'onHand', 'reserved', 'held', 'available']],
  [`?report=movements${range}`, `movements ${rangeFlags}`, movementNames],
  [`?report=movements&by=pet${range}`, `movements --by pet ${rangeFlags} --top 50`, movementNames],
  [`?report=movements&by=day${range}`, `movements --by day ${rangeFlags}`, movementNames, true],
  [`?report=movements&by=month${range}`, `movements --by month ${rangeFlags}`, movementNames, true],
  [`?report=sell-through${range}`, `sell-through ${rangeFlags}`, ['opening', 'received', 'sold', 'returned', 'closing', 'sellThrough', 'daysOfStock']],
];

/** The addresses whose file is compared too. */
const filed = new Set(['', `?report=movements&by=pet${range}`, `?report=sell-through${range}`]);

testListening('every figure is that of the command line, and so is the file', async (served) => {
  await movedStock(served);
  const page = await reportPage(served, '');
  for (const [query, line, fields, isNewestFirst] of addresses) {
    await goTo(page, `/reports${query}`);
    // The file has every pet, the page those most sold.
    const run = async (flags: string, words = line): Promise<string> =>
      (await runHosted(served.store, `report ${words} ${flags}`.split(' '), { TZ: timezoneId })).stdout;
    const rows = JSON.parse(await run('--json')) as readonly Readonly<Record<string, unknown>>[];
    expect([query, rows.length > 0]).toEqual([query, true]);
    const expected = rows
      .filter((row) => (query.includes('sell-through') ? row['category'] !== undefined : true))
      .map((row) => fields.map((name) => written(row[name], name)));
    await expect.poll(async () => [query, await figuresOf(page, 1)]).toEqual([query, isNewestFirst ? expected.toReversed() : expected]);
    const total = totalIn(await run('--format table'));
    expect([query, total.length > 0]).toEqual([query, true]);
    await expect.poll(async () => [query, await totalOf(page)]).toEqual([query, total]);
    if (!filed.has(query)) continue;
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()]);
    expect([query, readFileSync(await download.path(), 'utf8')]).toEqual([query, await run('--format csv', line.replace(' --top 50', ''))]);
    expect(download.suggestedFilename()).toMatch(/^(stock|movements|sell-through)[\w-]*\.csv$/);
  }
});

testListening('the bars are as long as the figures', async (served) => {
  await movedStock(served);
  const page = await reportPage(served, `?report=movements&by=day${range}`);
  const widths = async (): Promise<readonly (string | null)[]> => {
    const bars = await page.locator('main tbody:not(.total) rect').all();
    return Promise.all(bars.map((bar) => bar.getAttribute('width')));
  };
  // The browser is in Los Angeles, where the first movements were on 20 November: 5 units were sold on the last day, 3 on the first.
  expect(await widths()).toEqual(['100%', '60%']);
  await page.getByLabel('By', { exact: true }).selectOption('pet');
  await page.getByRole('rowheader', { name: 'Koi' }).waitFor();
  expect(await widths()).toEqual(['100%']);
  expect(new URL(page.url()).searchParams.get('from')).toBe('2026-11-20');
});

testListening('a range is chosen and kept in the address; a wrong one is refused in the words of the shop', async (served) => {
  await movedStock(served);
  const page = await reportPage(served, '?report=movements');
  await page.getByLabel('Time').selectOption('Last 7 days');
  await page.getByText('17 Nov 2026 to now, America/Los_Angeles', { exact: true }).waitFor();
  await page.getByLabel('Time').selectOption('Everything');
  await page.getByText('First entry to now, America/Los_Angeles', { exact: true }).waitFor();
  await goTo(page, '/reports?report=movements&from=2026-11-22&to=2026-11-20');
  await page.getByText('The range starts at 2026-11-22, after its end at 2026-11-20 (America/Los_Angeles).').waitFor();
});

testListening('the pets that nobody buys, and a file in which no spreadsheet runs a name', async (served) => {
  await served.pet({ name: '=1+1', quantity: 3, categoryId: await served.category('<img src=x onerror=alert(1)>') });
  served.clock.set('2026-11-22T20:00:00Z');
  const page = await reportPage(served, '?report=dead-stock&days=1');
  const [dead] = await served.shop.call(reportDeadStock, { days: 1, tz: timezoneId });
  expect(await figuresOf(page, 0)).toEqual([['=1+1', '<img src=x onerror=alert(1)>', '3', 'never', String(dead?.idleDays)]]);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()]);
  expect(readFileSync(await download.path(), 'utf8').split('\n')[1]).toMatch(/^1,'=1\+1,<img/);
  await expectNarrow(page);
  await page.getByLabel('Days without a sale').selectOption('365 days');
  await page.getByText('Every pet on hand was sold or added within 365 days.').waitFor();
});
