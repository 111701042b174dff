import { expect } from 'vitest';
import { testWithoutShop, testInShop, refused, wordsOf } from '../support/cli.js';

/** Lines with flags of every command before or between the words of the command, and the same line in the usual order. */
const orders: readonly (readonly [line: string, usual: string])[] = [
  ['--json status', 'status --json'],
  ['--json log', 'log --json'],
  ['--json id,kind log --pet 2', 'log --pet 2 --json id,kind'],
  ['--json id,name pet list', 'pet list --json id,name'],
  ['pet --json id,name list', 'pet list --json id,name'],
  ['inventory --quiet batch --format json list', 'inventory batch list --json'],
  ['--json pet view -- 2', 'pet view --json -- 2'],
  // As pnpm passes `pnpm petstore -- pet list`.
  ['-- pet list', 'pet list'],
  ['-- help pet view', 'help pet view'],
];

testInShop('global flags may stand before and between the words of a command', async ({ petstore }) => {
  for (const [line, usual] of orders) {
    const expected = await petstore(usual.replace(/ -- |$/, ' --quiet$&'));
    expect([usual, expected]).toMatchObject([usual, { exitCode: 0, stdout: expect.stringMatching(/./) }]);
    expect([line, await petstore(line.replace('--', '--quiet --'))]).toEqual([line, expected]);
  }
});

/** Misspelt words after a flag, and flags where they cannot stand: the error names the word. */
const mistyped: readonly (readonly [line: string, message: string, hint: string])[] = [
  ['--json staus', '"staus" is not a command of petstore; did you mean "status"?', 'petstore --help'],
  ['--quiet pet viw 7', '"viw" is not a command of petstore pet; did you mean "view"?', 'petstore pet --help'],
  ['--json log --xylophone', '"--xylophone" is not a flag of petstore log.', 'petstore log --help'],
  ['--yes log', '"--yes" is not a flag of petstore.', 'petstore --help'],
];

testInShop('a wrong word after a flag is named', async ({ petstore }) => {
  for (const [line, message, hint] of mistyped) {
    const { exitCode, stdout, stderr } = await petstore(wordsOf(line));
    if (line.includes('--json')) expect([exitCode, stdout, JSON.parse(stderr)]).toMatchObject([2, '', { error: { message, hint } }]);
    else expect([line, { exitCode, stdout, stderr }]).toEqual([line, refused(2, `error: ${message}`, `hint: ${hint}`)]);
  }
});

// The parsing time must grow linearly with the length of the line.
for (const [name, word] of [
  ['spaces', `--${' '.repeat(400_000)}`],
  ['spaces and line ends', `--${' '.repeat(200_000)}\n${' '.repeat(200_000)}x`],
  ['slashes', `--base-path=${'/'.repeat(400_000)}x`],
] as const) {
  testWithoutShop(`refuses a flag of 400,000 ${name} and quotes it shortened`, async ({ petstore }) => {
    const { exitCode, stderr } = await petstore(['serve', word]);
    expect([exitCode, stderr.length < 5000]).toEqual([2, true]);
  });
}

testWithoutShop('parses a line of twenty thousand flags fast', async ({ petstore }) => {
  for (const word of ['--json', '--quiet', '--x', 'help'])
    expect((await petstore([...Array.from({ length: 20_000 }, () => word), 'nothing'])).exitCode).toBe(2);
});
