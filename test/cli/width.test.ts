import { expect } from 'vitest';
import { done, testInShop, lines, type CliFixture } from '../support/cli.js';

// Every kind of text: test/formats/text-width.test.ts.
testInShop('columns stay aligned after wide characters, and a name is cut before half of one', async ({ petstore, sql }) => {
  sql('UPDATE pets SET name = ? WHERE id = 1', '日本語の犬と猫');
  sql('UPDATE pets SET name = ? WHERE id = 2', 'Bartholomew the Third');
  const shown = async (terminal: number): Promise<string> => (await petstore('pet list --category Dogs --fields id,name,quantity', { terminal })).stdout;
  expect(await shown(80)).toBe(lines('ID  Name                   On hand', ' 1  日本語の犬と猫               1', ' 2  Bartholomew the Third        5'));
  expect(await shown(22)).toBe(lines('ID  Name       On hand', ' 1  日本語の…        1', ' 2  Bartholo…        5'));
  // Output to a pipe is not cut.
  expect((await petstore('pet list -L 1 --fields name')).stdout).toBe('日本語の犬と猫\n');
});

testInShop('shortens the widest columns first, and no line is wider than the terminal', async ({ petstore, sql }) => {
  sql('UPDATE pets SET name = ?', 'A rather long name for a rather small animal');
  sql('UPDATE categories SET name = ?', 'Dogs and puppies of every breed');
  for (const width of [120, 80, 60, 50]) {
    const { stdout } = await petstore('pet list', { terminal: width });
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
  }
  expect(await petstore('pet list -L 1', { terminal: 60 })).toEqual(
    done(lines('ID  Name               Category           Status     On hand', ' 1  A rather long na…  Dogs and puppies…  available        1')),
  );
});

async function stocked({ petstore }: CliFixture, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => `Guppy ${index},Fish,1\n`);
  const { exitCode } = await petstore('pet import -', { stdin: `name,category,quantity\n${rows.join('')}` });
  expect(exitCode).toBe(0);
}

testInShop('a list prints 30 rows and the total in a terminal, and all rows in a pipe', async (cli) => {
  await stocked(cli, 25);
  const { petstore } = cli;
  const exactly = await petstore('pet list', { terminal: 80 });
  expect([exactly.stdout.split('\n').length, exactly.stderr]).toEqual([32, '']);
  await stocked(cli, 26);
  const more = await petstore('pet list', { terminal: 80 });
  expect([more.stdout.split('\n').length, more.stderr]).toEqual([32, 'Showing 30 of 56; use -L <n> to show more.\n']);
  const filtered = await petstore('pet list --search guppy', { terminal: 80 });
  expect([filtered.stdout.split('\n').length, filtered.stderr]).toEqual([32, 'Showing 30 of 51; use -L <n> to show more.\n']);
  const quiet = await petstore('pet list --quiet', { terminal: 80 });
  expect([quiet.stdout, quiet.stderr]).toEqual([more.stdout, '']);
  const piped = await petstore('pet list');
  expect([piped.stdout.split('\n').length, piped.stderr]).toEqual([57, '']);
  expect((await petstore('pet list --json', { terminal: 80 })).stderr).toBe('');
  const limited = await petstore('pet list -L 40', { terminal: 80 });
  expect([limited.stdout.split('\n').length, limited.stderr]).toEqual([42, '']);
});

testInShop('a long log prints its last rows in a terminal, the latest at the bottom', async (cli) => {
  await stocked(cli, 30);
  const { stdout, stderr } = await cli.petstore('log', { terminal: 120 });
  const ids = stdout
    .split('\n')
    .slice(1, -1)
    .map((line) => Number(line.trim().split(' ')[0]));
  expect(ids).toEqual(Array.from({ length: 30 }, (_, index) => 18 + index));
  expect(stderr).toBe('Showing the last 30 of 47; use -L <n> to show more.\n');
  expect((await cli.petstore('log -L 2 --format ids', { terminal: 120 })).stdout).toBe('46\n47\n');
});

testInShop('a list of thousands is complete in a pipe, in order and without repeats', async (cli) => {
  await stocked(cli, 1501);
  for (const flags of ['', '--sort name', '--sort -id', '-L 1203']) {
    const { stdout } = await cli.petstore(`pet list --format ids ${flags}`);
    const ids = stdout.trim().split('\n').map(Number);
    expect([flags, ids.length, new Set(ids).size]).toEqual([flags, flags === '-L 1203' ? 1203 : 1506, ids.length]);
  }
  expect((await cli.petstore('pet list --format count')).stdout).toBe('1506\n');
  expect(JSON.parse((await cli.petstore('pet list --json')).stdout)).toHaveLength(1506);
});

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Durations and their relative wording. */
const ages: readonly (readonly [milliseconds: number, text: string])[] = [
  [0, 'just now'],
  [59 * second, 'just now'],
  [minute, '1 minute ago'],
  [2 * minute - second, '1 minute ago'],
  [59 * minute, '59 minutes ago'],
  [hour, '1 hour ago'],
  [23 * hour, '23 hours ago'],
  [day, '1 day ago'],
  [29 * day, '29 days ago'],
  [30 * day, '1 month ago'],
  [364 * day, '12 months ago'],
  [365 * day, '1 year ago'],
  [800 * day, '2 years ago'],
];

testInShop('prints clock times in a list, relative times in a record, and instants in a pipe', async ({ petstore, clock }) => {
  await petstore('pet hold 1');
  const start = Date.parse('2026-11-20T09:00:00Z');
  for (const [milliseconds, text] of ages) {
    clock.set(new Date(start + milliseconds).toISOString());
    expect((await petstore('pet view 1', { terminal: 80 })).stdout).toContain(`Updated      2026-11-20 09:00 UTC (${text})\n`);
    expect((await petstore('log --pet 1 --kind pet.held --fields at')).stdout).toBe('2026-11-20T09:00:00.000Z\n');
  }
  clock.set('2026-11-20T23:59:00Z');
  const listed = async (): Promise<string> => (await petstore('log --pet 1 --kind pet.held --fields at', { terminal: 80 })).stdout;
  expect(await listed()).toBe('When\ntoday 09:00\n');
  clock.pass(60_000);
  expect(await listed()).toBe('When\nNov 20 09:00\n');
  clock.set('2027-01-01T00:00:00Z');
  expect(await listed()).toBe('When\n2026-11-20\n');
});
