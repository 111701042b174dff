import { expect } from 'vitest';
import { runAll, done, testInShop, lines, refused } from '../support/cli.js';

const table = lines(
  'ID  Pet        Quantity  Ship date     State',
  ' 1  Bella (2)         2  Dec 24 09:00  open',
  ' 2  Koi (4)           3  today 07:00   complete',
  ' 3                    1                draft',
);
const rows = ['1\t2\tBella\t2\t2026-12-24T09:00:00.000Z\topen', '2\t4\tKoi\t3\t2026-11-20T07:00:00.000Z\tcomplete', '3\t\t\t1\t\tdraft'];

testInShop('order list prints every order that is not cancelled', async ({ petstore }) => {
  expect(await petstore('order list', { terminal: 80 })).toEqual(done(table));
  expect(await petstore('order list')).toEqual(done(lines(...rows)));
});

testInShop('order list filters by pet, state and ship date, with whole days', async (cli) => {
  await runAll(cli, ['order place --pet 1 --ship-date 2026-12-24T23:59:59.999Z']);
  const ids = async (flags: string) => (await cli.petstore(`order list --format ids ${flags}`)).stdout.split('\n').join(' ').trim();
  expect(await ids('--open')).toBe('1 5');
  expect(await ids('--draft')).toBe('3');
  expect(await ids('--complete')).toBe('2');
  expect(await ids('--pet 2')).toBe('1');
  expect(await ids('--pet 2 --pet 4')).toBe('1 2');
  expect(await ids('--from 2026-12-24 --to 2026-12-24')).toBe('1 5');
  expect(await ids('--from 2026-12-24T09:00:00.001Z')).toBe('5');
  expect(await ids('--to 2026-12-23')).toBe('2');
  expect(await ids('--from 2026-12-24T10:00:00+01:00 --to 2026-12-24T10:00:00+01:00')).toBe('1');
  expect(await ids('--sort -shipDate')).toBe('3 5 1 2');
  expect(await cli.petstore('order list --open --complete')).toEqual(refused(2, 'error: --open, --draft, --overdue and --complete exclude each other.'));
});

testInShop('order view prints one order line by line and several as a table', async ({ petstore }) => {
  const first = lines(
    'ID         1',
    'Pet ID     2',
    'Pet        Bella',
    'Quantity   2',
    'Ship date  2026-12-24 09:00 UTC (in 1 month)',
    'Complete   no',
    'State      open',
  );
  expect(await petstore('order view 1', { terminal: 80 })).toEqual(done(first));
  expect(await petstore('order view 3', { terminal: 120 })).toEqual(done(lines('ID        3', 'Quantity  1', 'Complete  no', 'State     draft')));
  expect(await petstore('order view 1 2 3', { terminal: 80 })).toEqual(done(table));
  expect(await petstore('order view 1 2 3')).toEqual(done(lines(...rows)));
  expect(await petstore('order view 3 --json')).toEqual(done('{\n  "id": 3,\n  "quantity": 1,\n  "complete": false\n}\n'));
  expect(await petstore('order view 4')).toEqual(refused(3, 'error: Order 4 was not found.', 'hint: petstore order list'));
});

testInShop('order place prints the new order', async ({ petstore }) => {
  expect(await petstore('order place --pet 4', { terminal: 80 })).toEqual(done('✓ Reserved 1 × Koi: 37 → 36 available (order 5)\n'));
  expect(await petstore('order place --pet 4 --quantity 2 --complete')).toEqual(done('✓ Sold 2 × Koi: 36 → 34 available (order 6)\n'));
  expect(await petstore('order place')).toEqual(done('✓ Saved order 7 as a draft.\n'));
  expect(await petstore('order place --pet 4 --json')).toEqual(done('{\n  "id": 8,\n  "petId": 4,\n  "quantity": 1,\n  "complete": false\n}\n'));
  expect(await petstore('order place --pet 4 --format ids')).toEqual(done('9\n'));
  expect(await petstore('inventory view 4')).toEqual(done('4\tKoi\t35\t3\t32\tavailable\n'));
});

testInShop('a refused order place prints the available units', async ({ petstore, expectUnchanged }) => {
  await expectUnchanged(async () => {
    expect(await petstore('order place --pet 2 --quantity 4')).toEqual(
      refused(4, 'error: Only 3 × Bella available (5 on hand, 2 reserved for order 1); 4 requested.', 'hint: petstore inventory view 2'),
    );
    expect(await petstore('order place --pet 3')).toEqual(refused(4, 'error: Whiskers (pet 3) is out of stock.', 'hint: petstore inventory view 3'));
    expect(await petstore('order place --pet 5')).toEqual(refused(4, 'error: Pet 5 is on hold.', 'hint: petstore pet release 5'));
    expect(await petstore('order place --pet 99')).toEqual(refused(6, 'error: There is no pet 99.', 'hint: petstore pet list'));
    expect(await petstore('order place --pet 9007199254740993')).toEqual(refused(6, 'error: There is no pet 9007199254740993.', 'hint: petstore pet list'));
    expect(await petstore('order place --quantity 0')).toEqual(refused(6, 'error: quantity: must be at least 1.'));
  });
});

testInShop('the help of order edit names no default for the quantity, which is kept unless given', async ({ petstore }) => {
  expect((await petstore('order place --help')).stdout).toContain('the number of units (default: 1)');
  expect((await petstore('order edit --help')).stdout).toMatch(/--quantity <n> +the new number of units, or "none"\n/);
});

testInShop('order edit changes an open order and prints its date', async ({ petstore, expectUnchanged }) => {
  expect(await petstore('order edit 1 --quantity 3', { terminal: 80 })).toEqual(done('✓ Changed order 1: 3 × Bella (pet 2), shipping 2026-12-24 09:00 UTC.\n'));
  expect(await petstore('order edit 1 --ship-date 2026-12-25T10:00:00+02:00')).toEqual(
    done('✓ Changed order 1: 3 × Bella (pet 2), shipping 2026-12-25 08:00 UTC.\n'),
  );
  expect(await petstore('order edit 1 --ship-date none')).toEqual(done('✓ Changed order 1: 3 × Bella (pet 2).\n'));
  expect(await petstore('order edit 3 --pet 1')).toEqual(done('✓ Changed order 3: 1 × Rex (pet 1).\n'));
  expect(await petstore('order edit 3 --pet none --quantity none')).toEqual(done('✓ Changed order 3: no pet yet.\n'));
  expect(JSON.parse((await petstore('order view 3 --json')).stdout)).toEqual({ id: 3, complete: false });
  await expectUnchanged(async () => {
    expect(await petstore('order edit 1 --quantity 3')).toEqual(done('✓ Unchanged: order 1: 3 × Bella (pet 2).\n'));
    expect(await petstore('order edit 2 --quantity 1')).toEqual(
      refused(4, 'error: Order 2 is complete and cannot be changed.', 'hint: petstore order reopen 2'),
    );
    expect((await petstore('order edit 1 --pet 9007199254740993')).exitCode).toBe(6);
  });
});

testInShop('completes, reopens and cancels an order; repeating a verb changes nothing', async ({ petstore, expectUnchanged }) => {
  const twice = async (line: string, answer: string, again: string) => {
    expect(await petstore(line)).toEqual(done(answer));
    expect(await expectUnchanged(() => petstore(line, { terminal: 80 }))).toEqual(done(again));
  };
  await twice('order complete 1', '✓ Sold 2 × Bella, 3 available (order 1)\n', '✓ Unchanged: sold 2 × Bella, 3 available (order 1)\n');
  expect(await petstore('inventory view 2 --fields quantity,reserved')).toEqual(done('3\t0\n'));
  await twice('order reopen 1', '✓ Reopened order 1: 2 × Bella (pet 2) reserved again, 3 available.\n', '✓ Unchanged: order 1: 2 × Bella (pet 2).\n');
  expect(await petstore('inventory view 2 --fields quantity,reserved')).toEqual(done('5\t2\n'));
  expect((await petstore('order cancel 1 --dry-run')).stdout).toBe('Would cancel order 1: 2 × Bella (pet 2), 3 → 5 available. Dry run: nothing was changed.\n');
  await twice('order cancel 1', '✓ Cancelled order 1: 2 × Bella (pet 2), 3 → 5 available.\n', '✓ Unchanged: order 1 is cancelled.\n');
  expect(await petstore('order complete 1')).toEqual(refused(3, 'error: Order 1 was not found.', 'hint: petstore order list'));
});

testInShop('a refused state change of an order prints the reason', async ({ petstore, expectUnchanged }) => {
  await expectUnchanged(async () => {
    expect(await petstore('order complete 3')).toEqual(refused(4, 'error: Order 3 has no pet yet.', 'hint: petstore order edit 3 --help'));
    expect(await petstore('order cancel 2')).toEqual(refused(4, 'error: Order 2 is complete and cannot be cancelled.', 'hint: petstore order reopen 2'));
    expect(await petstore('order cancel 99')).toEqual(refused(3, 'error: Order 99 was not found.', 'hint: petstore order list'));
  });
});

testInShop('order export prints CSV with a header', async ({ petstore }) => {
  const csv = lines('id,petId,pet,quantity,shipDate,state', ...rows.map((row) => row.replaceAll('\t', ',')));
  expect(await petstore('order export')).toEqual(done(csv));
  expect(await petstore('order export --open --format tsv')).toEqual(
    done(lines('id\tpetId\tpet\tquantity\tshipDate\tstate', ...rows.filter((row) => row.endsWith('open')))),
  );
});

testInShop('order list --overdue prints the orders that status counts, with their ship dates', async (cli) => {
  const { petstore, clock } = cli;
  expect(await petstore('order list --overdue')).toEqual(done(''));
  clock.set('2026-12-24T10:00:00Z');
  expect((await petstore('status --fields value', { terminal: 80 })).stdout).toContain('\n1 (petstore order list --overdue)\n');
  expect(await petstore('order list --overdue', { terminal: 40 })).toEqual(
    done(lines('ID  Pet        Quantity  Ship date', ' 1  Bella (2)         2  today 09:00')),
  );
  expect(await petstore('order list --overdue --format ids')).toEqual(done('1\n'));
  expect((await petstore('status --format csv')).stdout).toContain('\noverdue orders,1\n');
});
