import { expect } from 'vitest';
import { testWithoutShop, testInShop, refused, wordsOf } from '../support/cli.js';

/** Lines with flags of every command before or between the words of the command, and the same line in the usual order. */
const orders: readonly (readonly [line: string, usual: string])[] = [
  ['--json status', 'status --json'],
  ['--json log', 'log --json'],
  ['--json commands', 'commands --json'],
  ['--json init', 'init --json'],
  ['--json log --pet 2', 'log --pet 2 --json'],
  ['--json id,kind log --pet 2', 'log --pet 2 --json id,kind'],
  ['--json pet list', 'pet list --json'],
  ['--json id,name pet list', 'pet list --json id,name'],
  ['pet --json id,name list', 'pet list --json id,name'],
  ['pets --quiet ls --search bella --json', 'pet list --search bella --json'],
  ['inventory --quiet batch --format json list', 'inventory batch list --json'],
  ['--quiet pet --format csv list', 'pet list --format csv'],
  ['--json pet view -- 2', 'pet view --json -- 2'],
  // As pnpm passes `pnpm petstore -- pet list`.
  ['-- pet list', 'pet list'],
  ['-- pet view -- 2', 'pet view -- 2'],
  ['-- --json pet list', 'pet list --json'],
  ['-- status', 'status'],
  ['-- help pet view', 'help pet view'],
  ['--quiet help pet view', 'help pet view'],
];

for (const [line, usual] of orders) {
  testInShop(`${line} does the same as ${usual}`, async ({ petstore }) => {
    const expected = await petstore(usual.replace(/ -- |$/, ' --quiet$&'));
    expect(expected).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/./) });
    expect(await petstore(line.replace('--', '--quiet --'))).toEqual(expected);
  });
}

/** Misspelt words after a flag, and flags where they cannot stand: the error names the word. */
const mistyped: readonly (readonly [line: string, message: string, hint: string])[] = [
  ['--json staus', '"staus" is not a command of petstore; did you mean "status"?', 'petstore --help'],
  ['pet --json view 2', '--json takes "view" as its value, so no command is left.', 'petstore pet view --help'],
  ['pets --json ls --search bella', '--json takes "ls" as its value, so no command is left.', 'petstore pet ls --help'],
  ['inventory batch --json list', '--json takes "list" as its value, so no command is left.', 'petstore inventory batch list --help'],
  ['--quiet pet viw 7', '"viw" is not a command of petstore pet; did you mean "view"?', 'petstore pet --help'],
  ['--json log --xylophone', '"--xylophone" is not a flag of petstore log.', 'petstore log --help'],
  ['--yes log', '"--yes" is not a flag of petstore; the flags of a command come after its words.', 'petstore log --help'],
  ['--search bella pet list', '"--search" is not a flag of petstore; the flags of a command come after its words.', 'petstore pet --help'],
  ['--store status', '--store takes "status" as its value, so no command is left.', 'petstore status --help'],
  ['--actor log', '--actor takes "log" as its value, so no command is left.', 'petstore log --help'],
  ['-- pet viw 7', '"viw" is not a command of petstore pet; did you mean "view"?', 'petstore pet --help'],
  ['help import formatting', '"import" is a help topic and takes no further words.', 'petstore help import'],
];

for (const [line, message, hint] of mistyped) {
  testInShop(`${line}: ${message}`, async ({ petstore }) => {
    const { exitCode, stdout, stderr } = await petstore(wordsOf(line));
    if (line.includes('--json')) expect([exitCode, stdout, JSON.parse(stderr)]).toMatchObject([2, '', { error: { message, hint } }]);
    else expect({ exitCode, stdout, stderr }).toEqual(refused(2, `error: ${message}`, `hint: ${hint}`));
  });
}

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
