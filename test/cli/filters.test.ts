import { expect } from 'vitest';
import { testInShop } from '../support/cli.js';

/** Repeated filters, and the lines that list each value separately. */
const repeatedFilters: readonly (readonly [line: string, one: string, other: string])[] = [
  ['pet list --status sold --status available', 'pet list --status sold', 'pet list --status available'],
  ['pet list --category Dogs --category Cats', 'pet list --category Dogs', 'pet list --category Cats'],
  ['inventory list --status sold --status available', 'inventory list --status sold', 'inventory list --status available'],
  ['order list --pet 2 --pet 4', 'order list --pet 2', 'order list --pet 4'],
  ['log --pet 2 --pet 4', 'log --pet 2', 'log --pet 4'],
  ['log --order 1 --order 2', 'log --order 1', 'log --order 2'],
  ['log --kind sale --kind opening', 'log --kind sale', 'log --kind opening'],
  ['log --batch 1 --batch 2', 'log --batch 1', 'log --batch 2'],
];

for (const [line, one, other] of repeatedFilters) {
  testInShop(`${line} lists both records`, async ({ petstore, file }) => {
    for (const pet of [2, 4]) await petstore(['inventory', 'import', file(`${pet}.csv`, `petId,delta\n${pet},1\n`)]);
    const ids = async (words: string): Promise<readonly number[]> => {
      const { exitCode, stdout } = await petstore(`${words} --format ids`);
      expect([words, exitCode]).toEqual([words, 0]);
      return stdout.split('\n').filter(Boolean).map(Number);
    };
    const [first, second] = [await ids(one), await ids(other)];
    expect([first.length > 0, second.length > 0]).toEqual([true, true]);
    expect(await ids(line)).toEqual([...first, ...second].toSorted((left, right) => left - right));
  });
}

for (const line of [
  'log --since 2026-11-22 --until 2026-11-20',
  'order list --from 2026-11-22 --to 2026-11-20',
  'report movements --from 2026-11-22 --to 2026-11-20',
]) {
  testInShop(`${line} exits with 6 because its range is reversed`, async ({ petstore }) => {
    const { exitCode, stdout, stderr } = await petstore(line);
    expect([exitCode, stdout, stderr]).toEqual([6, '', expect.stringMatching(/The range starts at 2026-11-22, after its end at 2026-11-20 \(UTC\)\.\n/)]);
  });
}
