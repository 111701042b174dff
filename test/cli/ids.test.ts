import { expect } from 'vitest';
import { runAll, done, testInShop, lines, refused } from '../support/cli.js';

testInShop('changes several ids in one transaction or none', async ({ petstore, expectUnchanged }) => {
  await expectUnchanged(async () => {
    expect(await petstore('pet hold 1 2 99')).toEqual(refused(3, 'error: Pet 99 was not found.', 'hint: petstore pet list'));
    expect(await petstore('pet delete 3 4 --yes')).toEqual(refused(4, 'error: Pet 4 (Koi) still has 37 on hand.', 'hint: petstore inventory set 4 0'));
    expect(await petstore('order complete 1 3')).toEqual(refused(4, 'error: Order 3 has no pet yet.', 'hint: petstore order edit 3 --help'));
    expect(await petstore('order cancel 1 2')).toEqual(refused(4, 'error: Order 2 is complete and cannot be cancelled.', 'hint: petstore order reopen 2'));
    expect(await petstore('pet edit 1 99 --name Max')).toEqual(refused(3, 'error: Pet 99 was not found.', 'hint: petstore pet list'));
    expect((await petstore('pet hold 1 abc')).exitCode).toBe(3);
    expect((await petstore('pet hold 1 1.5')).exitCode).toBe(2);
  });
  expect(await petstore('pet hold 1 2')).toEqual(done(lines('✓ Put pet 1 (Rex) on hold.', '✓ Put pet 2 (Bella) on hold.')));
});

testInShop('- reads ids from standard input, separated by white space', async ({ petstore }) => {
  expect(await petstore('pet view - --format ids', { stdin: '4\n2\r\n\n 1\t5 ' })).toEqual(done(lines('4', '2', '1', '5')));
  expect(await petstore('pet view 3 - 1 --format ids', { stdin: '4\n' })).toEqual(done(lines('3', '4', '1')));
  expect(await petstore('category view 1 --format ids', { stdin: 'ignored' })).toEqual(done('1\n'));
});

testInShop('ids from a list can be piped into a change', async ({ petstore }) => {
  const { stdout } = await petstore('order list --open --pet 2 --format ids');
  expect(await petstore('order complete -', { stdin: stdout })).toEqual(done('✓ Sold 2 × Bella, 3 available (order 1)\n'));
  const pets = await petstore('pet list --category Cats --format ids');
  expect(await petstore('pet edit - --category Dogs --dry-run', { stdin: pets.stdout })).toEqual(
    done(lines('Would change pet 3 (Whiskers, Dogs): sold.', 'Would change pet 5 (Luna, Dogs): pending.', 'Dry run: nothing was changed.')),
  );
});

testInShop('one invalid id on standard input refuses all', async ({ petstore, expectUnchanged }) => {
  await expectUnchanged(async () => {
    expect(await petstore('pet hold -', { stdin: '1\nabc\n2\n' })).toEqual(refused(3, 'error: There is no pet named "abc".', 'hint: petstore pet list'));
    expect(await petstore('pet hold -', { stdin: '1\n99\n2\n' })).toEqual(refused(3, 'error: Pet 99 was not found.', 'hint: petstore pet list'));
  });
});

testInShop('an empty standard input changes nothing', async ({ petstore, expectUnchanged }) => {
  await expectUnchanged(async () => {
    expect(await petstore('order complete -', { stdin: '' })).toEqual(done(''));
    expect(await petstore('order complete - --json', { stdin: '\n' })).toEqual(done('[]\n'));
    expect(await petstore('pet view - --json', { stdin: '' })).toEqual(done('[]\n'));
  });
});

testInShop('a repeated id is changed once', async (cli) => {
  expect(await cli.petstore('pet hold 1 1')).toEqual(done(lines('✓ Put pet 1 (Rex) on hold.', '✓ Unchanged: pet 1 (Rex) is on hold.')));
  expect((await cli.petstore('log --pet 1 --kind pet.held --format count')).stdout).toBe('1\n');
});

testInShop('JSON is an object for one id and an array for several or -', async (cli) => {
  const { petstore } = cli;
  const shape = async (line: string, stdin?: string) => {
    const { stdout } = await petstore(line, stdin === undefined ? {} : { stdin });
    const value = JSON.parse(stdout) as { readonly id?: number; readonly petId?: number } | readonly { readonly id?: number; readonly petId?: number }[];
    return Array.isArray(value) ? value.map(({ id, petId }: { readonly id?: number; readonly petId?: number }) => id ?? petId) : 'one';
  };
  await runAll(cli, ['order place --pet 4', 'order place --pet 4']);
  const lines_ = ['pet view', 'category view', 'order view', 'inventory view', 'pet edit --name Max', 'pet hold', 'pet release', 'order edit --quantity 1'];
  for (const line of lines_) {
    const [noun = '', verb = '', ...flags] = line.split(' ');
    const words = `${noun} ${verb}`;
    expect([words, await shape(`${words} 1 --json ${flags.join(' ')}`)]).toEqual([words, 'one']);
    expect([words, await shape(`${words} 3 1 --json ${flags.join(' ')}`)]).toEqual([words, [3, 1]]);
    if (noun !== 'category') expect([words, await shape(`${words} - --json ${flags.join(' ')}`, '1')]).toEqual([words, [1]]);
  }
  expect(await shape('order complete - --json', '5')).toEqual([5]);
  expect(await shape('order cancel 6 --json')).toBe('one');
  expect(await shape('pet delete - --yes --json', '3')).toEqual([3]);
});

testInShop('several hundred ids are changed in one transaction', async (cli) => {
  const rows = Array.from({ length: 600 }, (_, index) => `Guppy ${index},Fish,1`);
  await cli.petstore('pet import -', { stdin: `name,category,quantity\n${rows.join('\n')}\n` });
  const { stdout } = await cli.petstore('pet list --search guppy --format ids');
  const held = await cli.petstore('pet hold - --format count', { stdin: stdout });
  expect(held).toEqual(done('600\n'));
  expect((await cli.petstore('pet list --status pending --format count')).stdout).toBe('601\n');
});
