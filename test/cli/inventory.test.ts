import { expect } from 'vitest';
import { runAll, done, testInShop, lines, refused } from '../support/cli.js';

const table = lines(
  'ID  Name      On hand  Reserved  Available  Status',
  ' 1  Rex             1         0          1  available',
  ' 2  Bella           5         2          3  available',
  ' 3  Whiskers        0         0          0  sold',
  ' 4  Koi            37         0         37  available',
  ' 5  Luna            1         0          0  pending',
);

testInShop('inventory list prints on hand, reserved and available units of every pet', async ({ petstore }) => {
  expect(await petstore('inventory list', { terminal: 80 })).toEqual(done(table));
  expect(await petstore('inventory list')).toEqual(
    done(
      lines(
        '1\tRex\t1\t0\t1\tavailable\t',
        '2\tBella\t5\t2\t3\tavailable\t3',
        '3\tWhiskers\t0\t0\t0\tsold\t',
        '4\tKoi\t37\t0\t37\tavailable\t',
        '5\tLuna\t1\t0\t0\tpending\t',
      ),
    ),
  );
  expect(await petstore('inventory list --status sold --json')).toEqual(
    done(lines('[', '{"petId":3,"name":"Whiskers","quantity":0,"status":"sold","reserved":0,"available":0}', ']')),
  );
});

testInShop('inventory list --low and --short list low and short pets', async ({ petstore }) => {
  expect(await petstore('inventory list --low --format ids')).toEqual(done('2\n'));
  expect(await petstore('inventory list --short')).toEqual(done(''));
  await petstore('inventory set 2 1 --allow-shortage');
  expect(await petstore('inventory list --short')).toEqual(done('2\tBella\t1\t2\t0\tpending\t3\n'));
  expect(await petstore('inventory list --search OI --format ids')).toEqual(done('4\n'));
  expect(await petstore('inventory list --category Cats --category Fish --format ids')).toEqual(done('3\n4\n5\n'));
});

testInShop('inventory view prints one pet in a pipe, and several as a table', async ({ petstore }) => {
  expect(await petstore('inventory view 2 3', { terminal: 120 })).toEqual(
    done(
      lines(
        'ID  Name      On hand  Reserved  Available  Status',
        ' 2  Bella           5         2          3  available',
        ' 3  Whiskers        0         0          0  sold',
      ),
    ),
  );
  expect(await petstore('inventory view 2')).toEqual(done('2\tBella\t5\t2\t3\tavailable\n'));
  const json = await petstore('inventory view 2 --json');
  expect(json).toEqual(done(`${JSON.stringify({ petId: 2, quantity: 5, status: 'available', reserved: 2, available: 3, lowAt: 3 }, null, 2)}\n`));
  expect(await petstore('inventory view 99')).toEqual(refused(3, 'error: Pet 99 was not found.', 'hint: petstore pet list'));
});

testInShop('inventory set prints the figures, and --expect compares first', async ({ petstore, expectUnchanged }) => {
  expect(await petstore('inventory set 4 12', { terminal: 80 })).toEqual(done('✓ Pet 4 (Koi): 37 → 12 on hand.\n'));
  expect(await petstore('inventory set 2 4')).toEqual(done('✓ Pet 2 (Bella): 5 → 4 on hand, 2 reserved, 2 available.\n'));
  expect(await petstore('inventory set 4 13 --expect 12 --json')).toEqual(
    done(`${JSON.stringify({ petId: 4, quantity: 13, status: 'available', reserved: 0, available: 13 }, null, 2)}\n`),
  );
  await expectUnchanged(async () => {
    expect(await petstore('inventory set 4 13')).toEqual(done('✓ Pet 4 (Koi) still has 13 on hand.\n'));
    expect(await petstore('inventory set 4 14 --expect 12')).toEqual(
      refused(
        4,
        'error: Pet 4 has 13 on hand, expected 12. The last movement is ledger entry 20: count by ana on 2026-11-20 at 09:00 UTC.',
        'hint: petstore inventory view 4',
      ),
    );
    expect(await petstore('inventory set 2 1')).toEqual(
      refused(
        4,
        'error: Pet 2 has 2 units reserved for order 1; 1 on hand would not be enough.',
        'hint: Cancel or change an order first, or accept the shortage with --allow-shortage.',
      ),
    );
  });
  expect(await petstore('inventory set 2 1 --allow-shortage')).toEqual(done('✓ Pet 2 (Bella): 4 → 1 on hand, 2 reserved, 0 available.\n'));
});

testInShop('inventory adjust needs a signed number', async ({ petstore, expectUnchanged }) => {
  expect(await petstore('inventory adjust 4 +5')).toEqual(done('✓ Pet 4 (Koi) +5: 37 → 42 on hand.\n'));
  expect(await petstore('inventory adjust 4 -2', { terminal: 80 })).toEqual(done('✓ Pet 4 (Koi) -2: 42 → 40 on hand.\n'));
  expect(await petstore('inventory adjust 4 3')).toEqual(done('✓ Pet 4 (Koi) +3: 40 → 43 on hand.\n'));
  await expectUnchanged(async () => {
    expect(await petstore('inventory adjust 4 -44')).toEqual(
      refused(4, 'error: Only 43 × Koi (pet 4) on hand; cannot remove 44.', 'hint: petstore inventory view 4'),
    );
    expect(await petstore('inventory adjust 4 0')).toEqual(refused(6, 'error: delta: must not be 0.'));
    expect((await petstore('inventory adjust 2 -4')).exitCode).toBe(4);
  });
  expect(await petstore('inventory adjust 2 -4 --allow-shortage')).toEqual(done('✓ Pet 2 (Bella) -4: 5 → 1 on hand, 2 reserved, 0 available.\n'));
});

testInShop('inventory list --exit-status exits with 8 when anything is listed, in every format', async ({ petstore }) => {
  for (const format of ['table', 'tsv', 'csv', 'json', 'ndjson', 'ids', 'count']) {
    const listed = await petstore(`inventory list --low --format ${format}`);
    expect(listed.exitCode).toBe(0);
    expect(await petstore(`inventory list --low --exit-status --format ${format}`)).toEqual({ ...listed, exitCode: 8 });
    const nothing = await petstore(`inventory list --short --format ${format}`);
    expect(await petstore(`inventory list --short --exit-status --format ${format}`)).toEqual({ ...nothing, exitCode: 0 });
  }
  expect((await petstore('inventory list --exit-status -L 1')).exitCode).toBe(8);
});

testInShop('inventory low-at sets the level of a pet or of the store', async ({ petstore }) => {
  expect(await petstore('inventory low-at 4 50', { terminal: 80 })).toEqual(done('✓ Pet 4 (Koi) is low at 50.\n'));
  expect(await petstore('inventory low-at 4 50')).toEqual(done('✓ Pet 4 (Koi) is still low at 50.\n'));
  expect(await petstore('inventory low-at 4 none')).toEqual(done('✓ Pet 4 (Koi) is never low.\n'));
  expect(await petstore('inventory low-at --default 1')).toEqual(done('✓ Pets without their own level are low at 1.\n'));
  expect(await petstore('inventory list --low --format ids')).toEqual(done('1\n2\n3\n5\n'));
  expect(await petstore('inventory low-at --default 1')).toEqual(done('✓ Pets without their own level are still low at 1.\n'));
  expect(await petstore('inventory low-at 2 none')).toEqual(done('✓ Pet 2 (Bella) is low at 1.\n'));
  expect(await petstore('inventory low-at --default 4 --json')).toEqual(done('{\n  "lowAt": 4\n}\n'));
  expect(await petstore('inventory low-at --default none')).toEqual(done('✓ Pets without their own level are never low.\n'));
  expect(await petstore('inventory list --low --format count')).toEqual(done('0\n'));
});

testInShop('inventory low-at needs a pet and a level, or --default and a level', async ({ petstore, expectUnchanged }) => {
  const asked = refused(2, 'error: Give a pet and its level, or the level of the shop with --default.', 'hint: petstore inventory low-at 7 3');
  await expectUnchanged(async () => {
    for (const words of ['', '4', '4 --default 3', '4 5 --default 3']) expect(await petstore(`inventory low-at ${words}`)).toEqual(asked);
    expect(await petstore('inventory low-at 4 some')).toEqual(refused(2, 'error: The level takes a whole number, not "some".'));
    expect(await petstore('inventory low-at 4 -1')).toEqual(refused(6, 'error: lowAt: must not be negative.'));
    expect(await petstore('inventory low-at --default -1')).toEqual(refused(6, 'error: lowAt: must not be negative.'));
    expect(await petstore('inventory low-at 99 5')).toEqual(refused(3, 'error: Pet 99 was not found.', 'hint: petstore pet list'));
  });
});

testInShop('inventory batch list and view print the bulk imports', async (cli) => {
  const { petstore, file, clock } = cli;
  clock.set('2026-11-20T08:55:00Z');
  await runAll(cli, [`inventory import ${file('count.csv', 'petId,quantity\n1,2\n4,37\n')} --note "spring count"`]);
  clock.set('2026-11-20T09:00:00Z');
  await petstore(`inventory import ${file('bad.csv', 'petId,delta\n1,x\n')} --actor bob`);
  clock.set('2026-11-20T09:00:00Z');
  await petstore('inventory import -', { stdin: 'petId,delta\n1,1\n' });
  expect(await petstore('inventory batch list', { terminal: 80 })).toEqual(
    done(
      lines(
        'ID  When         By   State    Rows  Applied  Unchanged  Rejected  File',
        ' 1  today 08:55  ana  applied     2        1          1         0  count.csv',
        ' 2  today 09:00  bob  refused     1        0          0         1  bad.csv',
        ' 3  today 09:00  ana  applied     1        1          0         0',
      ),
    ),
  );
  expect(await petstore('inventory batch list')).toEqual(
    done(
      lines(
        '1\t2026-11-20T08:55:00.000Z\tana\tapplied\t2\t1\t1\t0\tcount.csv',
        '2\t2026-11-20T09:00:00.000Z\tbob\trefused\t1\t0\t0\t1\tbad.csv',
        '3\t2026-11-20T09:00:00.000Z\tana\tapplied\t1\t1\t0\t0\t',
      ),
    ),
  );
  expect(await petstore('inventory batch view 1 --fields kind,mode,note')).toEqual(done('stock\tatomic\tspring count\n'));
  expect(JSON.parse((await petstore('inventory batch view 2 --json')).stdout)).toMatchObject({
    id: 2,
    kind: 'stock',
    state: 'refused',
    errors: [{ line: 2, petId: 1, column: 'delta', value: 'x', code: 'invalid_quantity', message: 'delta "x" is not a whole number.' }],
  });
  expect(JSON.parse((await petstore('inventory batch list --json=id,fileName')).stdout)).toEqual([
    { id: 1, fileName: 'count.csv' },
    { id: 2, fileName: 'bad.csv' },
    { id: 3 },
  ]);
  expect(await petstore('inventory batch view 4')).toEqual(refused(3, 'error: Batch 4 was not found.'));
});
