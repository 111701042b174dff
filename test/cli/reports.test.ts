import { expect } from 'vitest';
import { runAll, testWithoutShop, done, testInShop, lines, refused, type CliFixture } from '../support/cli.js';

const csv = (text: string): string => text.replaceAll('\t', ',');

const stock = ['1\tDogs\tavailable\t2\t6\t2\t0\t4', '2\tCats\tpending\t1\t1\t0\t1\t0', '2\tCats\tsold\t1\t0\t0\t0\t0', '3\tFish\tavailable\t1\t37\t0\t0\t37'];

testInShop('report stock counts pets and units by category and status', async ({ petstore }) => {
  const table = lines(
    'Stock by category and status',
    'Category  Status     Pets  On hand  Reserved  On hold  Available',
    'Dogs      available     2        6         2        0          4',
    'Cats      pending       1        1         0        1          0',
    'Cats      sold          1        0         0        0          0',
    'Fish      available     1       37         0        0         37',
    'Total                   5       44         2        1         41',
    '',
    'Category  On hand',
    'Dogs            6  ██████████',
    'Cats            1  ██',
    'Fish           37  ████████████████████████████████████████████████████████████',
  );
  expect(await petstore('report stock', { terminal: 80 })).toEqual(done(table));
  expect(await petstore('report stock')).toEqual(done(lines(...stock)));
  expect(await petstore('reports stock --format csv')).toEqual(
    done(lines('categoryId,category,status,pets,onHand,reserved,held,available', ...stock.map(csv))),
  );
  expect(await petstore('report stock --format ndjson --fields category,status,pets')).toEqual(
    done(
      lines(
        '{"category":"Dogs","status":"available","pets":2}',
        '{"category":"Cats","status":"pending","pets":1}',
        '{"category":"Cats","status":"sold","pets":1}',
        '{"category":"Fish","status":"available","pets":1}',
      ),
    ),
  );
  expect(await petstore('report stock --format count')).toEqual(done('4\n'));
});

testInShop('report dead-stock lists pets without a sale for a number of days, the longest first', async ({ petstore, clock }) => {
  clock.pass(40 * 24 * 60 * 60 * 1000);
  const { stdout, exitCode } = await petstore('report dead-stock --days 30');
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const idle = rows.map((row) => Number(row.at(-1)));
  expect([exitCode, rows.length > 1, idle.every((days) => days >= 30), idle]).toEqual([0, true, true, idle.toSorted((one, other) => other - one)]);
  expect((await petstore('report dead-stock', { terminal: 80 })).stderr).toBe('Nothing found.\n');
  expect((await petstore('report dead-stock --days 30', { terminal: 80 })).stdout).toMatch(
    /^Pets without a sale for 30 days\nID  Pet +Category +On hand  Last sold +Idle days\n/,
  );
  expect(await petstore('report dead-stock --days 0')).toEqual(refused(6, 'error: days: must be at least 1.'));
});

testInShop('report stock --at prints the stock at a past time', async ({ petstore }) => {
  expect(await petstore('report stock --at 2026-11-13', { terminal: 80 })).toEqual(
    done(
      lines(
        'Stock by category',
        'At the end of 2026-11-13, UTC',
        'Category  Pets  On hand',
        'Dogs         2        6',
        'Cats         2        1',
        'Fish         1       40',
        'Total        5       47',
        '',
        'Category  On hand',
        'Dogs            6  █████████',
        'Cats            1  ██',
        'Fish           40  ████████████████████████████████████████████████████████████',
      ),
    ),
  );
  expect(await petstore('report stock --at 2026-11-13T09:00:00+01:00')).toEqual(done(''));
});

/** A count, a delivery entered twice and undone, and a write-off. */
async function move(cli: CliFixture): Promise<void> {
  await runAll(cli, ['inventory set 2 4', 'inventory adjust 4 +10', 'inventory adjust 4 +10', 'inventory undo --entry 20', 'inventory adjust 4 -2']);
}

testInShop('report movements prints totals by category', async (cli) => {
  await move(cli);
  const { petstore } = cli;
  expect(await petstore('report movements --from 2026-11-20T08:00:00Z --to 2026-11-20')).toEqual(
    done(lines('1\tDogs\t6\t0\t0\t0\t0\t-1\t5', '2\tCats\t1\t0\t0\t0\t0\t0\t1', '3\tFish\t37\t10\t0\t0\t2\t0\t45')),
  );
});

testInShop('report movements --by pet, day, week and month, and --top', async ({ petstore }) => {
  expect(await petstore('report movements --by pet --top 2', { terminal: 80 })).toEqual(
    done(
      lines(
        'Movements by pet, the 2 most sold',
        'First entry to now, UTC',
        'Pet      Opening  Received  Sold  Returned  Written off  Counted  Closing',
        'Koi (4)        0        40     3         0            0        0       37',
        'Total          0        47     3         0            0        0       44',
        '',
        'Pet  Sold',
        'Koi     3  ████████████████████████████████████████████████████████████',
      ),
    ),
  );
  const head = 'opening,received,sold,returned,writtenOff,counted,closing';
  expect(await petstore('report movements --by pet --top 1 --format csv')).toEqual(done(lines(`petId,pet,${head}`, '4,Koi,0,40,3,0,0,0,37')));
  expect(await petstore('report movements --by day --to 2026-11-19 --format csv')).toEqual(done(lines(`day,${head}`, '2026-11-13,0,47,0,0,0,0,47')));
  expect(await petstore('report movements --by week --format csv')).toEqual(
    done(lines(`week,${head}`, '2026-W46,0,47,0,0,0,0,47', '2026-W47,47,0,3,0,0,0,44')),
  );
  expect(await petstore('report movements --by month --format csv')).toEqual(done(lines(`month,${head}`, '2026-11,0,47,3,0,0,0,44')));
});

testInShop('report sell-through prints the share sold and the days of stock left', async ({ petstore }) => {
  expect(await petstore('report sell-through --from 2026-11-20')).toEqual(
    done(lines('1\tDogs\t6\t0\t0\t0\t6\t0\t', '2\tCats\t1\t0\t0\t0\t1\t0\t', '3\tFish\t40\t0\t3\t0\t37\t0.075\t12.3')),
  );
  const { stdout } = await petstore('report sell-through --from 2026-11-20 --format ndjson');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('{"opening":47,"received":0,"sold":3,"returned":0,"closing":44,"sellThrough":0.0638,"daysOfStock":14.7}');
});

testInShop('reports refuse invalid ranges and values', async ({ petstore }) => {
  expect(await petstore('report movements --from 2026-11-20 --to 2026-11-13')).toEqual(
    refused(6, 'error: The range starts at 2026-11-20, after its end at 2026-11-13 (UTC).'),
  );
  expect(await petstore('report movements --by owner')).toEqual(refused(2, 'error: --by takes one of category, pet, day, week, month, not "owner".'));
  expect(await petstore('report movements --top 0')).toEqual(refused(6, 'error: top: must be at least 1.'));
  expect(await petstore('report stock --format ids')).toEqual(refused(2, 'error: Reports have no ids.', 'hint: petstore report --help'));
  expect((await petstore('report stock --fields closing')).stderr).toContain('"closing" is not a field of this command');
});

testWithoutShop('reports of an empty shop are empty and succeed', async ({ petstore }) => {
  await petstore('init');
  for (const report of ['stock', 'movements', 'movements --by day', 'sell-through']) {
    expect(await petstore(`report ${report}`, { terminal: 80 })).toEqual(done('', 'Nothing found.\n'));
    expect(await petstore(`report ${report} --json`)).toEqual(done('[]\n'));
  }
});

testInShop('inventory list --at prints the stock at a past time', async ({ petstore }) => {
  const table = lines(
    'ID  Name      On hand  Reserved  Available  Status',
    ' 1  Rex             1         0          1  available',
    ' 2  Bella           5         0          5  available',
    ' 3  Whiskers        0         0          0  sold',
    ' 4  Koi            40         0         40  available',
    ' 5  Luna            1         0          0  pending',
  );
  expect(await petstore('inventory list --at 2026-11-13', { terminal: 80 })).toEqual(done(table));
  expect(await petstore('inventory list --at 2026-11-12')).toEqual(done(''));
  // Levels of the past are not known.
  const withoutLevel = '--fields petId,name,quantity,reserved,available,status';
  const now = await petstore(`inventory list ${withoutLevel}`);
  expect(await petstore(`inventory list --at 2030-01-01 ${withoutLevel}`)).toEqual(now);
  expect(await petstore('inventory list --at 2026-11-13 --low')).toEqual(refused(6, 'error: at, low: cannot be combined; leave one of them out.'));
});

testInShop('in 80 columns no heading or name of a report is cut', async ({ petstore, sql }) => {
  sql("UPDATE categories SET name = 'Reptiles' WHERE id = 2");
  for (const report of ['stock', 'movements', 'sell-through']) {
    const { stdout } = await petstore(`report ${report}`, { terminal: 80 });
    expect(stdout).toContain('Reptiles');
    expect(stdout).not.toContain('…');
  }
});
