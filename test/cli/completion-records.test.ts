import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maximumMatches, idRanges } from '../../src/domain/lookup.js';
import { runAll, testInShop } from '../support/cli.js';
import { complete, offeredWords } from '../support/complete.js';

testInShop('offers ids with names', async (cli) => {
  const pets = [
    ['1', 'Rex'],
    ['2', 'Bella'],
    ['3', 'Whiskers'],
    ['4', 'Koi'],
    ['5', 'Luna'],
  ];
  await cli.expectUnchanged(async () => {
    for (const line of ['pet view', 'pet edit', 'inventory view', 'inventory set', 'order place --pet', 'log --pet'])
      expect([line, (await complete(cli, [...line.split(' '), ''])).words]).toEqual([line, pets]);
    expect(await offeredWords(cli, 'pet', 'view', '1', '2', '')).toEqual(['3', '4', '5']);
    expect(await offeredWords(cli, 'inventory', 'set', '1', '')).toEqual([]);
    expect((await complete(cli, ['order', 'view', ''])).words).toEqual([
      ['3', 'draft'],
      ['2', 'complete, 3 × Koi'],
      ['1', 'open, 2 × Bella'],
    ]);
    expect(await offeredWords(cli, 'log', '--order', '2')).toEqual(['2']);
  });
  await runAll(cli, ['pet delete 3 --yes', `inventory import ${cli.file('count.csv', 'petId,quantity\n1,3\n')}`]);
  expect(await offeredWords(cli, 'pet', 'view', '')).toEqual(['1', '2', '4', '5']);
  expect((await complete(cli, ['inventory', 'batch', 'view', ''])).words).toEqual([['1', 'applied, 1 row, by ana']]);
  expect(await offeredWords(cli, 'inventory', 'undo', '')).toEqual(['1']);
});

testInShop('offers codes of pets by their beginning, in any case and length', async (cli) => {
  await runAll(cli, ['code add 4 4006381333931 Ring-4', 'code add 1 012345678905 40', 'code add 2 96385074']);
  expect((await complete(cli, ['sell', '4006'])).words).toEqual([['4006381333931', 'Koi']]);
  expect((await complete(cli, ['receive', '4'])).words).toEqual([
    ['4', 'Koi'],
    ['40', 'Rex'],
    ['4006381333931', 'Koi'],
  ]);
  expect((await complete(cli, ['pet', 'view', 'ri'])).words).toEqual([['Ring-4', 'Koi']]);
  expect((await complete(cli, ['code', 'remove', '0123'])).words).toEqual([['012345678905', 'Rex']]);
  expect((await complete(cli, ['code', 'remove', '9638'])).words).toEqual([['96385074', 'Bella']]);
  expect(await offeredWords(cli, 'code', 'remove', '')).toEqual(expect.arrayContaining(['4006381333931', 'Ring-4', '40', '012345678905', '96385074']));
  expect(await offeredWords(cli, 'code', 'remove', '0000')).toEqual([]);
});

testInShop('offers only records that a verb accepts', async (cli) => {
  await runAll(cli, [
    `inventory import ${cli.file('count.csv', 'petId,quantity\n1,3\n')}`,
    `pet import ${cli.file('pets.csv', 'name,category\nMax,Dogs\n')}`,
    `inventory import ${cli.file('more.csv', 'petId,quantity\n1,4\n')}`,
    'inventory undo 3',
    `inventory import ${cli.file('some.csv', 'petId,quantity\n1,5\n4,37\n')}`,
  ]);
  await cli.petstore('inventory import -', { stdin: 'petId,quantity\n99,1\n' });
  await cli.petstore('inventory import - --keep-going', { stdin: 'petId,quantity\n1,6\n99,1\n' });
  expect(await offeredWords(cli, 'inventory', 'batch', 'view', '')).toEqual(['6', '5', '4', '3', '2', '1']);
  expect(await offeredWords(cli, 'inventory', 'undo', '')).toEqual(['6', '4', '1']);
  // Order 1 is open, 2 complete, 3 a draft and 4 cancelled.
  const takes = { view: ['3', '2', '1'], edit: ['3', '1'], complete: ['1'], reopen: ['2'], cancel: ['3', '1'] };
  for (const [verb, ids] of Object.entries(takes)) expect([verb, await offeredWords(cli, 'order', verb, '')]).toEqual([verb, ids]);
  expect(await offeredWords(cli, 'order', 'complete', '2')).toEqual([]);
  expect(await offeredWords(cli, 'order', 'edit', '1', '--pet', '4')).toEqual(['4']);
  expect(await offeredWords(cli, 'log', '--order', '2')).toEqual(['2']);
});

testInShop('each digit narrows the offered ids, at most a screen of them', async (cli) => {
  cli.sql(
    'WITH RECURSIVE n(i) AS (SELECT 6 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO pets (id, name, folded, category_id) SELECT i, i, i, 1 FROM n',
  );
  cli.sql('INSERT INTO stock (pet_id, quantity) SELECT id, 1 FROM pets WHERE id > 5');
  expect(await offeredWords(cli, 'pet', 'view', '')).toEqual(Array.from({ length: maximumMatches }, (_, index) => String(index + 1)));
  expect(await offeredWords(cli, 'pet', 'view', '299')).toEqual(['299', ...Array.from({ length: 10 }, (_, index) => `299${index}`)]);
  expect(await offeredWords(cli, 'pet', 'view', '17')).toHaveLength(maximumMatches);
  for (const nothing of ['0', '01', '-', 'x', '3001', '1.5', '99999999999999999999'])
    expect(await offeredWords(cli, 'pet', 'view', nothing === '-' ? 'y' : nothing)).toEqual([]);
});

test('idRanges returns the ranges of numbers that start with the same digits', () => {
  const digits = fc.bigInt(1n, BigInt(Number.MAX_SAFE_INTEGER)).map((number) => String(number).slice(0, 6));
  const number = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(digits, number, (start, one) => {
      for (const tried of [one, Number(start), Number(`${start}0`), Number(start) + 1])
        expect(idRanges(start).some(([from, to]) => tried >= from && tried <= to)).toBe(String(tried).startsWith(start));
    }),
  );
});

testInShop('offers categories by name, regardless of case and accents, or by id', async (cli) => {
  await runAll(cli, ['category create --name "Ñandús grandes"', 'category create --name Dodos']);
  for (const line of ['pet list --category', 'pet create --category', 'category view', 'category delete Dogs --move-to'])
    expect([line, (await complete(cli, [...line.split(' '), 'nand'])).words]).toEqual([line, [['Ñandús grandes', 'category 4']]]);
  expect(await offeredWords(cli, 'pet', 'list', '--category', 'do')).toEqual(['Dodos', 'Dogs']);
  expect((await complete(cli, ['pet', 'list', '--category', '1'])).words).toEqual([['1', 'Dogs']]);
  expect(await offeredWords(cli, 'pet', 'list', '--category=Do')).toEqual(['--category=Dodos', '--category=Dogs']);
});

testInShop('offers pets by name once a name is begun, and by id otherwise', async (cli) => {
  await runAll(cli, ['pet edit 1 --name "Ñandú grande"', 'pet edit 3 --name 1.5']);
  for (const line of ['pet view', 'inventory set', 'order place --pet', 'order list --pet', 'log --pet', 'sell', 'pet hold 2'])
    expect([line, (await complete(cli, [...line.split(' '), 'nan'])).words]).toEqual([line, [['Ñandú grande', 'pet 1']]]);
  expect((await complete(cli, ['pet', 'view', '2'])).words).toEqual([['2', 'Bella']]);
  expect(await offeredWords(cli, 'pet', 'view', 'name:1')).toEqual(['name:1.5']);
  expect(await offeredWords(cli, 'pet', 'view', '')).toEqual(['1', '2', '3', '4', '5']);
  await runAll(cli, ['pet edit 5 --name Bella']);
  expect((await complete(cli, ['pet', 'view', 'be'])).words).toEqual([
    ['2', 'Bella'],
    ['5', 'Bella'],
  ]);
});

testInShop('offers the id for a name that would be read as something else', async (cli) => {
  await runAll(cli, ['category create --name 2024', 'category create --name=-dash', 'category create --name name:x']);
  cli.sql("INSERT INTO categories (id, name, folded) VALUES (20, 'Dogs', 'dogs')");
  expect((await complete(cli, ['category', 'view', 'dogs'])).words).toEqual([
    ['1', 'Dogs'],
    ['20', 'Dogs'],
  ]);
  expect(await offeredWords(cli, 'category', 'view', 'name:20')).toEqual(['name:2024']);
  const every = await offeredWords(cli, 'category', 'view', '');
  expect(every).toEqual(expect.arrayContaining(['name:2024', 'name:-dash', 'name:name:x', 'Cats']));
  for (const name of ['name:2024', 'name:-dash', 'name:name:x', 'Cats']) expect((await cli.petstore(['category', 'view', name])).exitCode).toBe(0);
});

testInShop('offers tokens by name', async (cli) => {
  await runAll(cli, ['token create till --scope store:write', 'token create 7up --scope admin', 'token create gone --scope admin', 'token revoke gone --yes']);
  expect((await complete(cli, ['token', 'revoke', ''])).words).toEqual([
    ['7up', 'token 2'],
    ['till', 'token 1'],
  ]);
  expect(await offeredWords(cli, 'token', 'revoke', '7')).toEqual(['7up']);
  expect(await offeredWords(cli, 'token', 'create', '')).toEqual([]);
});

const hostile = ['line\nbreak', 'tab\there', 'bell\u0007', 'esc\u001b[31m', 'nul\u009b', '\u202Eevil', 'del\u007f'];
testInShop('does not offer names with control characters, and sanitises them in descriptions', async (cli) => {
  for (const [index, name] of hostile.entries()) {
    cli.sql('INSERT INTO categories (id, name, folded) VALUES (?, ?, ?)', index + 10, name, `zz${name}`);
    cli.sql('INSERT INTO pets (id, name, folded, category_id) VALUES (?, ?, ?, 1)', index + 10, name, name);
    cli.sql('INSERT INTO stock (pet_id, quantity) VALUES (?, 1)', index + 10);
  }
  expect(await offeredWords(cli, 'pet', 'list', '--category', 'zz')).toEqual([]);
  const { stdout } = await cli.petstore(['complete', 'zsh', 'pet', 'view', '1']);
  // oxlint-disable-next-line no-control-regex -- that is what must not be there
  expect(stdout).toMatch(/^:\n(\d+\t[^\u0000-\u001f\u007f-\u009f\u202e]*\n){8}$/);
  expect(await offeredWords(cli, 'pet', 'view', '1')).toEqual(['1', '10', '11', '12', '13', '14', '15', '16']);
});
