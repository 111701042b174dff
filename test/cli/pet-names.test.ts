import { expect } from 'vitest';
import { done, lines, refused, runAll, testInShop } from '../support/cli.js';

testInShop('a code may look like a number that is no id: with points, a sign or an exponent', async (cli) => {
  for (const code of ['12.345.678', '+7', '-5', '1.5', '1e3', '0x1f']) {
    await runAll(cli, [`code add 4 -- ${code}`]);
    expect([code, (await cli.petstore(`pet view --format ids -- ${code}`)).stdout]).toEqual([code, '4\n']);
    expect([code, (await cli.petstore('sell - --dry-run', { stdin: `${code}\n` })).exitCode]).toEqual([code, 0]);
  }
  await runAll(cli, ['code add 4 e5']);
  expect((await cli.petstore('pet view e5 --format ids')).stdout).toBe('4\n');
  expect((await cli.petstore('log --pet 12.345.678 --kind code.added --limit 1 --fields kind,petId')).stdout).toBe('code.added\t4\n');
  expect(await cli.petstore('code add 4 -- -')).toMatchObject({ exitCode: 6, stderr: 'error: code: must not be "-", which takes a scan back.\n' });
});

testInShop('a pet is given by its name wherever an id is', async ({ petstore }) => {
  expect(await petstore('pet view bella --format ids')).toEqual(done('2\n'));
  expect(await petstore('pet view REX 4 Bella --format ids')).toEqual(done(lines('1', '4', '2')));
  expect((await petstore('inventory view koi --fields petId')).stdout).toBe('4\n');
  expect((await petstore('inventory set Koi 12')).stdout).toBe('✓ Pet 4 (Koi): 37 → 12 on hand.\n');
  expect(JSON.parse((await petstore('inventory adjust Koi +1 --json')).stdout)).toMatchObject({ petId: 4, quantity: 13 });
  for (const line of ['inventory low-at koi 3', 'pet edit Luna --name Selene', 'pet hold selene', 'pet release Selene', 'receive koi 2'])
    expect([line, (await petstore(line)).exitCode]).toEqual([line, 0]);
  expect(JSON.parse((await petstore('order place --pet koi --json')).stdout)).toMatchObject({ petId: 4 });
  expect(JSON.parse((await petstore('order edit 3 --pet KOI --json')).stdout)).toMatchObject({ petId: 4 });
  expect((await petstore('order list --pet koi --pet 2 --format ids')).stdout).toBe((await petstore('order list --pet 4 --pet 2 --format ids')).stdout);
  expect((await petstore('order export --pet koi')).stdout).toBe((await petstore('order export --pet 4')).stdout);
  expect((await petstore('log --pet koi --format ids')).stdout).toBe((await petstore('log --pet 4 --format ids')).stdout);
});

testInShop('a sale takes names, with and without quantities', async ({ petstore, expectUnchanged }) => {
  expect(JSON.parse((await petstore('sell koi 2 --json')).stdout)).toMatchObject({ petId: 4, quantity: 2 });
  expect(JSON.parse((await petstore('sell Koi "Bella x2" --json')).stdout)).toMatchObject([
    { petId: 4, quantity: 1 },
    { petId: 2, quantity: 2 },
  ]);
  expect(await expectUnchanged(() => petstore('sell koi Nobody'))).toEqual(refused(3, 'error: There is no pet named "Nobody".', 'hint: petstore pet list'));
});

testInShop('names on standard input are separated by white space', async ({ petstore }) => {
  expect(await petstore('pet view - --format ids', { stdin: 'koi 2\nRex\n' })).toEqual(done(lines('4', '2', '1')));
});

testInShop('digits are an id, and name: forces a name', async (cli) => {
  await runAll(cli, ['pet edit 1 --name 2', 'pet edit 3 --name 1.5']);
  expect(await cli.petstore('pet view 2 --fields name')).toEqual(done('Bella\n'));
  expect(await cli.petstore('pet view name:2 --format ids')).toEqual(done('1\n'));
  expect(await cli.petstore('pet view name:1.5 --format ids')).toEqual(done('3\n'));
  expect((await cli.petstore('pet view 1.5')).exitCode).toBe(2);
});

testInShop('a part of a name is refused with the first name that contains it', async ({ petstore, expectUnchanged }) => {
  await petstore('pet edit 5 --name "Neon tetra"');
  const refusal = (text: string, end: string) => refused(3, `error: There is no pet named "${text}"${end}`, 'hint: petstore pet list');
  await expectUnchanged(async () => {
    for (const part of ['tetra', 'NEON', 'on te']) expect(await petstore(`sell "${part}" 2`)).toEqual(refusal(part, '; did you mean "Neon tetra"?'));
    for (const part of ['tr', 'tetras of neon']) expect(await petstore(`sell "${part}" 2`)).toEqual(refusal(part, '.'));
  });
});

testInShop('an unknown name is refused with the nearest one, an ambiguous name with the ids', async (cli) => {
  const { petstore, expectUnchanged } = cli;
  await runAll(cli, ['pet edit 5 --name REX']);
  await expectUnchanged(async () => {
    expect(await petstore('pet view Bela')).toEqual(refused(3, 'error: There is no pet named "Bela"; did you mean "Bella"?', 'hint: petstore pet list'));
    expect(await petstore('order place --pet Bela')).toEqual(
      refused(6, 'error: There is no pet named "Bela"; did you mean "Bella"?', 'hint: petstore pet list'),
    );
    const twice = refused(2, 'error: "rEX" names 2 pets: 1 and 5; give the id.', 'hint: petstore pet list --search rEX');
    for (const line of ['pet view rEX', 'inventory set rEX 3', 'order list --pet rEX', 'log --pet rEX', 'order place --pet rEX', 'sell rEX'])
      expect([line, await petstore(line)]).toEqual([line, twice]);
    expect(await petstore('pet hold 1 rEX')).toEqual(twice);
  });
  expect(await petstore('pet view REX --format ids')).toEqual(done('5\n'));
});
