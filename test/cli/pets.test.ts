import { expect } from 'vitest';
import { done, testInShop, lines, refused } from '../support/cli.js';

const rows = [
  '1\tRex\tDogs\tavailable\t1',
  '2\tBella\tDogs\tavailable\t5',
  '3\tWhiskers\tCats\tsold\t0',
  '4\tKoi\tFish\tavailable\t37',
  '5\tLuna\tCats\tpending\t1',
];
const table = lines(
  'ID  Name      Category  Status     On hand',
  ' 1  Rex       Dogs      available        1',
  ' 2  Bella     Dogs      available        5',
  ' 3  Whiskers  Cats      sold             0',
  ' 4  Koi       Fish      available       37',
  ' 5  Luna      Cats      pending          1',
);
const details = lines(
  'ID           2',
  'Name         Bella',
  'Category     Dogs',
  'Category ID  1',
  'Status       available',
  'On hand      5',
  'Reserved     2',
  'Available    3',
  'On hold      no',
  'Low at       3',
  'Open orders  1',
  'Version      12',
  'Created      2026-11-13 09:00 UTC (7 days ago)',
  'Updated      2026-11-20 07:00 UTC (2 hours ago)',
);

testInShop('pet list prints an aligned table in a terminal and every row as TSV in a pipe', async ({ petstore }) => {
  expect(await petstore('pet list', { terminal: 80 })).toEqual(done(table));
  expect(await petstore('pet list')).toEqual(done(lines(...rows)));
});

testInShop('pet list filters by status, category and text, and sorts', async ({ petstore }) => {
  const ids = async (flags: string) => (await petstore(`pet list --format ids ${flags}`)).stdout.trim().split('\n').join(' ');
  expect(await ids('--status available')).toBe('1 2 4');
  expect(await ids('--category Cats')).toBe('3 5');
  expect(await ids('--category Cats --category 3')).toBe('3 4 5');
  expect(await ids('--category name:cats --status sold')).toBe('3');
  expect(await ids('--search E')).toBe('1 2 3');
  expect(await ids('--sort -id')).toBe('5 4 3 2 1');
  expect(await ids('--sort name')).toBe('2 4 5 1 3');
  expect(await ids('--sort -name -L 2')).toBe('3 1');
});

testInShop('pet view prints one record line by line, several as a table, and TSV in a pipe', async ({ petstore }) => {
  expect(await petstore('pet view 2', { terminal: 80 })).toEqual(done(details));
  expect(await petstore('pet view 2')).toEqual(done('2\tBella\tDogs\tavailable\t5\n'));
  const two = lines('ID  Name   Category  Status     On hand', ' 2  Bella  Dogs      available        5', ' 4  Koi    Fish      available       37');
  expect(await petstore('pet view 2 4', { terminal: 80 })).toEqual(done(two));
});

testInShop('pet view --json prints the details of one pet or an array of several', async ({ petstore }) => {
  const bella = {
    id: 2,
    name: 'Bella',
    categoryId: 1,
    status: 'available',
    category: { id: 1, name: 'Dogs', description: 'All breeds' },
    inventory: { quantity: 5, reserved: 2, available: 3 },
    codes: [],
    openOrders: 1,
    version: 12,
    createdAt: '2026-11-13T09:00:00.000Z',
    updatedAt: '2026-11-20T07:00:00.000Z',
  };
  const one = await petstore('pet view 2 --json');
  expect(one).toEqual(done(`${JSON.stringify(bella, null, 2)}\n`));
  const several = await petstore('pet view 2 2 --json');
  expect(JSON.parse(several.stdout)).toEqual([bella, bella]);
  expect(await petstore('pet view 2 --format ndjson')).toEqual(done(lines(JSON.stringify(bella))));
  expect(await petstore('pet view 2 2 --format ndjson')).toEqual(done(lines(JSON.stringify(bella), JSON.stringify(bella))));
  expect(await petstore('pet view 2 --format ndjson --fields id,openOrders')).toEqual(done('{"id":2,"openOrders":1}\n'));
});

testInShop('pet create prints the new pet', async ({ petstore }) => {
  expect(await petstore('pet create --name Max --category Dogs', { terminal: 80 })).toEqual(done('✓ Created pet 6 (Max, Dogs): 1 on hand, available.\n'));
  expect(await petstore('pet create --name Mia --category 2 --status sold')).toEqual(done('✓ Created pet 7 (Mia, Cats): 0 on hand, sold.\n'));
  expect(await petstore('pet create --name Max --category Dogs --quantity 3 --json')).toEqual(
    done('{\n  "id": 8,\n  "name": "Max",\n  "categoryId": 1,\n  "status": "available"\n}\n', 'Dogs has Max (pet 6) already.\n'),
  );
  expect(await petstore('pet create --name Max --category Dogs --json quantity,id --quiet')).toEqual(done('{\n  "quantity": 1,\n  "id": 9\n}\n'));
  expect(await petstore('pet view 6 7 8 9 --format tsv --fields id,quantity,status')).toEqual(
    done(lines('6\t1\tavailable', '7\t0\tsold', '8\t3\tavailable', '9\t1\tavailable')),
  );
});

testInShop('pet edit changes the given fields and prints the pet', async ({ petstore, expectUnchanged }) => {
  expect(await petstore('pet edit 1 --name Max', { terminal: 80 })).toEqual(done('✓ Changed pet 1 (Max, Dogs): available.\n'));
  expect(await petstore('pet edit 1 2 --category Cats')).toEqual(
    done(lines('✓ Changed pet 1 (Max, Cats): available.', '✓ Changed pet 2 (Bella, Cats): available.')),
  );
  expect(await petstore('pet edit 1 --status pending')).toEqual(done('✓ Changed pet 1 (Max, Cats): pending.\n'));
  await expectUnchanged(async () => {
    expect(await petstore('pet edit 1 --name Max --status pending')).toEqual(done('✓ Unchanged: pet 1 (Max, Cats): pending.\n'));
    expect(await petstore('pet edit 1')).toEqual(refused(2, 'error: Nothing to change: give --name, --category or --status.'));
    expect(await petstore('pet edit 2 --status sold')).toEqual(
      refused(4, 'error: Pet 2 cannot become sold: 2 of its 5 on hand are reserved for order 1.', 'hint: petstore order list --pet 2 --open'),
    );
  });
});

testInShop('pet hold and release print the pet', async ({ petstore, expectUnchanged }) => {
  expect(await petstore('pet hold 1 4')).toEqual(done(lines('✓ Put pet 1 (Rex) on hold.', '✓ Put pet 4 (Koi) on hold.')));
  await expectUnchanged(async () => expect(await petstore('pet hold 1')).toEqual(done('✓ Unchanged: pet 1 (Rex) is on hold.\n')));
  expect(await petstore('pet release 1', { terminal: 120 })).toEqual(done('✓ Released pet 1 (Rex): available.\n'));
  expect(await petstore('pet release 4 --json')).toEqual(done('{\n  "id": 4,\n  "name": "Koi",\n  "categoryId": 3,\n  "status": "available"\n}\n'));
});

testInShop('pet delete prints the deleted pets', async ({ petstore, expectUnchanged }) => {
  await expectUnchanged(async () => {
    expect(await petstore('pet delete 2 --yes')).toEqual(refused(4, 'error: Pet 2 (Bella) has 1 open order: 1.', 'hint: petstore order cancel 1'));
    expect(await petstore('pet delete 4 --yes')).toEqual(refused(4, 'error: Pet 4 (Koi) still has 37 on hand.', 'hint: petstore inventory set 4 0'));
  });
  expect(await petstore('pet delete 1 --yes', { terminal: 80 })).toEqual(done('✓ Deleted pet 1 (Rex).\n'));
  const gone = await petstore('pet delete 3 5 -y --json');
  expect(JSON.parse(gone.stdout)).toEqual([
    { id: 3, name: 'Whiskers', categoryId: 2, status: 'sold' },
    { id: 5, name: 'Luna', categoryId: 2, status: 'pending' },
  ]);
  expect(await petstore('pet view 1')).toEqual(refused(3, 'error: Pet 1 was not found.', 'hint: petstore pet list'));
  expect(await petstore('pet list --format ids')).toEqual(done('2\n4\n'));
});

testInShop('pet view --skip-missing shows the pets that exist, in their order, and names the others on standard error', async ({ petstore }) => {
  const stdin = '4\n99\nNobody\nRex\ncode:zz\n';
  expect(await petstore('pet view - --skip-missing --fields id,name --format tsv', { stdin })).toEqual({
    exitCode: 0,
    stdout: '4\tKoi\n1\tRex\n',
    stderr: '3 pets not found: 99, Nobody, code:zz.\n',
  });
  expect(await petstore('pet view - --format tsv', { stdin })).toMatchObject({ exitCode: 3, stdout: '' });
  expect(await petstore('pet view 99 98 --skip-missing --json')).toEqual({ exitCode: 0, stdout: '[]\n', stderr: '2 pets not found: 99, 98.\n' });
});
