import { expect, test } from 'vitest';
import { existsSync, mkdirSync } from 'node:fs';
import { errorCodes, errorReason, StoreError, type ErrorDetails } from '../../src/domain/errors.js';
import { hintOf, hintText } from '../../src/cli/hints.js';
import { runAll, testInShop, type CliFixture } from '../support/cli.js';

/** The words of a line as a shell splits it, with quotes removed. */
function shellWords(line: string): readonly string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g)].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, '$1$2$3'));
}

/** Refused command lines; the hints of error codes are tested below. */
const refusals: readonly (string | readonly string[])[] = [
  'ptes',
  'pet lst',
  'pet list --stauts x',
  'pet list --json nmae',
  'pet view',
  'pet view Bela',
  ['pet', 'view', 'Zoe B'],
  ['pet', 'view', 'Zoë "the cat"'],
  'pet view --json 7',
  'pet create',
  'inventory set 1',
  'inventory set 1 +5',
  'inventory undo',
  'inventory low-at 7',
  'inventory import',
  'inventory import missing.csv --rejects nowhere/x.csv',
  'category view Nope',
  'category delete Dogs --yes',
  'config set',
  'config set wait',
  'config set wait ""',
  'config set nope 1',
  'config get nope',
  'profile use',
  'profile use nope',
  'profile add till',
  'profile remove nope',
  'token create',
  'token create till',
  'token revoke nope --yes',
  'backup -',
  'backup',
  'restore missing.db',
  'doctor --format ids',
  'status --format ids',
  'report stock --format ids',
  'help import formatting',
  'help xylophone',
  '--yes pet delete 9 -n --xylophone',
  'copy',
  'serve --socket /s --port 1',
  'log --follow --format count',
];

/** The command lines in a hint: all of it, or the part after a final colon. */
function linesIn(hint: string): readonly string[] {
  const line = /(?:^|: )((?:petstore|chmod|rm) .*)$/.exec(hint)?.[1];
  return line?.split(/ \| | && /) ?? [];
}

async function printedHint(cli: CliFixture, words: string | readonly string[]): Promise<string | undefined> {
  const { exitCode, stderr } = await cli.petstore(words, { stdin: '', environment: { PETSTORE_FORMAT: 'json' } });
  expect([words, exitCode]).not.toEqual([words, 0]);
  // --format overrides the variable.
  return stderr.startsWith('error: ') ? /^hint: (.*)$/m.exec(stderr)?.[1] : (JSON.parse(stderr) as { readonly error: { readonly hint?: string } }).error.hint;
}

/** The command lines of a hint can be parsed as they are, without placeholders. */
async function expectTypable(cli: CliFixture, hint: string): Promise<void> {
  expect(hint).not.toMatch(/[<>]/);
  for (const line of linesIn(hint)) {
    const [program, ...words] = shellWords(line);
    if (program === 'petstore') {
      const { stderr } = await cli.petstore(words, { stdin: '', environment: { PETSTORE_FORMAT: 'json' } });
      const codes = [...stderr.matchAll(/"code":"(usage|unknown_command|unknown_field|input_required)"/g)].map(([, code]) => code);
      expect([line, codes]).toEqual([line, []]);
    } else {
      expect([line, existsSync(words.at(-1) ?? '')]).toEqual([line, true]);
    }
  }
}

testInShop('most errors have a hint that is a command line, which can be run as printed', async (cli) => {
  const hints: string[] = [];
  for (const words of refusals) hints.push((await printedHint(cli, words)) ?? '');
  expect(hints.filter((hint) => linesIn(hint).length > 0).length).toBeGreaterThan(25);
  for (const hint of hints) await expectTypable(cli, hint);
});

testInShop('a hint contains the --store of the command, also with spaces in its path', async (cli) => {
  mkdirSync(cli.path('my shops'));
  const [shop, missing, other] = [cli.path('my shops/a shop.db'), cli.path("my shops/ana's.db"), cli.path('my shops/$HOME "x".db')];
  await runAll(cli, [`init --store "${shop}"`]);
  for (const words of [
    ['--store', missing, 'pet', 'list'],
    ['pet', 'list', `--store=${other}`],
    ['--store', shop, 'pet', 'create', '--name', 'A', '--category', 'Nope'],
    ['--store', shop, 'order', 'place', '--pet', '99'],
  ]) {
    const hint = (await printedHint(cli, words)) ?? '';
    const place = shellWords(hint);
    expect(place[place.indexOf('--store') + 1]).toBe([shop, missing].find((path) => words.includes(path)) ?? other);
    await expectTypable(cli, hint);
  }
});

testInShop('the refusal of a private address of a hook names the flag that allows it', async ({ petstore }) => {
  for (const url of ['http://hooks.example.com/', 'https://10.1.2.3/'])
    expect((await petstore(`hook create ${url}`)).stderr).toContain('\nhint: Create the hook with --allow-private to send to it.\n');
});

testInShop('the restore command that backup prints works with spaces in its path', async (cli) => {
  const { stdout } = await cli.petstore(['backup', cli.path('a backup.db')]);
  const line = /^restore: (.*)$/m.exec(stdout)?.[1] ?? '';
  expect((await cli.petstore([...shellWords(line).slice(1), '--dry-run'])).exitCode).toBe(0);
});

testInShop('the hint for a world-writable settings file quotes its path for a shell', async (cli) => {
  const { chmodSync } = await import('node:fs');
  const path = cli.file('my config.json', '{}');
  chmodSync(path, 0o666);
  const { stderr } = await cli.petstore('pet list', { environment: { PETSTORE_CONFIG: path } });
  expect(shellWords(/^hint: (.*)$/m.exec(stderr)?.[1] ?? '')).toEqual(['chmod', '600', path]);
});

testInShop('command lines printed after success contain the --store of the command', async (cli) => {
  mkdirSync(cli.path('my shops'));
  const [shop, sample, backup] = [cli.path('my shops/a.db'), cli.path('my shops/b.db'), cli.path('my shops/a backup.db')];
  const outputOf = async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await cli.petstore(words, { stdin: 'petId,delta\n3,1\n' });
    return stdout + stderr;
  };
  expect(await outputOf('--store', shop, 'init')).toContain(`Next: petstore category create --name Dogs --store "${shop}"\n`);
  expect(await outputOf('init', '--sample', '--store', sample)).toContain(`Next: petstore pet list --store "${sample}"\n`);
  expect(await outputOf('inventory', 'import', '-', '--store', sample)).toContain(`undo: petstore inventory undo 1 --store "${sample}"\n`);
  expect(await outputOf('backup', backup, '--store', sample)).toContain(`restore: petstore restore "${backup}" --store "${sample}"\n`);
  await outputOf('profile', 'add', 'till', '--store', sample);
  expect(await outputOf('-P', 'till', 'inventory', 'import', '-', '--key', 'again')).toContain('undo: petstore inventory undo 2 --profile till\n');
});

/** Details as refusals have them; every field of `ErrorDetails` is in one of them. */
const detailVariants: readonly ErrorDetails[] = [
  {},
  { petId: 2 },
  { petId: 2, orderIds: [1] },
  { orderId: 2 },
  { petId: 2, orderId: 2 },
  { petId: 2, entryId: 1 },
  { categoryId: 1 },
  { categoryText: 'Nope' },
  { batchId: 1 },
  { tokenId: 1 },
  ...errorReason.options.flatMap((reason) => [{ reason }, { reason, batchId: 1 }, { reason, entryId: 1, orderId: 1 }]),
];

testInShop('the hint of every error code and details is a command line that can be run as printed', async (cli) => {
  const hints = new Set<string>();
  const advices = new Set<string>();
  for (const code of errorCodes) {
    for (const details of detailVariants) {
      const hint = hintOf(new StoreError(code, 'Refused.', { details }));
      if (hint !== undefined) ('advice' in hint ? advices : hints).add(hintText(hint, {}, undefined, ['inventory', 'import', 'count.csv']));
    }
  }
  expect(hints.size).toBeGreaterThan(20);
  for (const hint of hints) await expectTypable(cli, hint);
  // Advice can have a placeholder, such as <seconds>, but not in a command line.
  for (const advice of advices) if (linesIn(advice).length > 0) await expectTypable(cli, advice);
});

test('advice of the error itself replaces the hint of its code', () => {
  expect(hintOf(new StoreError('store_missing', 'Gone.'))).toEqual({ command: ['init'] });
  expect(hintOf(new StoreError('store_missing', 'Gone.', { advice: 'Look elsewhere.' }))).toEqual({ advice: 'Look elsewhere.' });
});

test('only commands that open a shop get the flags that name it', () => {
  const given = { store: '/srv/my shop.db' };
  const settings = { store: '/srv/my shop.db', where: '/srv/my shop.db' };
  const texts = [
    { command: ['pet', 'list'] },
    { command: ['pet', 'view', '--', '7'] },
    { command: ['pet', 'list', '--store', 'x.db'] },
    { command: ['pet', 'list', '--help'] },
    { command: ['config', 'list'] },
    { command: ['help', 'imports'] },
    { command: ['log', '--batch', '1'], pipedTo: ['pet', 'delete', '-'] },
    { advice: 'Try again later.' },
  ].map((hint) => hintText(hint, given, settings, []));
  expect(texts).toEqual([
    'petstore pet list --store "/srv/my shop.db"',
    'petstore pet view --store "/srv/my shop.db" -- 7',
    'petstore pet list --store x.db',
    'petstore pet list --help',
    'petstore config list',
    'petstore help imports',
    'petstore --store "/srv/my shop.db" log --batch 1 | petstore --store "/srv/my shop.db" pet delete -',
    'Try again later.',
  ]);
});
