import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { GlobalFlags, SettingName } from '../../src/settings/setting-table.js';
import { readSettings, listSettings } from '../../src/settings/settings.js';
import { testWithoutShop, done, testInShop, lines, refused } from '../support/cli.js';

/** A setting with a value from every source; `default` is the value without any. */
interface Case {
  readonly flag: GlobalFlags;
  readonly said: string;
  readonly environment?: readonly (readonly [variable: string, value: string, meant?: string])[];
  readonly profile?: string;
  readonly file: unknown;
  readonly default: string | undefined;
  /** The value in the parsed settings of a command. */
  readonly settled: (settings: ReturnType<typeof readSettings>) => unknown;
}

const same = ['never', 'always'] as const;
/** A new setting needs a case here. The profile is in each case; `profiles.test.ts` has the token and read-only, which the file cannot hold. */
const cases: Readonly<Record<Exclude<SettingName, 'token' | 'profile' | 'read-only'>, Case>> = {
  store: {
    flag: { store: '/by/flag.db' },
    said: '/by/flag.db',
    environment: [['PETSTORE_STORE', '/by/variable.db']],
    profile: '/by/profile.db',
    file: '/by/file.db',
    default: readSettings({}, {}).store,
    settled: ({ where }) => where,
  },
  actor: {
    flag: { actor: 'flag' },
    said: 'flag',
    environment: [['PETSTORE_ACTOR', 'variable']],
    profile: 'profile',
    file: 'file',
    default: readSettings({}, {}).actor,
    settled: ({ actor }) => actor,
  },
  format: {
    flag: { format: 'csv' },
    said: 'csv',
    environment: [['PETSTORE_FORMAT', 'tsv']],
    profile: 'json',
    file: 'ids',
    default: undefined,
    settled: ({ format }) => format,
  },
  color: { flag: { color: same[0] }, said: same[0], file: same[1], default: 'auto', settled: ({ colour }) => colour },
  pager: {
    flag: { pager: false },
    said: '',
    environment: [
      ['PETSTORE_PAGER', 'most'],
      ['PAGER', 'more'],
    ],
    file: 'less -S',
    default: 'less',
    settled: ({ pager = '' }) => pager,
  },
  wait: { flag: { wait: '1' }, said: '1', file: 2, default: '5', settled: ({ waitSeconds }) => String(waitSeconds) },
  utc: {
    flag: { utc: true },
    said: 'true',
    environment: [['PETSTORE_UTC', '1', 'true']],
    file: true,
    default: 'false',
    settled: ({ utc }) => String(utc),
  },
  'no-input': {
    flag: { input: false },
    said: 'true',
    environment: [
      ['PETSTORE_NO_INPUT', '1', 'true'],
      ['CI', 'yes', 'true'],
    ],
    file: true,
    default: 'false',
    settled: ({ mayAsk }) => String(!mayAsk),
  },
};

/** Every subset of a list. */
function subsets<T>([first, ...others]: readonly T[]): readonly (readonly T[])[] {
  if (first === undefined) return [[]];
  return subsets(others).flatMap((some) => [some, [first, ...some]]);
}

for (const [name, { flag, said, environment = [], profile, file, default: usual, settled }] of Object.entries(cases)) {
  for (const byFlag of [false, true]) {
    testWithoutShop(`${name}, with a profile from ${byFlag ? 'a flag' : 'the file'}: the first source with a value is used`, async ({ file: write }) => {
      const own = { source: 'profile own', value: profile };
      const variables = environment.map(([source, text, value = text]) => ({ source, text, value }));
      const ranks = [
        { source: flag.pager === false ? '--no-pager' : flag.input === false ? '--no-input' : `--${name}`, value: said },
        ...(byFlag ? [own, ...variables] : [...variables, own]),
        { source: 'config file', value: String(file) },
      ].filter(({ value }) => value !== undefined);
      for (const some of subsets(ranks.map(({ source }) => source))) {
        const stored = { ...(some.includes('config file') && { [name]: file }), ...(!byFlag && { profile: 'own' }) };
        const kept = { store: '/elsewhere.db', ...(some.includes('profile own') && { [name]: profile }) };
        // A profile always has a store.
        const other = name === 'store' && !some.includes('profile own');
        const path = write('settings.json', JSON.stringify({ ...stored, ...(other && { profile: undefined }), profiles: { own: kept } }));
        const set = variables.filter(({ source }) => some.includes(source)).map(({ source, text }) => [source, text]);
        const around = { PETSTORE_CONFIG: path, ...Object.fromEntries(set) };
        const flags = { ...(some[0]?.startsWith('--') === true && flag), ...(byFlag && !other && { profile: 'own' }) };
        const { source, value } = ranks.find((rank) => some.includes(rank.source)) ?? { source: 'default', value: usual };
        expect([some, listSettings(flags, around).find((one) => one.name === name)]).toEqual([some, { name, value, source }]);
        expect([some, settled(readSettings(flags, around))]).toEqual([some, value]);
      }
    });
  }
}

testInShop('sets, shows with source, and removes settings', async ({ petstore, path, read, store }) => {
  expect(await petstore('config set wait 30')).toEqual(done('✓ Saved wait: 30.\n'));
  expect(await petstore('config set no-input true')).toEqual(done('✓ Saved no-input: true.\n'));
  expect(await petstore('config set actor bob')).toEqual(done('✓ Saved actor: bob.\n', 'At present, PETSTORE_ACTOR overrides it.\n'));
  expect(await petstore('config set format csv')).toEqual(done('✓ Saved format: csv.\n'));
  expect(JSON.parse(read('config.json'))).toEqual({ format: 'csv', wait: 30, 'no-input': true, actor: 'bob' });
  expect((await petstore('category list --fields id,name')).stdout).toBe('id,name\n1,Dogs\n2,Cats\n3,Fish\n');
  expect(await petstore('config list', { environment: { PETSTORE_TOKEN: 'pst_secret' } })).toEqual(
    done(
      lines(
        'name,value,source',
        `store,${store},PETSTORE_STORE`,
        'profile,,default',
        'token,set,PETSTORE_TOKEN',
        'actor,ana,PETSTORE_ACTOR',
        'format,csv,config file',
        'color,auto,default',
        'pager,less,default',
        'wait,30,config file',
        'utc,false,default',
        'no-input,true,config file',
        'read-only,false,default',
      ),
    ),
  );
  expect(JSON.parse((await petstore('config list --json')).stdout)).toContainEqual({ name: 'wait', value: '30', source: 'config file' });
  expect(await petstore('config get wait --format tsv --fields value,source')).toEqual(done('30\tconfig file\n'));
  expect(await petstore('config set format --unset')).toEqual(done('name,value,source\nformat,,config file\n'));
  expect(await petstore('config set pager --unset')).toEqual(done(`✓ Removed pager from ${path('config.json')}.\n`));
  expect(await petstore('config get wait')).toEqual(done('30\n'));
  expect(await petstore('config get wait --wait 7')).toEqual(done('7\n'));
  expect(await petstore('config set wait 9 --json')).toEqual(done('{\n  "name": "wait",\n  "value": "9",\n  "source": "config file"\n}\n'));
  expect(await petstore('config path')).toEqual(done(`${path('config.json')}\n`));
});

testInShop('errors use the format of the settings file', async ({ petstore }) => {
  await petstore('config set format json');
  expect(JSON.parse((await petstore('pet view 99')).stderr)).toMatchObject({ error: { code: 'pet_not_found', exitCode: 3 } });
  expect((await petstore('pet view 99 --format tsv')).stderr).toBe('error: Pet 99 was not found.\nhint: petstore pet list\n');
  expect(JSON.parse((await petstore('pet lsit')).stderr)).toMatchObject({ error: { code: 'unknown_command' } });
});

testWithoutShop('the settings file is created in its own folder, readable only by its owner, and a link is kept', async ({ petstore, path }) => {
  const environment = { PETSTORE_CONFIG: path('deep/er/config.json') };
  expect((await petstore('config path', { environment })).stdout).toBe(`${path('deep/er/config.json')}\n`);
  expect(existsSync(path('deep'))).toBe(false);
  expect((await petstore('config set wait 1', { environment })).exitCode).toBe(0);
  expect(statSync(path('deep/er/config.json')).mode & 0o777).toBe(0o600);
  expect(statSync(path('deep/er')).mode & 0o777).toBe(0o700);
  symlinkSync(path('deep/er/config.json'), path('link.json'));
  expect((await petstore('config set wait 2', { environment: { PETSTORE_CONFIG: path('link.json') } })).exitCode).toBe(0);
  expect(lstatSync(path('link.json')).isSymbolicLink()).toBe(true);
  expect((await petstore('config get wait', { environment })).stdout).toBe('2\n');
  expect(existsSync(path('deep/er/config.json.lock'))).toBe(false);
});

testWithoutShop('the settings file keeps its group when it is changed', async ({ petstore, file }) => {
  const path = file('config.json', '{}');
  // Only root can change the owner of a file, so only root can test this.
  if (process.getuid?.() === 0) chownSync(path, 0, 65534);
  const { uid, gid } = statSync(path);
  expect((await petstore('config set wait 1')).exitCode).toBe(0);
  expect(statSync(path)).toMatchObject({ uid, gid });
});

/** Invalid settings files and their errors. */
const broken: readonly (readonly [content: string, problem: string])[] = [
  ['{"wait": 5', 'it is not JSON ('],
  ['[]', 'it is not a JSON object'],
  ['null', 'it is not a JSON object'],
  ['{"colour": "auto"}', '"colour" is not a setting; there are store, '],
  ['{"__proto__": {"wait": 5}}', '"__proto__" is not a setting; there are store, '],
  ['{"constructor": 1}', '"constructor" is not a setting; there are store, '],
  ['{"wait": "5"}', '"wait" takes a number, not "5"'],
  ['{"wait": 1e9}', '"wait": wait takes a number of seconds from 0 to 3600, not "1000000000"'],
  ['{"no-input": 1}', '"no-input" takes a boolean, not 1'],
  ['{"format": "xml"}', '"format": "xml" is not a format.'],
  ['{"actor": ""}', '"actor": actor: must not be blank'],
  ['{"actor": null}', '"actor" takes a string, not null'],
  ['{"store": "ftp://x"}', '"store": ftp:// is not an address of a shop; give the path of a file,'],
  ['{"store": "postgres://ana:secret@db/shop"}', '"store": The address contains a password; passwords are not saved in the config file'],
  ['{"store": "postgres://db/shop?password=secret"}', '"store": The address contains a password; passwords are not saved in the config file'],
  [`{"store": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, '"store" takes a string, not an array'],
  ['{"pager": "less\\u001b[31m"}', '"pager": pager takes one line of at most 1000 characters'],
  ['{"profiles": []}', '"profiles" must be an object of profiles by name'],
  ['{"profiles": {"a": 1}}', '"profiles.a" takes an object'],
  ['{"profiles": {"a": {}}}', '"profiles.a.store" is missing'],
  ['{"profiles": {"a": {"store": "x", "token": "pst_secret"}}}', '"profiles.a.token" is not a setting; there are store, actor, format,'],
  ['{"profiles": {"a": {"store": "x", "readonly": "yes"}}}', '"profiles.a.readonly" takes a boolean, not "yes"'],
  ['{"profiles": {"a": {"store": "x", "tokenFile": "y", "tokenCommand": "z"}}}', '"profiles.a" has both tokenFile and tokenCommand; use only one'],
  ['{"profiles": {"__proto__": {"store": "x"}}}', '"__proto__" is not a valid profile name'],
  ['{"profiles": {"a\\u001b[2Jb": {"store": "x"}}}', '"a�[2Jb" is not a valid profile name'],
];

for (const [content, problem] of broken) {
  testInShop(`refuses a settings file such as ${content.slice(0, 80)} and names the key`, async ({ petstore, file, path, read, expectUnchanged }) => {
    file('config.json', content);
    const sentence = `error: The settings in ${path('config.json')} cannot be used: ${problem}`;
    const { exitCode, stdout, stderr } = await expectUnchanged(() => petstore('pet hold 1'));
    expect([exitCode, stdout, stderr.slice(0, sentence.length)]).toEqual([2, '', sentence]);
    expect(stderr).not.toContain('secret');
    expect(stderr.trimEnd().split('\n').length).toBe(2);
    // The invalid file is not overwritten, and the commands that show or repair it work.
    expect((await petstore('config set wait 5')).exitCode).toBe(2);
    expect(read('config.json')).toBe(content);
    expect((await petstore('config path')).exitCode).toBe(0);
  });
}

testInShop('refuses a settings file that other users can write to or that belongs to one of them', async ({ petstore, file, path }) => {
  const read = (name: string) => petstore('pet list', { environment: { PETSTORE_CONFIG: path(name) } });
  file('open.json', '{"pager": "cat"}');
  for (const mode of [0o666, 0o660, 0o620, 0o602]) {
    chmodSync(path('open.json'), mode);
    const { exitCode, stderr } = await read('open.json');
    expect([exitCode, stderr]).toEqual([2, `error: Other users can write to ${path('open.json')}.\nhint: chmod 600 ${path('open.json')}\n`]);
  }
  for (const mode of [0o600, 0o644, 0o400]) {
    chmodSync(path('open.json'), mode);
    expect((await read('open.json')).exitCode).toBe(0);
  }
  if (process.getuid?.() !== 0) return;
  chownSync(path('open.json'), 12_345, 12_345);
  const { exitCode, stderr } = await read('open.json');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('open.json belongs to another user (12345), who could change the commands that it names.')]);
});

testInShop('refuses an unreadable settings file and names it', async ({ petstore, file, path }) => {
  mkdirSync(path('folder'));
  const said = (name: string, problem: string) => `error: The settings in ${path(name)} cannot be used: ${problem}.\n`;
  const tried = async (name: string) => (await petstore('pet list', { environment: { PETSTORE_CONFIG: path(name) } })).stderr.replace(/hint:.*\n/, '');
  expect(await tried('folder')).toBe(said('folder', 'it is a folder'));
  file('large.json', ' '.repeat((1 << 20) + 1));
  expect(await tried('large.json')).toBe(said('large.json', 'it has 1048577 bytes, and at most 1048576 are read'));
  file('marked.json', '\uFEFF{"wait": 3}');
  expect((await petstore('config get wait', { environment: { PETSTORE_CONFIG: path('marked.json') } })).stdout).toBe('3\n');
  file('empty.json', '');
  expect(await tried('empty.json')).toBe('');
  expect(await tried('none.json')).toBe('');
  // The null device means no settings and is not replaced.
  expect((await petstore('pet list', { environment: { PETSTORE_CONFIG: devNull } })).exitCode).toBe(0);
  expect((await petstore('config set wait 1', { environment: { PETSTORE_CONFIG: devNull } })).stderr).toContain('it is not a file.');
  expect((await petstore('config set wait 1', { environment: { PETSTORE_CONFIG: path('folder') } })).stderr).toContain('it is not a file.');
  expect((await petstore('config set wait 1', { environment: { PETSTORE_CONFIG: join(file('plain', ''), 'config.json') } })).exitCode).toBe(2);
});

/** Invalid values of settings and how their errors begin. */
const wrong: readonly (readonly [line: string, message: string])[] = [
  ['config set colour never', '"colour" is not a setting; there are store, profile, actor, format, color, pager, wait, utc, no-input.'],
  ['config set toString never', '"toString" is not a setting; there are store, '],
  ['config set wait soon', 'wait takes a number of seconds from 0 to 3600, not "soon".'],
  ['config set no-input yes', 'no-input takes true or false, not "yes".'],
  ['config set color maybe', 'color takes auto, always or never, not "maybe".'],
  ['config set format ""', 'format takes a value.'],
  ['config set format', 'Give a value or --unset.'],
  ['config set format csv --unset', 'Give a value or --unset, not both.'],
  ['config set store postgres://ana:secret@db/shop', 'The address contains a password; passwords are not saved in the config file.'],
  ['config get colour', '"colour" is not a setting; there are store, profile, token, '],
];

for (const [line, message] of wrong) {
  testWithoutShop(`${line}: ${message}`, async ({ petstore, path }) => {
    const { exitCode, stdout, stderr } = await petstore(line);
    const sentence = `error: ${message}`;
    expect([exitCode, stdout, stderr.slice(0, sentence.length)]).toEqual([2, '', sentence]);
    expect(stderr).not.toContain('secret');
    expect(existsSync(path('config.json'))).toBe(false);
  });
}

testInShop('a relative path in the settings file starts at its folder, and config set stores an absolute one', async ({ petstore, store, path, read }) => {
  const environment = { PETSTORE_STORE: undefined };
  writeFileSync(path('config.json'), '{"store": "shop.db"}');
  expect((await petstore('config get store', { environment })).stdout).toBe(`${store}\n`);
  expect((await petstore('pet list --format count', { environment })).stdout).toBe('5\n');
  await petstore('config set store shop.db', { environment });
  expect(JSON.parse(read('config.json'))).toEqual({ store: join(process.cwd(), 'shop.db') });
  expect(dirname(store)).not.toBe(process.cwd());
  // Invalid settings can be repaired by the commands that show them.
  writeFileSync(path('config.json'), '{"profile": "gone"}');
  expect(await petstore('pet list', { environment })).toEqual(
    refused(2, `error: There is no profile "gone" in ${path('config.json')}.`, 'hint: petstore profile add --help'),
  );
  expect(await petstore('profile use --none')).toEqual(done('✓ Using no profile.\n'));
  expect((await petstore('pet list')).exitCode).toBe(0);
});
