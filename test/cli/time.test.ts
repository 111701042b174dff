import { expect, test } from 'vitest';
import { followedTime } from '../../src/cli/output/time-text.js';
import { timeZoneNamed, utc } from '../../src/domain/values/time-zone.js';
import { done, lines, refused, testInShop, type CliFixture, type CommandContext } from '../support/cli.js';

const losAngeles: CommandContext = { terminal: 80, environment: { TZ: 'America/Los_Angeles' } };
const apia: CommandContext = { terminal: 80, environment: { TZ: 'Pacific/Apia' } };

/** Sells a Koi at 22:17 in Los Angeles on 2026-11-24; in Apia it is 19:17 of the next day. */
async function sellInTheEvening({ petstore, clock }: CliFixture): Promise<void> {
  clock.set('2026-11-25T06:17:05.000Z');
  expect((await petstore('inventory adjust 4 -1')).exitCode).toBe(0);
}

testInShop('today is the day of the local zone, or of UTC with --utc', async (cli) => {
  await sellInTheEvening(cli);
  const { petstore, clock } = cli;
  const days = async (line: string, around: CommandContext): Promise<string> => {
    const { stdout, stderr } = await petstore(`report movements --by day --fields day,closing ${line}`, around);
    return stdout === '' ? stderr : stdout;
  };
  expect(await days('--from today', losAngeles)).toBe(lines('Day         Closing', '2026-11-24       43'));
  expect(await days('--from today', apia)).toBe(lines('Day         Closing', '2026-11-25       43'));
  expect(await days('--from today --utc', losAngeles)).toBe(lines('Day         Closing', '2026-11-25       43'));
  expect(await days('--from yesterday --to yesterday', losAngeles)).toBe('Nothing found.\n');
  // Two hours later it is tomorrow in Los Angeles.
  clock.pass(2 * 60 * 60 * 1000);
  expect(await days('--from today', losAngeles)).toBe('Nothing found.\n');
  expect(await days('--from yesterday --to yesterday', losAngeles)).toBe(lines('Day         Closing', '2026-11-24       43'));
  expect(await days('--from 1d', losAngeles)).toBe(lines('Day         Closing', '2026-11-24       43'));
  expect(
    (await petstore('report movements --from 3d --by day', { ...losAngeles, environment: { ...losAngeles.environment, PETSTORE_UTC: '1' } })).stdout,
  ).toMatch(/^Movements by day\n2026-11-22 to now, UTC\n/);
});

testInShop('a report prints its range and its zone', async (cli) => {
  await sellInTheEvening(cli);
  const head = async (line: string, around: CommandContext): Promise<string | undefined> => {
    const [heading] = (await cli.petstore(line, around)).stdout.split('\nCategory');
    // Its first line is the title.
    return heading?.slice(heading.indexOf('\n') + 1);
  };
  expect(await head('report movements', losAngeles)).toBe('First entry to now, America/Los_Angeles');
  expect(await head('report movements --from 2026-11-01 --to 2026-11-30', apia)).toBe('2026-11-01 to 2026-11-30, Pacific/Apia');
  expect(await head('report sell-through --from 2026-11-24 --to 2026-11-24', losAngeles)).toBe('2026-11-24, America/Los_Angeles');
  expect(await head('report movements --from 2026-11-20T09:00:00Z --to "2026-11-24 22:17"', losAngeles)).toBe(
    '2026-11-20 01:00 to 2026-11-24 22:17, America/Los_Angeles',
  );
  expect(await head('report stock --at 2026-11-24', losAngeles)).toBe('At the end of 2026-11-24, America/Los_Angeles');
  expect(await head('report movements --from 2026-11-01 --to 2026-11-30', { ...losAngeles, terminal: 40 })).toBe(
    '2026-11-01 to 2026-11-30,\nAmerica/Los_Angeles',
  );
});

testInShop('days and local times filter lists', async (cli) => {
  await sellInTheEvening(cli);
  const ids = async (line: string, around: CommandContext): Promise<string> => (await cli.petstore(`log --format ids ${line}`, around)).stdout;
  for (const line of ['--since today', '--since 2026-11-24 --until 2026-11-24', '--since 2026-11-24T22:17', '--since "2026-11-24 22:17:05"'])
    expect([line, await ids(line, losAngeles)]).toEqual([line, '18\n']);
  for (const line of ['--since 2026-11-25', '--since 2026-11-24T22:18']) expect([line, await ids(line, losAngeles)]).toEqual([line, '']);
  expect(await ids('--since 2026-11-25', apia)).toBe('18\n');
  expect(await cli.petstore('log --since 2011-12-30', apia)).toEqual(refused(2, 'error: --since: there was no 2011-12-30 in Pacific/Apia.'));
  expect((await cli.petstore('inventory list --at 2026-11-23 --format csv --fields quantity', losAngeles)).stdout).toContain('\n37\n');
});

testInShop('a terminal shows local times, other formats carry UTC', async ({ petstore }) => {
  const changed = await petstore('order edit 1 --ship-date "2026-12-24 09:30"', losAngeles);
  expect(changed).toEqual(done('✓ Changed order 1: 2 × Bella (pet 2), shipping 2026-12-24 09:30.\n'));
  expect((await petstore('order view 1', losAngeles)).stdout).toContain('Ship date  2026-12-24 09:30 (in 1 month)\n');
  expect((await petstore('order view 1 --utc', losAngeles)).stdout).toContain('Ship date  2026-12-24 17:30 UTC (in 1 month)\n');
  for (const format of ['csv', 'tsv', 'json', 'ndjson'])
    expect((await petstore(`order view 1 --format ${format}`, losAngeles)).stdout).toContain('2026-12-24T17:30:00.000Z');
});

testInShop('a typed time has seconds, a fraction and an offset, or not', async ({ petstore }) => {
  const shipDate = async (text: string): Promise<unknown> => {
    const { stdout, stderr } = await petstore(['order', 'edit', '1', '--ship-date', text, '--json', 'shipDate'], losAngeles);
    return stderr === '' ? (JSON.parse(stdout) as { readonly shipDate: string }).shipDate : stderr;
  };
  const forms = ['T09:30', ' 09:30', 't09:30:00', 'T09:30:00.000', 'T17:30Z', ' 17:30:00z', 'T17:30:00,000Z', 'T18:30+01:00', ' 18:30:00 +0100', 'T09:30-08'];
  for (const form of forms) expect([form, await shipDate(`2026-12-24${form}`)]).toEqual([form, '2026-12-24T17:30:00.000Z']);
  expect(await shipDate('2026-12-32T09:30Z')).toContain(': December 2026 has 31 days."');
  expect((await petstore('log --since 2026-11-20T10:00+01:00 --until 2026-11-20T09:00Z --format count')).stdout).toBe('1\n');
  const { stdout } = await petstore('token create till --scope store:read --expires 2026-12-31T18:30+01:00 --json expiresAt');
  expect(stdout).toContain('2026-12-31T17:30:00.000Z');
});

testInShop('an order ships on a day, which ends in the local zone', async (cli) => {
  cli.clock.set('2026-11-25T06:17:05.000Z');
  const shipDate = async (text: string): Promise<unknown> => JSON.parse((await cli.petstore(`order edit 1 --ship-date ${text} --json`, losAngeles)).stdout);
  for (const [text, instant] of [
    ['2026-12-24', '2026-12-25T07:59:59.999Z'],
    ['today', '2026-11-25T07:59:59.999Z'],
    ['tomorrow', '2026-11-26T07:59:59.999Z'],
  ] as const)
    expect([text, await shipDate(text)]).toMatchObject([text, { shipDate: instant }]);
  expect((await cli.petstore('order list --from tomorrow --to tomorrow --format ids', losAngeles)).stdout).toBe('1\n');
  expect(await cli.petstore('order edit 1 --ship-date soon')).toMatchObject({ exitCode: 2, stderr: /^error: --ship-date takes a day such as today, tomorrow/ });
  expect(await cli.petstore('order edit 1 --ship-date 7d')).toMatchObject({ exitCode: 2, stderr: /, not "7d"\.$/m });
});

testInShop('a ship date at a local time that clocks skip is refused, and one that they show twice is told', async ({ petstore, expectUnchanged }) => {
  const wide = { ...losAngeles, terminal: 200 };
  for (const line of ['order edit 1', 'order place --pet 1'])
    expect(await expectUnchanged(() => petstore(`${line} --ship-date 2027-03-14T02:30`, wide))).toEqual(
      refused(2, 'error: --ship-date: there is no 2027-03-14T02:30 in America/Los_Angeles, where clocks are set forward then.'),
    );
  // Clocks show it twice: the first is meant, and said.
  const twice = 'shipping 2026-11-01 01:30 (08:30 UTC)';
  expect((await petstore('order edit 1 --ship-date 2026-11-01T01:30', wide)).stdout).toContain(twice);
  expect((await petstore('order place 2 --ship-date 2026-11-01T01:30', wide)).stdout).toContain(twice);
});

testInShop('a token expires at the end of a local day', async ({ petstore }) => {
  const { stdout } = await petstore('token create till --scope store:read --expires 2026-12-31 --json expiresAt', losAngeles);
  expect(stdout).toContain('2027-01-01T07:59:59.999Z');
});

testInShop('status shows what moved since the start of the local day', async (cli) => {
  cli.clock.set('2026-11-25T06:17:05.000Z');
  expect((await cli.petstore('inventory adjust 4 +6')).exitCode).toBe(0);
  const today = async (around: CommandContext): Promise<string | undefined> => /^today +(.*)$/m.exec((await cli.petstore('status', around)).stdout)?.[1];
  expect(await today(losAngeles)).toBe('0 sold, 6 received, 0 returned');
  // Midnight in Los Angeles, but not in Apia.
  cli.clock.set('2026-11-25T08:00:00.000Z');
  expect([await today(losAngeles), await today(apia)]).toEqual(['0 sold, 0 received, 0 returned', '0 sold, 6 received, 0 returned']);
});

testInShop('lists show the local clock, and CSV the instant', async (cli) => {
  await sellInTheEvening(cli);
  const at = async (line: string, around: CommandContext = {}): Promise<string | undefined> => (await cli.petstore(line, around)).stdout.split('\n').at(-2);
  expect(await at('log --kind adjust --fields at', losAngeles)).toBe('today 22:17');
  expect(await at('log --kind adjust --fields at', apia)).toBe('today 19:17');
  expect(await at('log --kind adjust --fields at --utc', losAngeles)).toBe('today 06:17');
  expect(await at('log --kind adjust --fields at --format csv', losAngeles)).toBe('2026-11-25T06:17:05.000Z');
  expect((await cli.petstore('undo --list', losAngeles)).stdout).toContain('today 22:17');
});

test('a followed entry has seconds, and its day if that is not today', () => {
  const zone = timeZoneNamed('America/Los_Angeles') ?? utc;
  const sold = '2026-11-25T06:17:05.000Z';
  expect(followedTime(sold, Date.parse(sold), zone)).toBe('22:17:05');
  expect(followedTime(sold, Date.parse(sold) + 2 * 60 * 60_000, zone)).toBe('2026-11-24 22:17');
});
