import { readdirSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { globalFlagEntries, ownFlagEntries } from '../../src/cli/help/command-entries.js';
import { expect } from 'vitest';
import { shells } from '../../src/cli/program-setup.js';
import { formats } from '../../src/settings/output-format.js';
import { groups } from '../../src/cli/command-groups.js';
import { guide, testWithoutShop, testInShop, refused, type CliFixture } from '../support/cli.js';
import { complete, offeredWords } from '../support/complete.js';
import { changeFile } from '../support/raw-store.js';

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();

testInShop('completes every command word by word, also by its aliases', async (cli) => {
  expect(await offeredWords(cli, '')).toEqual([...groups.map(({ name }) => name), 'help']);
  for (const { name, aliases } of groups) {
    for (const one of [name, ...aliases]) expect(await offeredWords(cli, one)).toContain(one);
  }
  for (const command of commands) {
    const { path } = command;
    for (const [index, word] of path.entries()) expect(await offeredWords(cli, ...path.slice(0, index), word.slice(0, -1))).toContain(word);
    for (const alias of command.aliases) expect(await offeredWords(cli, ...path.slice(0, -1), alias)).toContain(alias);
  }
});

for (const command of commands) {
  const { path } = command;
  testInShop(`completes every flag of ${path.join(' ')} and its values`, async (cli) => {
    const flags = [...ownFlagEntries(command), ...globalFlagEntries()];
    const names = await offeredWords(cli, ...path, '--');
    expect(names).toEqual(flags.map(({ name }) => name));
    expect(await offeredWords(cli, ...path, '-')).toEqual([...names, ...flags.flatMap(({ short }) => short ?? [])]);
    for (const { name, short, choices, repeated } of flags) {
      expect(await offeredWords(cli, ...path, name.slice(0, -1))).toContain(name);
      expect((await offeredWords(cli, ...path, `${name}=x`, '--')).includes(name)).toBe(repeated);
      if (choices === undefined) continue;
      expect(await offeredWords(cli, ...path, name, '')).toEqual(choices);
      expect(await offeredWords(cli, ...path, `${name}=`)).toEqual(choices.map((one) => `${name}=${one}`));
      if (short !== undefined) expect(await offeredWords(cli, ...path, short, '')).toEqual(choices);
    }
  });
}

testInShop('completes fields after the last comma, each once', async (cli) => {
  expect(await complete(cli, ['order', 'list', '--fields', 'id,pet'])).toEqual({
    meant: ':open',
    words: [
      ['id,petId', ''],
      ['id,pet', ''],
    ],
  });
  expect(await offeredWords(cli, 'order', 'list', '--fields', 'petId,pet,')).toEqual(
    ['id', 'quantity', 'shipDate', 'complete', 'state', 'overdue'].map((name) => `petId,pet,${name}`),
  );
  expect(await offeredWords(cli, 'pet', 'view', '--json', 'na')).toEqual(['name']);
  expect(await offeredWords(cli, 'pet', 'view', '--json=id,na')).toEqual(['--json=id,name']);
  expect(await offeredWords(cli, 'pet', 'view', '--json', '--fo')).toEqual(['--format']);
  expect(await offeredWords(cli, 'token', 'create', 'till', '--scope', 'pets:read,pets:')).toEqual(['pets:read,pets:write']);
});

testInShop('completes after flags and values before or between the words', async (cli) => {
  expect(await offeredWords(cli, '--format', 'json', 'pe')).toEqual(['pet']);
  expect(await offeredWords(cli, '--format=json', '-q', 'pet', 'vi')).toEqual(['view']);
  expect(await offeredWords(cli, 'pet', '--actor', 'list', 'cre')).toEqual(['create']);
  expect(await offeredWords(cli, '--format', 'js')).toEqual(['json']);
  expect(await offeredWords(cli, 'pet', 'list', '--format', '')).toEqual(formats);
  expect(await offeredWords(cli, 'pet', 'list', '--', '--sta')).toEqual([]);
});

testInShop('completes commands and topics after help, and shells after completion', async (cli) => {
  expect(await offeredWords(cli, 'help', '')).toEqual([...groups.map(({ name }) => name), ...guide.chapters()]);
  expect(await offeredWords(cli, 'help', 'inventory', 'batch', '')).toEqual(['list', 'view']);
  expect(await offeredWords(cli, 'completion', '')).toEqual(shells);
});

testInShop('offers the flags of a command without arguments at once', async (cli) => {
  expect(await offeredWords(cli, 'status', '')).toEqual(['--watch', ...globalFlagEntries().map(({ name }) => name)]);
  expect(await offeredWords(cli, 'pet', 'create', 'x', '--na')).toEqual(['--name']);
});

testInShop('leaves file names to the shell', async (cli) => {
  for (const line of ['inventory import', 'inventory import x.csv --rejects', 'pet import', '--store', 'copy --from', 'serve --socket'])
    expect([line, await complete(cli, [...line.split(' '), ''])]).toEqual([line, { meant: ':files', words: [] }]);
  expect(await complete(cli, ['serve', '--base-path', ''])).toEqual({ meant: ':', words: [] });
  expect(await complete(cli, ['--store='])).toEqual({ meant: ':files', words: [] });
});

testInShop('offers nothing after invalid words', async (cli) => {
  for (const line of [
    [],
    ['xylophone', ''],
    ['pet', 'xylophone', ''],
    ['pet', 'list', '--xylophone', '--stat=x', ''],
    ['pet', 'list', '--status', 'x'],
    ['help', 'x', 'y'],
  ])
    expect([line, (await complete(cli, line)).meant]).toEqual([line, expect.stringMatching(/^:?$/)]);
  for (const words of [
    ['complete', 'bash'],
    ['complete', 'bash', ':'],
    ['complete', 'fish'],
  ])
    expect(await cli.petstore(words)).toEqual({ exitCode: 0, stdout: expect.any(String), stderr: '' });
  // A missing word is a usage error.
  expect(await cli.petstore('complete 7')).toEqual(
    refused(2, 'error: "complete" is not a command of petstore; did you mean "petstore order complete"?', 'hint: petstore order complete --help'),
  );
});

const stillThere = async (cli: CliFixture, environment: Readonly<Record<string, string>> = {}) => {
  expect(await complete(cli, ['pet', 'view', ''], environment)).toEqual({ meant: ':', words: [] });
  expect((await complete(cli, ['pet', 'vi'], environment)).words.map(([word]) => word)).toEqual(['view']);
};

testWithoutShop('completion creates no shop', async (cli) => {
  await stillThere(cli);
  expect(readdirSync(cli.path('.'))).toEqual([]);
});

testWithoutShop('completion prints nothing for a file that is not a shop', async (cli) => {
  for (const content of ['', 'no database', 'SQLite format 3\0 and then nothing of the kind'.repeat(100)]) {
    writeFileSync(cli.store, content);
    await stillThere(cli);
    expect(cli.read('shop.db')).toBe(content);
  }
  changeFile(cli.path('other.db'), 'CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT)');
  await stillThere(cli, { PETSTORE_STORE: cli.path('other.db') });
  await stillThere(cli, { PETSTORE_STORE: cli.path('.') });
});

testInShop('completion does not migrate an old shop', async (cli) => {
  changeFile(cli.store, 'PRAGMA user_version = 3');
  await stillThere(cli);
  expect(new Database(cli.store, { readonly: true }).pragma('user_version', { simple: true })).toBe(3);
});

testInShop('completion does not wait for writers or locks', async (cli) => {
  const writer = new Database(cli.store);
  writer.exec('BEGIN IMMEDIATE');
  expect(await offeredWords(cli, 'pet', 'view', '5')).toEqual(['5']);
  writer.exec('COMMIT');
  writer.pragma('locking_mode = EXCLUSIVE');
  writer.exec('BEGIN EXCLUSIVE; COMMIT');
  await stillThere(cli);
  writer.close();
});

testInShop('completion uses the shop of the typed line', async (cli) => {
  expect(await offeredWords(cli, '--store', cli.path('other.db'), 'pet', 'view', '')).toEqual([]);
  expect((await complete(cli, ['pet', 'view', '--store', cli.store, '5'], { PETSTORE_STORE: '/nowhere' })).words).toEqual([['5', 'Luna']]);
  expect((await complete(cli, ['pet', 'view', '--store=~/shop.db', '5'], { PETSTORE_STORE: undefined, HOME: cli.path('.') })).words).toEqual([['5', 'Luna']]);
});
