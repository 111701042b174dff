import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSettings } from '../../src/settings/settings.js';
import { readToken } from '../../src/settings/token-source.js';
import { groups } from '../../src/cli/command-groups.js';
import { runAll, testWithoutShop, done, testInShop, lines, refused, type CliFixture } from '../support/cli.js';

/** An environment in which only a profile sets store and actor. */
const withoutStore = { environment: { PETSTORE_STORE: undefined, PETSTORE_ACTOR: undefined } };

testInShop('adds, lists, uses, unsets and removes a profile', async ({ petstore, store, path, read }) => {
  expect(await petstore('profile list', { terminal: 80 })).toEqual(done('', 'No profiles yet; create one with: petstore profile add --help\n'));
  const hint = (name: string) => `Use it for one command: petstore -P ${name} status. Use it from now on: petstore profile use ${name}\n`;
  expect(await petstore(`profile add till --store ${store} --actor till --format csv`)).toEqual(
    done(lines('name,inUse,store,actor,format,token,readonly', `till,false,${store},till,csv,,false`), hint('till')),
  );
  expect(await petstore(`profile add audit --store ${path('other.db')} --readonly --token-file ${path('token')} -q`)).toEqual(
    done(`✓ Saved profile audit: ${path('other.db')}.\n`),
  );
  expect(JSON.parse(read('config.json'))).toEqual({
    profiles: {
      till: { store, actor: 'till', format: 'csv' },
      audit: { store: path('other.db'), tokenFile: path('token'), readonly: true },
    },
  });
  expect(await petstore('profile use till', withoutStore)).toEqual(done(`✓ Using profile till: ${store}.\n`));
  expect(JSON.parse((await petstore('profile list --json')).stdout)).toEqual([
    { name: 'till', inUse: true, store, actor: 'till', format: 'csv', readonly: false },
    { name: 'audit', inUse: false, store: path('other.db'), token: 'set', readonly: true },
  ]);
  for (const [flag, inUse] of [
    ['-P audit', 'audit'],
    ['--no-profile', undefined],
  ] as const) {
    const rows = JSON.parse((await petstore(`profile list --json ${flag}`)).stdout) as readonly { readonly name: string; readonly inUse: boolean }[];
    expect([flag, rows.find((row) => row.inUse)?.name]).toEqual([flag, inUse]);
  }
  expect((await petstore('category list --fields name', withoutStore)).stdout).toBe('name\nDogs\nCats\nFish\n');
  await petstore('pet hold 1', withoutStore);
  expect((await petstore('log -L 1 --fields actor,pet', withoutStore)).stdout).toBe('actor,pet\ntill,1\n');
  expect((await petstore('status', { environment: { ...withoutStore.environment, PETSTORE_PROFILE: 'audit' } })).stderr).toContain(path('other.db'));
  expect(await petstore('profile remove till -P audit')).toEqual(done(`✓ Removed profile till; the shop at ${store} is not changed.\n`));
  expect(JSON.parse(read('config.json'))).toEqual({ profiles: { audit: { store: path('other.db'), tokenFile: path('token'), readonly: true } } });
});

testInShop('-P overrides the environment, --store overrides -P, and --no-profile uses no profile', async (cli) => {
  const { petstore, store, path } = cli;
  await runAll(cli, [`init --store ${path('other.db')}`, `profile add other --store ${path('other.db')} --actor guest`, 'profile use other']);
  const where = async (line: readonly string[], around = {}) => JSON.parse((await petstore([...line, 'status', '--json'], around)).stdout) as { store: string };
  expect((await where([])).store).toBe(store);
  expect((await where([], withoutStore)).store).toBe(path('other.db'));
  expect((await where(['-P', 'other'])).store).toBe(path('other.db'));
  expect((await where(['--profile=other', '--store', store])).store).toBe(store);
  expect((await where([], { environment: { PETSTORE_PROFILE: 'other' } })).store).toBe(store);
  expect((await petstore(['--no-profile', 'config', 'get', 'profile'], withoutStore)).stdout).toBe('\n');
  expect((await petstore('-P other config get actor')).stdout).toBe('guest\n');
});

/** Invalid profiles and their errors. */
const wrong: readonly (readonly [line: string, message: string])[] = [
  ['profile add x', 'Which shop?'],
  ['profile add x --store ""', '--store is empty.'],
  ['profile add x --store postgres://ana:secret@db/shop', 'The address contains a password; passwords are not saved in the config file.'],
  ['profile add x --store https://ana:secret@shop.example', 'The address of a server cannot contain a user name or password.'],
  ['profile add x --store ftp://a', 'ftp:// is not an address of a shop;'],
  ['profile add x --store a --format xml', '"xml" is not a format.'],
  ['profile add x --store a --token-file b --token-command c', 'cannot be used: "profiles.x" has both tokenFile and tokenCommand; use only one.'],
  ['profile add __proto__ --store a', '"__proto__" is not a valid profile name:'],
  ['profile add "a b" --store a', '"a b" is not a valid profile name:'],
  [`profile add ${'x'.repeat(65)} --store a`, 'is not a valid profile name:'],
  ['profile use', 'Give a profile or --none.'],
  ['profile use nope', 'There is no profile "nope" in'],
  ['profile use constructor', 'There is no profile "constructor" in'],
  ['profile use main --none', 'Give a profile or --none, not both.'],
  ['profile remove nope', 'There is no profile "nope" in'],
  ['profile add main --store other.db', 'Profile main already exists.'],
  ['pet list -P nope', 'There is no profile "nope" in'],
  ['pet list -P __proto__', 'There is no profile "__proto__" in'],
];

for (const [line, message] of wrong) {
  testInShop(`${line.slice(0, 80)}: ${message}`, async ({ petstore, store, read }) => {
    await petstore(`profile add main --store ${store}`);
    const before = read('config.json');
    const { exitCode, stdout, stderr } = await petstore(line);
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    expect(stderr).not.toContain('secret');
    expect(read('config.json')).toBe(before);
  });
}

testInShop('--replace replaces a profile', async ({ petstore, store, read }) => {
  await petstore(`profile add main --store ${store} --readonly`);
  expect((await petstore(`profile add main --store ${store} --replace`)).exitCode).toBe(0);
  expect(JSON.parse(read('config.json'))).toEqual({ profiles: { main: { store } } });
});

async function readonlyAs(name: string, { petstore, store }: CliFixture): Promise<void> {
  await petstore(`profile add ${name} --store ${store} --readonly`);
}

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();

/** An example of every command that changes a shop; only the read-only profile prevents the change. */
const changing = commands
  .filter(({ mutates, path }) => mutates && path[0] !== 'copy')
  .flatMap(({ path, examples }) => examples.filter((line) => !/-n\b|--dry-run|--list/.test(line) && (path[0] !== 'doctor' || line.includes('--repair'))));

/** An example of every other command that ends and writes no file. */
const reading = commands
  .filter(({ mutates, path }) => !mutates && !['backup', 'mcp', 'serve'].includes(path[0]))
  .flatMap(({ examples }) => examples.slice(0, 1).map((line) => line.replace(/^petstore /, '')))
  .filter((line) => !/[|]|--store|--follow|--watch/.test(line));

test('more than thirty commands change a shop', () => expect(changing.length).toBeGreaterThan(30));

/** Expects `store_read_only` from every command that changes a shop, and no change. */
async function expectRefusals({ petstore, expectUnchanged }: CliFixture, first: readonly string[], environment: object, error: object): Promise<void> {
  await expectUnchanged(async () => {
    for (const line of [...changing, 'petstore init --sample']) {
      const words = [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].slice(1).map(([word]) => word.replaceAll('"', ''));
      if (words.some((word) => word.endsWith('.csv')) || words.includes('--store') || words.includes('--format')) continue;
      const { stderr } = await petstore([...first, ...words, '--json'], { stdin: '1\n', environment: { ...environment } });
      expect([line, JSON.parse(stderr)]).toEqual([line, { error: { code: 'store_read_only', status: 503, ...error } }]);
    }
  });
}

testInShop('PETSTORE_READ_ONLY refuses every command that changes a shop, whatever else is set', async (cli) => {
  const { petstore, expectUnchanged, store } = cli;
  const environment = { PETSTORE_READ_ONLY: '1' };
  await petstore(`profile add main --store ${store} --actor ana`);
  await expectRefusals(cli, ['-P', 'main', '--store', store], environment, {
    message: `PETSTORE_READ_ONLY is set; the shop at ${store} was not changed.`,
    exitCode: 4,
  });
  await expectUnchanged(async () => {
    // These would write and roll back.
    for (const line of ['pet delete 1 --dry-run', 'inventory diff -', 'inventory import - --dry-run', 'doctor --repair --dry-run'])
      expect([line, (await petstore(line, { environment, stdin: 'petId,quantity\n1,5\n' })).exitCode]).toEqual([line, 4]);
    expect((await petstore('pet list --format count', { environment })).stdout).toBe('5\n');
    for (const line of ['doctor', 'undo --list']) expect([line, (await petstore(line, { environment })).exitCode]).toEqual([line, 0]);
    expect((await petstore('config get read-only', { environment })).stdout).toBe('true\n');
  });
  // Nor does any other command change a byte of the file; some of these change the settings.
  const before = readFileSync(store);
  for (const line of reading) await petstore(line, { environment, stdin: '1\n' });
  expect(readFileSync(store).equals(before)).toBe(true);
  expect((await petstore('pet hold 1', { environment: { PETSTORE_READ_ONLY: '' } })).exitCode).toBe(0);
});

testInShop('a read-only profile refuses every command that changes its shop', async (cli) => {
  await readonlyAs('audit', cli);
  const { petstore, expectUnchanged, store } = cli;
  await expectRefusals(
    cli,
    ['-P', 'audit'],
    {},
    {
      message: `The profile audit is read-only; the shop at ${store} was not changed.`,
      exitCode: 7,
      hint: 'Use another profile with -P, or preview with --dry-run.',
    },
  );
  await expectUnchanged(async () => {
    const around = { stdin: 'petId,quantity\n1,5\n' };
    expect((await petstore('inventory import - -P audit', around)).exitCode).toBe(7);
    expect((await petstore('pet import - -P audit', { stdin: 'name,category\nMax,Dogs\n' })).exitCode).toBe(7);
    expect((await petstore('inventory diff - -P audit', around)).exitCode).toBe(8);
    expect((await petstore('pet delete 1 --dry-run -P audit')).stdout).toBe('Would delete pet 1 (Rex). Dry run: nothing was changed.\n');
  });
});

testInShop('a read-only store is read-only by every path to it, and other stores are not', async (cli) => {
  const { petstore, store, path, sql } = cli;
  await readonlyAs('audit', cli);
  await runAll(cli, ['profile use audit', `init --store ${path('other.db')}`]);
  expect((await petstore('pet hold 1')).exitCode).toBe(7);
  expect((await petstore(`pet hold 1 --store ${store}`)).exitCode).toBe(7);
  symlinkSync(store, path('link.db'));
  expect((await petstore(`pet hold 1 --store ${path('link.db')}`)).exitCode).toBe(7);
  expect((await petstore(`category create --name Newts --store ${path('other.db')}`)).exitCode).toBe(0);
  expect((await petstore(['--no-profile', 'pet', 'hold', '1'])).exitCode).toBe(0);
  expect((await petstore('pet list --format count')).stdout).toBe('5\n');
  // The command is refused before the shop is opened.
  sql('PRAGMA user_version = 99');
  expect((await petstore('pet hold 1')).stderr).toContain('is read-only');
});

testWithoutShop('a read-only database is read-only by every address', async ({ petstore }) => {
  await petstore('profile add books --store postgres://ana@db.example/shop --readonly');
  await petstore('profile use books');
  for (const store of ['postgresql://bob@DB.example:5432/shop', 'postgres:///shop?host=db.example'])
    expect([store, (await petstore(`pet hold 1 --store ${store}`)).stderr]).toEqual([store, expect.stringContaining('is read-only')]);
});

testInShop('a confirmation that cannot be asked names the profile of the shop', async ({ petstore, store }) => {
  await petstore(`profile add main --store ${store}`);
  expect(await petstore('pet delete 1 -P main')).toEqual(
    refused(2, `error: Delete pet 1 (Rex)? Confirmation required. Shop: ${store} (profile main).`, 'hint: Confirm with --yes, or preview with --dry-run.'),
  );
});

testWithoutShop('the token of a profile is sent only to its shop', async ({ file, path }) => {
  const PETSTORE_CONFIG = file(
    'config.json',
    '{"profile": "a", "profiles": {"a": {"store": "https://a.example", "tokenFile": "token"}, "b": {"store": "https://b.example", "tokenCommand": "echo t"}}}',
  );
  const of = (flags: object, environment = {}) => {
    const { store, token, tokenSource } = readSettings(flags, { PETSTORE_CONFIG, ...environment });
    return [store, token ?? tokenSource];
  };
  expect(of({})).toEqual(['https://a.example/', { profile: 'a', file: path('token') }]);
  expect(of({ profile: 'b' })).toEqual(['https://b.example/', { profile: 'b', command: 'echo t' }]);
  expect(of({ store: 'https://evil.example' })).toEqual(['https://evil.example/', undefined]);
  expect(of({}, { PETSTORE_STORE: 'https://evil.example' })).toEqual(['https://evil.example/', undefined]);
  expect(of({}, { PETSTORE_TOKEN: 'pst_own' })).toEqual(['https://a.example/', 'pst_own']);
  // --profile overrides the environment, also its token, but only for the shop of the profile.
  expect(of({ profile: 'b' }, { PETSTORE_TOKEN: 'pst_own' })).toEqual(['https://b.example/', { profile: 'b', command: 'echo t' }]);
  expect(of({ profile: 'b', store: 'https://c.example' }, { PETSTORE_TOKEN: 'pst_own' })).toEqual(['https://c.example/', 'pst_own']);
});

testWithoutShop('a token is read from a file that only its owner can read, or from a command', async ({ file, path, petstore }) => {
  const from = (source: object) => () => readToken({ profile: 'a', ...source });
  chmodSync(file('token', 'pst_secret\n'), 0o600);
  expect(from({ file: path('token') })()).toBe('pst_secret');
  chmodSync(path('token'), 0o644);
  expect(from({ file: path('token') })).toThrow(`The token file of the profile a, ${path('token')}, can be read by other users.`);
  expect((await petstore(`profile add a --store https://a.example --token-file ${path('token')}`)).stderr).toContain(
    `Other users can read ${path('token')}; it is refused until it is private: chmod 600 ${path('token')}\n`,
  );
  expect(from({ file: path('none') })).toThrow(`The token file of the profile a, ${path('none')}, does not exist.`);
  expect(from({ file: path('.') })).toThrow('is not a token file.');
  chmodSync(file('two', 'pst_secret and more'), 0o600);
  expect(from({ file: path('two') })).toThrow('The token file of the profile a is not a token: a token is one word of printable characters.');
  expect(from({ command: 'printf "%s" "pst_$(echo made)"' })()).toBe('pst_made');
  expect(from({ command: 'exit 3' })).toThrow('The token command of the profile a ended with 3.');
  expect(from({ command: 'true' })).toThrow('The token command of the profile a contains no token.');
});

testInShop('an unknown field is refused before a profile is saved', async ({ petstore, store }) => {
  expect((await petstore(`profile add till --store ${store} --json bogus,name`)).stderr).toContain('is not a field of this command');
  expect((await petstore('profile list')).stdout).not.toContain('till');
});
