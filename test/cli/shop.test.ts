import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { runAll, testWithoutShop, done, testInShop, lines, refused } from '../support/cli.js';
import { createRawStore, rawRows } from '../support/raw-store.js';
import { withMigration } from '../support/second-migration.js';

const narrowLog = lines(
  'ID  When          By   Kind          Pet           Change  On hand  Note',
  '13  today 07:00   ana  order.placed  Koi (4)',
  '14  today 07:00   ana  sale          Koi (4)           -3       37',
  '15  today 07:00   ana  order.placed',
  '16  today 07:00   ana  order.placed  Rex (1)                        by phone',
  '17  today 07:00   ana  order.cance…  Rex (1)                        changed his…',
);
const pipedLog = lines(
  '13\t2026-11-20T07:00:00.000Z\tana\torder.placed\t4\t2\t\t\t',
  '14\t2026-11-20T07:00:00.000Z\tana\tsale\t4\t2\t-3\t37\t',
  '15\t2026-11-20T07:00:00.000Z\tana\torder.placed\t\t3\t\t\t',
  '16\t2026-11-20T07:00:00.000Z\tana\torder.placed\t1\t4\t\t\tby phone',
  '17\t2026-11-20T07:00:00.000Z\tana\torder.cancelled\t1\t4\t\t\tchanged his mind',
);

/** The log of today only. */
function recent(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.includes('Nov 13') && !line.includes('2026-11-13') && !/^1[12]\b/.test(line))
    .join('\n');
}

testInShop('log prints the ledger, oldest entry first', async ({ petstore }) => {
  const narrow = await petstore('log', { terminal: 80 });
  expect([recent(narrow.stdout), narrow.stderr]).toEqual([narrowLog, 'Not shown: Category, Order; use a wider terminal or --fields.\n']);
  expect(recent((await petstore('log')).stdout)).toBe(pipedLog);
  expect(await petstore('log --order 2 --kind sale --json')).toEqual(
    done(
      lines(
        '[',
        '{"id":14,"at":"2026-11-20T07:00:00.000Z","actor":"ana","source":"cli","kind":"sale","petId":4,"petName":"Koi","orderId":2,"delta":-3,"quantityAfter":37}',
        ']',
      ),
    ),
  );
});

testInShop('log prints the sign of a change in a terminal', async (cli) => {
  await runAll(cli, ['inventory adjust 4 +5', 'inventory adjust 4 -2']);
  const { stdout } = await cli.petstore('log --kind adjust --fields id,delta', { terminal: 80 });
  expect(stdout).toBe(lines('ID  Change', '18      +5', '19      -2'));
  expect(await cli.petstore('log --kind adjust --fields id,delta')).toEqual(done('18\t5\n19\t-2\n'));
});

testInShop('log filters by record, kind, actor and time', async (cli) => {
  await runAll(cli, ['pet hold 1 --actor bob']);
  const count = async (flags: string) => Number((await cli.petstore(`log --format count ${flags}`)).stdout);
  expect(await count('')).toBe(18);
  expect(await count('--pet 1')).toBe(4);
  expect(await count('--order 4')).toBe(2);
  expect(await count('--actor bob')).toBe(1);
  expect(await count('--kind opening')).toBe(5);
  expect(await count('--since 2026-11-20')).toBe(8);
  expect(await count('--since 2026-11-20T08:00:00Z')).toBe(1);
  expect(await count('--until 2026-11-13')).toBe(10);
  expect(await count('--since 2026-11-14 --until 2026-11-19')).toBe(0);
});

testInShop('status prints the figures of the shop', async ({ petstore, store }) => {
  const figures = [
    ['store', store],
    ['categories', '3'],
    ['pets', '3 available, 1 pending, 1 sold'],
    ['orders', '1 open, 1 draft, 1 complete'],
    ['units', '44 on hand, 2 reserved, 1 on hold, 41 available'],
    ['low stock', '1'],
    ['short stock', '0'],
    ['overdue orders', '0'],
  ];
  expect(await petstore('status')).toEqual(done(lines(...figures.map((figure) => figure.join('\t')))));
  expect(JSON.parse((await petstore('status --json')).stdout)).toEqual({
    store,
    categories: 3,
    pets: { available: 3, pending: 1, sold: 1 },
    orders: { draft: 1, open: 1, complete: 1 },
    units: { onHand: 44, reserved: 2, held: 1, available: 41 },
    low: 1,
    short: 0,
    due: 0,
    overdue: 0,
    today: { sold: expect.any(Number), received: expect.any(Number), returned: expect.any(Number) },
    lowPets: [expect.objectContaining({ petId: expect.any(Number), available: expect.any(Number) })],
    unhealthyHooks: [],
    newestEntry: 17,
    lastBatches: [],
  });
});

testInShop('status prints the last imports', async (cli) => {
  await runAll(cli, [`inventory import ${cli.file('a.csv', 'petId,quantity\n4,12\n')}`]);
  cli.clock.pass(3 * 60_000);
  expect((await cli.petstore('status', { terminal: 80 })).stdout.split('\n').at(-2)).toBe('batch 1         applied, 1 row, by ana, today 09:00');
  expect((await cli.petstore('status')).stdout.split('\n').at(-2)).toBe('batch 1\tapplied, 1 row, by ana 2026-11-20T09:00:00.000Z');
});

testWithoutShop('init creates an empty shop once', async ({ petstore, store, expectUnchanged }) => {
  expect(await petstore('init', { terminal: 80 })).toEqual(done(`✓ Created an empty shop at ${store}.\n`, 'Next: petstore category create --name Dogs\n'));
  expect(statSync(store).mode & 0o777).toBe(0o600);
  expect(await petstore('pet list')).toEqual(done(''));
  expect(await expectUnchanged(() => petstore('init'))).toEqual(done(`· A shop exists already at ${store}; nothing was changed.\n`));
});

testWithoutShop('init --json prints whether a shop was created', async ({ petstore, store }) => {
  const answer = (created: boolean, filled: boolean) => done(`${JSON.stringify({ store, created, filled })}\n`);
  expect(await petstore('init --json')).toEqual(answer(true, false));
  expect(await petstore('init --json')).toEqual(answer(false, false));
  expect(await petstore('init --json --sample')).toEqual(answer(false, true));
  expect(await petstore('init --json --sample')).toEqual(answer(false, false));
});

testWithoutShop('init --sample fills a shop with sample data', async ({ petstore, store, expectUnchanged }) => {
  expect(await petstore('init --sample')).toEqual(done(`✓ Created a sample shop at ${store}.\n`, 'Next: petstore pet list\n'));
  expect(Number((await petstore('pet list --format count')).stdout)).toBeGreaterThan(0);
  expect(await expectUnchanged(() => petstore('init --sample'))).toEqual(done(`· A shop exists already at ${store}; nothing was changed.\n`));
});

testInShop('init does not change an existing shop', async (cli) => {
  const { petstore, path } = cli;
  await runAll(cli, [`backup ${path('b.db')}`]);
  createRawStore(path('old.db'), rawRows);
  for (const name of ['b.db', 'old.db']) {
    const before = readFileSync(path(name));
    for (const more of ['', ' --sample']) {
      const ran = await withMigration(() => petstore(`init --store ${path(name)}${more}`));
      expect(ran).toEqual(done(`· A shop exists already at ${path(name)}; nothing was changed.\n`));
      expect([name, readFileSync(path(name)).equals(before)]).toEqual([name, true]);
    }
  }
  expect((await petstore(`restore ${path('b.db')} --yes`)).exitCode).toBe(0);
});

testWithoutShop('init creates a shop in an empty file and makes it readable only by its owner', async ({ petstore, store }) => {
  writeFileSync(store, '');
  chmodSync(store, 0o644);
  expect((await petstore('pet list')).exitCode).toBe(7);
  expect(await petstore('init', { terminal: 80 })).toEqual(done(`✓ Created an empty shop at ${store}.\n`, 'Next: petstore category create --name Dogs\n'));
  expect(statSync(store).mode & 0o777).toBe(0o600);
});

testWithoutShop('only init creates a shop', async ({ petstore, store }) => {
  const missing = refused(7, `error: There is no shop at ${store}.`, 'hint: petstore init');
  expect(await petstore('pet list')).toEqual(missing);
  expect(await petstore('status', { terminal: 80 })).toEqual(missing);
  expect(await petstore('category create --name Dogs')).toEqual(missing);
  // Without the flag init would use the default store.
  expect(await petstore(['--store', '/nowhere/the shop.db', 'status'])).toEqual(
    refused(7, 'error: There is no shop at /nowhere/the shop.db.', 'hint: petstore init --store "/nowhere/the shop.db"'),
  );
  expect(existsSync(store)).toBe(false);
});

testWithoutShop('a name that no shop can have is refused before a shop is created', async ({ petstore, store }) => {
  expect((await petstore(['init', '--name', 'a\tb'])).exitCode).toBe(6);
  expect(existsSync(store)).toBe(false);
  expect((await petstore('init --name Fins')).exitCode).toBe(0);
  expect(await petstore('init --name Paws')).toEqual(done(`· A shop exists already at ${store}; nothing was changed.\n`, 'To name it: petstore rename Paws\n'));
});

testWithoutShop('a shop has a name, which undo takes back', async ({ petstore }) => {
  expect((await petstore('init --name "Paws & Fins"')).exitCode).toBe(0);
  expect((await petstore('status')).stdout).toMatch(/^shop\tPaws & Fins\nstore\t/);
  expect(await petstore('rename Whiskers')).toEqual(done('✓ The shop is called Whiskers.\n'));
  expect(await petstore('rename Whiskers')).toEqual(done('✓ The shop is still called Whiskers.\n'));
  expect((await petstore('undo --yes')).stdout).toBe('✓ Undid the name of the shop (back to "Paws & Fins").\n');
  expect(await petstore(['rename', ''])).toEqual(done('✓ The shop has no name.\n'));
  expect((await petstore('status')).stdout).toMatch(/^store\t/);
});

testInShop('status has commas between thousands for people, and plain numbers for scripts', async ({ petstore }) => {
  expect((await petstore('inventory set 4 12345 --yes')).exitCode).toBe(0);
  expect((await petstore('status', { terminal: 80 })).stdout).toMatch(/^units +12,\d{3} on hand, \d+ reserved, 1 on hold, 12,\d{3} available$/m);
  expect((await petstore('status')).stdout).toMatch(/^units\t12\d{3} on hand, /m);
});
