import { expect } from 'vitest';
import type { ImportReport, RowResult } from '../../src/domain/imports/import-report.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { getPet } from '../../src/domain/pets/get-pet.js';
import { stalePolicies, type StockChange } from '../../src/domain/imports/stock-change.js';
import type { StockImportOptions, StockPreview } from '../../src/domain/imports/import-inventory.js';
import { testOnEveryStore } from '../support/stores.js';
import { atomic, counts, csv, faults, file, keepGoing } from '../support/files.js';
import { brokenInvariants } from '../support/invariants.js';
import { entrySummary, type TestShop } from '../support/test-shop.js';
import { onHand, sell, createThreePets } from '../support/stock.js';

const nothingApplied = '0 applied, 0 unchanged';

/** An exported file with its quantities replaced by counted ones. */
async function edited({ call }: TestShop, counted: Readonly<Record<number, number>>): Promise<string> {
  const { items } = await call(listInventory, {});
  const lines = items.map((row) => {
    const { petId, name, category, status, reserved, quantity } = row;
    return [petId, name, category, status, reserved, quantity, counted[petId] ?? quantity].join(',');
  });
  return `petId,name,category,status,reserved,expected,quantity\n${lines.join('\n')}\n`;
}

/** Imports the same file with each onStale policy, each time after undoing the import before. */
const answers: Readonly<Record<(typeof stalePolicies)[number], readonly number[]>> = {
  // Pet 1 had 10 units when exported; 7 were counted, and 2 were sold before the import.
  fail: [8, 12, 10],
  'keep-count': [7, 12, 10],
  'keep-difference': [5, 12, 10],
};

for (const onStale of stalePolicies) {
  testOnEveryStore(`imports a quantity that a later sale made stale, with onStale ${onStale}`, async (shop) => {
    await createThreePets(shop);
    const text = await edited(shop, { 1: 7, 2: 12 });
    await sell(shop, 1, 2);
    if (onStale === 'fail') {
      const all = await shop.shop.importStock(file(text), { ...atomic, onStale });
      expect([faults(all), await onHand(shop)]).toEqual([['2 stock_changed'], [8, 10, 10]]);
    }
    const report = await shop.shop.importStock(file(text), { ...keepGoing, onStale });
    const refused = onStale === 'fail' ? ['2 stock_changed'] : [];
    expect(faults(report)).toEqual(refused);
    expect(counts(report)).toBe(`3 total, ${2 - refused.length} applied, 1 unchanged, ${refused.length} rejected, 0 already applied`);
    expect(await onHand(shop)).toEqual(answers[onStale]);
    expect(await brokenInvariants(shop)).toEqual([]);
  });
}

testOnEveryStore('a count that is sent twice is recognised as the same file, although its expected quantity is stale', async (shop) => {
  await createThreePets(shop);
  const text = await edited(shop, { 1: 7, 2: 12 });
  await shop.shop.importStock(file(text), atomic);
  const again = await shop.shop.importStock(file(text), atomic);
  expect(counts(again)).toBe('3 total, 0 applied, 0 unchanged, 0 rejected, 3 already applied');
  expect(await onHand(shop)).toEqual([7, 12, 10]);
});

testOnEveryStore('the expected quantity of a delta includes the deltas of earlier rows', async (shop) => {
  await createThreePets(shop);
  const report = await shop.shop.importStock(csv('petId,expected,delta', '1,10,5', '1,15,-1', '1,15,-1'), keepGoing);
  expect(faults(report)).toEqual(['4 stock_changed']);
  expect(await onHand(shop)).toEqual([14, 10, 10]);
});

testOnEveryStore('an import writes one row for each crossing of a low level', async (shop) => {
  await createThreePets(shop);
  for (const petId of [1, 2]) await shop.call(setLowAt, { petId, body: { lowAt: 4 } });
  await shop.shop.importStock(csv('petId,delta', '1,-6', '2,-5', '2,-1', '3,-10'), atomic);
  expect((await shop.ledger({ batchId: 1 })).map((row) => `${row.petId} ${entrySummary(row)} of line ${row.line}`)).toEqual([
    '1 adjust -6 of line 2',
    '1 inventory.low of line 2',
    '2 adjust -5 of line 3',
    '2 adjust -1 of line 4',
    '2 inventory.low of line 4',
    '3 adjust -10 of line 5',
  ]);
  await shop.shop.importStock(csv('petId,quantity', '1,5', '2,3'), atomic);
  expect((await shop.ledger({ batchId: 2 })).map((row) => `${row.petId} ${entrySummary(row)}`)).toEqual(['1 count +1', '1 inventory.restocked', '2 count -1']);
});

/** The reported result of every row. */
async function rowResults(
  shop: TestShop,
  lines: readonly string[],
  options: StockImportOptions,
): Promise<{ readonly report: ImportReport; readonly rows: readonly string[] }> {
  const rows: string[] = [];
  const onRow = ({ line, petId, outcome, error }: RowResult): void => void rows.push([line, petId ?? '-', outcome, error?.code ?? ''].join(' ').trimEnd());
  return { report: await shop.shop.importStock(csv(...lines), { ...options, onRow }), rows };
}

testOnEveryStore('reports the result of every row in the order of the file', async (shop) => {
  await createThreePets(shop);
  const lines = ['petId,delta', '3,5', '77,1', '2,x', 'no,1', '1,-11', '1,-1'];
  const { rows } = await rowResults(shop, lines, keepGoing);
  const refused = ['3 77 rejected unknown_pet', '4 2 rejected invalid_quantity', '5 - rejected invalid_pet_id', '6 1 rejected out_of_stock'];
  expect(rows).toEqual(['2 3 applied', ...refused, '7 1 applied']);
  await shop.set(1, 20);
  const retry = await rowResults(shop, lines, keepGoing);
  expect(retry.rows).toEqual(['2 3 already_applied', ...refused.slice(0, 3), '6 1 applied', '7 1 already_applied']);
  const recount = await rowResults(shop, ['petId,quantity', '1,9', '2,3'], atomic);
  expect(recount.rows).toEqual(['2 1 unchanged', '3 2 applied']);
  const all = await rowResults(shop, ['petId,quantity', '1,4', '2,x'], atomic);
  expect(all.rows).toEqual(['3 2 rejected invalid_quantity']);
});

testOnEveryStore('reports changes and rows in the order of the file, with names and quantities before and after', async (shop) => {
  await createThreePets(shop);
  const names = await Promise.all([1, 2, 3].map(async (petId) => (await shop.call(getPet, { petId })).name));
  const lines = ['petId,delta', '3,5', '77,1', '1,-3', '3,-2', '1,-11'];
  const listed = async (options: StockImportOptions) => {
    const [changes, rows]: [StockChange[], unknown[]] = [[], []];
    const onChanges = (some: readonly StockChange[]): void => void changes.push(...some);
    await shop.shop.importStock(csv(...lines), { ...options, onChanges, onRow: ({ line, before, after }) => void rows.push([line, before, after]) });
    return { changes, rows };
  };
  const changes = [
    { petId: 3, name: names[2], before: 10, after: 15 },
    { petId: 1, name: names[0], before: 10, after: 7 },
    { petId: 3, name: names[2], before: 15, after: 13 },
  ];
  const rows = [
    [2, 10, 15],
    [3, undefined, undefined],
    [4, 10, 7],
    [5, 15, 13],
    [6, undefined, undefined],
  ];
  await shop.expectUnchanged(async () => {
    expect(await listed({ ...keepGoing, dryRun: true })).toEqual({ changes, rows });
    expect(await listed({ ...atomic, dryRun: true })).toEqual({ changes: [], rows: rows.filter(([, before]) => before === undefined) });
  });
  expect(await listed(keepGoing)).toEqual({ changes, rows });
  await shop.set(1, 20);
  // The second run reports only the rows that the first one refused.
  expect((await listed(keepGoing)).changes).toEqual([{ petId: 1, name: names[0], before: 20, after: 9 }]);
});

testOnEveryStore('a preview lists at most a hundred changes, one for each row', async (shop) => {
  const ids: number[] = [];
  for (let index = 0; index < 25; index += 1) ids.push(await shop.pet({ name: `Pet ${index}`, quantity: 2 }));
  const seen: StockPreview[] = [];
  const onPreview = (preview: StockPreview): void => void seen.push(preview);
  await shop.expectUnchanged(() =>
    shop.shop.importStock(csv('petId,quantity', ...ids.toReversed().map((id) => `${id},${id % 2 === 0 ? 0 : 2}`)), { ...atomic, dryRun: true, onPreview }),
  );
  expect(seen).toMatchObject([{ total: 12, toZero: 12 }]);
  expect(seen[0]?.changes).toEqual(ids.filter((id) => id % 2 === 0).map((petId) => ({ petId, name: `Pet ${petId - 1}`, before: 2, after: 0 })));
  await shop.shop.importStock(csv('petId,delta', ...ids.flatMap((id) => [`${id},3`, `${id},-1`, `${id},-1`, `${id},-1`, `${id},2`])), { ...atomic, onPreview });
  expect([seen[1]?.total, seen[1]?.toZero, seen[1]?.changes.length]).toEqual([125, 0, 100]);
});

testOnEveryStore('maxErrors counts rows refused by the file and by the shop together', async (shop) => {
  await createThreePets(shop);
  const lines = ['petId,delta', '1,x', '2,-11', '3,5', '77,1'];
  const send = (maxErrors: number) => shop.shop.importStock(csv(...lines), { ...keepGoing, maxErrors });
  for (const maxErrors of [0, 2]) expect(counts(await send(maxErrors))).toBe(`4 total, ${nothingApplied}, 3 rejected, 0 already applied`);
  expect(await onHand(shop)).toEqual([10, 10, 10]);
  expect(counts(await send(3))).toBe('4 total, 1 applied, 0 unchanged, 3 rejected, 0 already applied');
  expect(await onHand(shop)).toEqual([10, 10, 15]);
});

testOnEveryStore('applies thousands of rows of one pet in order', async (shop) => {
  await createThreePets(shop);
  const many = 2500;
  const changed = await shop.shop.importStock(
    file(`petId,delta,note\n${Array.from({ length: many }, (_, index) => `1,1,van ${index}\n`).join('')}`, {}, 1 << 16),
    atomic,
  );
  expect(counts(changed)).toMatch(/^2500 total, 2500 applied/);
  expect((await onHand(shop))[0]).toBe(10 + many);
  const [last] = await shop.rows<{ readonly note: string; readonly after: number }>({
    text: 'SELECT note, quantity_after AS "after" FROM ledger WHERE pet_id = 1 ORDER BY id DESC LIMIT 1',
    values: [],
  });
  expect(last).toEqual({ note: `van ${many - 1}`, after: 10 + many });
  const counted = await shop.shop.importStock(file(`petId,quantity\n${'1,7\n'.repeat(many)}2,x\n`, {}, 1 << 16), keepGoing);
  expect([counted.rejected, counted.notInFile]).toEqual([many + 1, 1]);
  expect(counted.errors.slice(0, 3).map(({ line, message }) => [line, message])).toEqual([
    [2, 'Pet 1 is also on line 3.'],
    [3, 'Pet 1 is also on line 2.'],
    [4, 'Pet 1 is also on line 2.'],
  ]);
});
