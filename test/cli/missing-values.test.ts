import { expect, test } from 'vitest';
import { groups } from '../../src/cli/command-groups.js';
import { done, testInShop, refused, type CommandContext, type CommandResult } from '../support/cli.js';

const file = (verb: string): readonly [message: string, hint: string] => ['No file to import.', `Name a file, or pipe one in; see: petstore ${verb} --help`];
const example = (line: string, noun: string): string => `See petstore ${noun} list. For example: petstore ${line}`;
const which = (noun: string, line: string, kind = noun): readonly [message: string, hint: string] => [`Which ${kind}?`, example(line, noun)];
const stockHint = 'petstore inventory set --help';

/** Command lines with missing values, and the error when the command cannot prompt. */
const missingValues: readonly (readonly [line: string, message: string, hint: string])[] = [
  ['pet create', 'Which name?', 'Add --name Rex.'],
  ['pet create --name Max', 'Which category?', 'Add --category Dogs; petstore category list shows all.'],
  ['category create', 'Which name?', 'Add --name Dogs.'],
  ['pet view', ...which('pet', 'pet view 7')],
  ['pet delete --yes', ...which('pet', 'pet delete 7 8 --dry-run')],
  ['category delete', ...which('category', 'category delete Birds --move-to Others --dry-run')],
  ['order view', ...which('order', 'order view 12')],
  ['order reopen', ...which('order', 'order reopen 12 --note "customer changed her mind"', 'complete order')],
  ['inventory set', 'The pet and quantity are missing.', example('inventory set 7 12', 'pet')],
  ['inventory set 1', 'The quantity is missing.', stockHint],
  ['inventory adjust 1', 'The change is missing.', 'petstore inventory adjust --help'],
  ['inventory import', ...file('inventory import')],
  // Values without a prompt are missing too.
  ['pet edit --name Max', ...which('pet', 'pet edit 7 --name Max')],
  ['token revoke', ...which('token', 'token revoke till --dry-run')],
];

/** Every case in which a command cannot prompt. */
const withoutPrompts: readonly (readonly [flags: string, around: CommandContext])[] = [
  ['', {}],
  ['', { terminal: 80, piped: 'stderr' }],
  ['--no-input', { terminal: 80 }],
  ['', { terminal: 80, environment: { PETSTORE_NO_INPUT: '1' } }],
  ['', { terminal: 80, environment: { CI: 'true' } }],
];

/** A refusal without the line breaks that fit it to the terminal. */
const unwrapped = ({ stderr, ...result }: CommandResult): CommandResult => ({ ...result, stderr: stderr.replaceAll(/\n(?!hint:|$)/g, ' ') });

testInShop('a command names the missing values when it cannot prompt', async ({ petstore, expectUnchanged }) => {
  await expectUnchanged(async () => {
    for (const [line, message, hint] of missingValues) {
      for (const [flags, around] of withoutPrompts) {
        const words = line.replace(/^\S+ \S+/, `$& ${flags}`);
        expect([words, unwrapped(await petstore(words, around))]).toEqual([words, refused(2, `error: ${message}`, `hint: ${hint}`)]);
      }
      const told = JSON.parse((await petstore(`${line} --format json`)).stderr);
      expect(told).toMatchObject({ error: { code: /import|create/.test(line) ? 'input_required' : 'usage', exitCode: 2 } });
    }
  });
});

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
