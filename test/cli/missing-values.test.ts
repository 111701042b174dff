import { expect, test } from 'vitest';
import { groups } from '../../src/cli/command-groups.js';
import { done, testInShop, refused, type CommandContext } from '../support/cli.js';

const file = (verb: string): readonly [message: string, hint: string] => ['No file to import.', `Name a file, or pipe one in; see: petstore ${verb} --help`];
const missing = (what: string, command: string): readonly [message: string, hint: string] => [`The ${what} missing.`, `petstore ${command} --help`];

/** Command lines with missing values, and the error when the command cannot prompt. */
const missingValues: readonly (readonly [line: string, message: string, hint: string])[] = [
  ['pet create', '--name is missing.', 'Give it with --name.'],
  ['pet create --name Max', '--category is missing.', 'Give it with --category.'],
  ['category create', '--name is missing.', 'Give it with --name.'],
  ['pet view', ...missing('id is', 'pet view')],
  ['pet delete --yes', ...missing('id is', 'pet delete')],
  ['pet hold --note "at the vet"', ...missing('id is', 'pet hold')],
  ['pet release', ...missing('id is', 'pet release')],
  ['category view --json', ...missing('category is', 'category view')],
  ['category delete', ...missing('category is', 'category delete')],
  ['order view', ...missing('id is', 'order view')],
  ['order complete', ...missing('id is', 'order complete')],
  ['order reopen', ...missing('id is', 'order reopen')],
  ['order cancel', ...missing('id is', 'order cancel')],
  ['inventory view', ...missing('pet is', 'inventory view')],
  ['inventory set', ...missing('pet and quantity are', 'inventory set')],
  ['inventory set 1', ...missing('quantity is', 'inventory set')],
  ['inventory set --json quantity -- 1', ...missing('quantity is', 'inventory set')],
  ['inventory adjust 1', ...missing('change is', 'inventory adjust')],
  ['inventory import', ...file('inventory import')],
  ['inventory diff', ...file('inventory diff')],
  ['pet import', ...file('pet import')],
  // Values without a prompt are missing too.
  ['pet edit --name Max', ...missing('id is', 'pet edit')],
  ['token revoke', ...missing('name is', 'token revoke')],
];

/** Every case in which a command cannot prompt. */
const withoutPrompts: readonly (readonly [flags: string, around: CommandContext])[] = [
  ['', {}],
  ['', { terminal: 80, piped: 'stderr' }],
  ['--no-input', { terminal: 80 }],
  ['', { terminal: 80, environment: { PETSTORE_NO_INPUT: '1' } }],
  ['', { terminal: 80, environment: { CI: 'true' } }],
];

for (const [line, message, hint] of missingValues) {
  testInShop(`${line}: names the missing values when it cannot prompt`, async ({ petstore, expectUnchanged }) => {
    await expectUnchanged(async () => {
      for (const [flags, around] of withoutPrompts) {
        const words = line.replace(/^\S+ \S+/, `$& ${flags}`);
        if (line.includes('--json')) expect(await petstore(words, around)).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
        else expect(await petstore(words, around)).toEqual(refused(2, `error: ${message}`, `hint: ${hint}`));
      }
      const told = JSON.parse((await petstore(line.includes('--json') ? line : `${line} --format json`)).stderr);
      expect(told).toMatchObject({ error: { code: line.includes('import') || /create|diff/.test(line) ? 'input_required' : 'usage', exitCode: 2 } });
    });
  });
}

testInShop('optional values are not reported as missing when a command cannot prompt', async ({ petstore }) => {
  expect(await petstore('order place')).toEqual(done('✓ Saved order 5 as a draft.\n'));
  expect(await petstore('order place --no-input', { terminal: 80 })).toEqual(done('✓ Saved order 6 as a draft.\n'));
  expect((await petstore('category create --name Birds', { terminal: 80 })).exitCode).toBe(0);
});

testInShop('a printed command line never contains the password of a database', async ({ petstore }) => {
  for (const store of ['--store postgres://ana:secret@localhost/shop?password=secret', '--store=postgres://ana:secret@localhost/shop']) {
    const { stderr } = await petstore(`inventory set 7 ${store}`);
    expect([stderr.includes('missing'), stderr.includes('secret')]).toEqual([true, false]);
  }
});

testInShop('petstore without arguments prints its help when it cannot prompt, with any settings', async ({ petstore }) => {
  for (const around of [{}, { terminal: 80, piped: 'stdout' }, { environment: { PETSTORE_STORE: 'ftp://nowhere' } }] as const) {
    expect(await petstore('', around)).toEqual(done(expect.stringContaining('Usage: petstore <command> [flags]') as unknown as string));
  }
  for (const line of ['--help', 'pet', 'inventory batch']) {
    expect(await petstore(line, { terminal: 80 })).toEqual(done(expect.stringContaining('Usage: petstore ') as unknown as string));
  }
});

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();

test('a command asks for its first arguments, and for what it cannot do without', () => {
  const asking = commands.filter(({ arguments: all, flags }) => [...Object.values(all), ...Object.values(flags)].some(({ prompt }) => prompt));
  expect(asking.length).toBeGreaterThan(15);
  for (const { path, arguments: all } of asking) {
    const words = path.join(' ');
    const prompts = Object.values(all).map(({ prompt }) => prompt !== undefined);
    // Without a value for an earlier argument, a later one would take its position.
    expect([words, prompts]).toEqual([words, prompts.toSorted((one, other) => Number(other) - Number(one))]);
    for (const { required, prompt } of Object.values(all).filter((one) => one.required)) {
      expect([words, required, prompt?.followUp]).toEqual([words, true, undefined]);
    }
  }
});
