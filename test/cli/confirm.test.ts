import { expect } from 'vitest';
import { done, testInShop, refused, type CommandContext } from '../support/cli.js';

const hint = 'hint: Confirm with --yes, or preview with --dry-run.';

/** Irreversible commands and their confirmations. */
const questions: readonly (readonly [line: string, question: string, answer: string])[] = [
  ['pet delete 1', 'Delete pet 1 (Rex)?', '✓ Deleted pet 1 (Rex).\n'],
  ['pet delete 1 3', 'Delete 2 pets: 1 (Rex) and 3 (Whiskers)?', '✓ Deleted pet 1 (Rex).\n✓ Deleted pet 3 (Whiskers).\n'],
  ['category delete Fish --move-to Dogs', 'Delete the category Fish and move its pets to Dogs?', '✓ Deleted category 3 (Fish).\n'],
];

/** Every case in which a command cannot prompt. */
const withoutPrompts: readonly (readonly [name: string, flags: string, around: CommandContext])[] = [
  ['in a pipe', '', {}],
  ['with standard input piped', '', { terminal: 120, stdin: 'y\n' }],
  ['with standard error piped', '', { terminal: 120, piped: 'stderr' }],
  ['with --no-input', '--no-input', { terminal: 120 }],
  ['with PETSTORE_NO_INPUT', '', { terminal: 120, environment: { PETSTORE_NO_INPUT: '1' } }],
  ['in CI', '', { terminal: 120, environment: { CI: 'true' } }],
];

for (const [line, question, answer] of questions) {
  for (const [name, flags, around] of withoutPrompts) {
    testInShop(`${line} ${name}: refused because it cannot ask for confirmation`, async ({ petstore, expectUnchanged }) => {
      expect(await expectUnchanged(() => petstore(`${line} ${flags}`, around))).toEqual(refused(2, `error: ${question} Confirmation required.`, hint));
      expect(await petstore(`${line} ${flags} --yes`, around)).toEqual(done(answer));
    });
  }
}

testInShop('-y is --yes, and JSON contains the error code', async ({ petstore }) => {
  const { exitCode, stdout, stderr } = await petstore('pet delete 1 --json');
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'confirmation_required',
      message: 'Delete pet 1 (Rex)? Confirmation required.',
      status: 400,
      exitCode: 2,
      hint: 'Confirm with --yes, or preview with --dry-run.',
    },
  });
  expect(await petstore('pet delete 1 -y')).toEqual(done('✓ Deleted pet 1 (Rex).\n'));
});

testInShop('only irreversible commands ask for confirmation', async ({ petstore }) => {
  const lines = [
    'pet create --name Max --category Dogs',
    'pet edit 1 --name Max',
    'pet hold 1',
    'pet release 1',
    'category create --name Birds',
    'category edit 2 --name Katzen',
    'order place --pet 4',
    'order edit 1 --quantity 1',
    'order complete 1',
    'order reopen 1',
    'order cancel 1',
    'inventory set 3 4',
    'inventory adjust 4 +1',
    'inventory low-at 4 1',
  ];
  for (const line of lines) {
    expect([line, (await petstore(line)).exitCode]).toEqual([line, 0]);
    // A second category of this name is refused.
    const again = line.replace('--name Birds', '--name Newts');
    expect([line, (await petstore(`${again} --yes --no-input`)).exitCode]).toEqual([line, 0]);
  }
});

testInShop('an import from a pipe needs no confirmation', async ({ petstore }) => {
  expect(await petstore('inventory import -', { stdin: 'petId,quantity\n4,0\n', terminal: 80 })).toEqual(
    done('✓ 1 applied, 0 unchanged, 0 rejected   batch 1   undo: petstore inventory undo 1\n'),
  );
  expect((await petstore('inventory import - --no-input', { stdin: 'petId,quantity\n4,1\n' })).exitCode).toBe(0);
});

testInShop('invalid ids are reported before a confirmation', async ({ petstore }) => {
  expect((await petstore('pet delete abc')).stderr).toBe('error: There is no pet named "abc".\nhint: petstore pet list\n');
  expect((await petstore('pet delete 1 --fields nope')).stderr).toMatch(/^error: "nope" is not a field of this command\.\n/);
});

testInShop('a command that will be refused does not ask for confirmation', async ({ petstore, expectUnchanged }) => {
  for (const around of [{}, { terminal: 80 }]) {
    expect(await expectUnchanged(() => petstore('pet delete 99', around))).toEqual(refused(3, 'error: Pet 99 was not found.', 'hint: petstore pet list'));
    expect((await expectUnchanged(() => petstore('pet delete 1 2', around))).stderr).toMatch(/^error: Pet 2 \(Bella\) has 1 open order: 1\.\n/);
  }
});
