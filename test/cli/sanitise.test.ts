import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { testInShop, wordsOf, type CommandContext, type CliFixture } from '../support/cli.js';

const mark = '\u{fffd}';

/** Names that input refuses but a database may contain, and how they are printed. */
const harmful: readonly (readonly [name: string, stored: string, shown: string])[] = [
  ['an escape sequence', '\u001b[31mRed\u001b[0m', `${mark}[31mRed${mark}[0m`],
  ['a title change', '\u001b]0;pwned\u0007Rex', `${mark}]0;pwned${mark}Rex`],
  ['C1 control characters', 'Rex\u009b2J\u0085\u0090', `Rex${mark}2J${mark}${mark}`],
  ['C0 control characters', 'R\u0000e\u0008x\u007f', `R${mark}e${mark}x${mark}`],
  ['a right-to-left override', 'Rex\u202egnp.exe', `Rex${mark}gnp.exe`],
  ['bidi isolates', '\u2066Rex\u2069\u200f', `${mark}Rex${mark}${mark}`],
  ['bidi marks', '\u200eRex\u061c\u200f', `${mark}Rex${mark}${mark}`],
  ['tabs and line ends', 'Rex\tSold\r\nluckily', 'Rex Sold  luckily'],
];

// eslint-disable-next-line no-control-regex -- that is what is looked for
const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const terminal: CommandContext = { terminal: 120 };

async function seen({ petstore }: CliFixture, line: string, around: CommandContext = terminal): Promise<string> {
  const { stdout, stderr } = await petstore(line, around);
  return stdout + stderr;
}

for (const [name, stored, shown] of harmful) {
  testInShop(`sanitises ${name} in tables, records and messages`, async (cli) => {
    const { sql } = cli;
    sql('UPDATE pets SET name = ? WHERE id = 2', stored);
    sql('UPDATE categories SET name = ?, description = ? WHERE id = 1', stored, stored);
    for (const line of [
      'pet list',
      'pet view 2',
      'pet view 2 1',
      'order list',
      'order view 1',
      'inventory list',
      'inventory view 2',
      'category list',
      'category view 1',
    ]) {
      const text = await seen(cli, line);
      expect([line, text.includes(shown), dangerous.test(text)]).toEqual([line, true, false]);
    }
    for (const line of ['pet hold 2', 'order edit 1 --quantity 1', 'inventory set 2 4', 'category edit 1 --description x', 'pet delete 2 --yes']) {
      for (const around of [terminal, {}]) {
        const text = await seen(cli, line, around);
        expect([line, text.includes(shown), dangerous.test(text)]).toEqual([line, true, false]);
      }
    }
  });

  testInShop(`keeps ${name} unchanged in JSON`, async ({ petstore, sql }) => {
    sql('UPDATE pets SET name = ? WHERE id = 2', stored);
    for (const around of [{}, terminal]) {
      expect((JSON.parse((await petstore('pet view 2 --json', around)).stdout) as { readonly name: string }).name).toBe(stored);
      expect(JSON.parse((await petstore('pet list --json name', around)).stdout)).toContainEqual({ name: stored });
    }
    const error = await petstore('pet delete 2 --yes --json');
    expect((JSON.parse(error.stderr) as { readonly error: { readonly message: string } }).error.message).toBe(`Pet 2 (${stored}) has 1 open order: 1.`);
  });
}

testInShop('sanitises rows and JSON in a terminal, and keeps them unchanged in a pipe', async (cli) => {
  const { petstore, sql } = cli;
  const stored = '\u061ca\u202e\u2066\u200f\u009b2J\u007f';
  sql('UPDATE pets SET name = ? WHERE id = 2', stored);
  sql('UPDATE categories SET name = ? WHERE id = 1', stored);
  const lines = ['pet list', 'pet view 2', 'pet view 2 1', 'category list', 'inventory list', 'order list', 'log', 'status', 'report stock'];
  for (const format of ['csv', 'tsv', 'json', 'ndjson', 'ids']) {
    for (const line of [...lines, 'pet export', 'inventory export', 'order export'].map((one) => `${one} --format ${format}`)) {
      // Tabs are the separators of TSV.
      const text = (await seen(cli, line)).replaceAll('\t', ' ');
      expect([line, dangerous.test(text)]).toEqual([line, false]);
    }
  }
  expect(dangerous.test(await seen(cli, 'pet export'))).toBe(false);
  for (const format of ['csv', 'tsv', 'json']) expect((await petstore(`pet list --format ${format}`)).stdout).toContain(stored);
});

testInShop('sanitises names of files and folders', async ({ petstore, path }) => {
  const home = path('a\u202eb\u061c\u001b[2J');
  mkdirSync(home);
  const environment = { PETSTORE_CONFIG: join(home, 'config.json'), PETSTORE_STORE: join(home, 'shop.db') };
  const commands = ['config path', 'config list', 'config get store', 'init'];
  for (const line of [...commands, `profile add x --store ${join(home, 'x.db')}`, 'profile list', 'status', 'doctor', 'token list --json']) {
    const { stdout, stderr } = await petstore(wordsOf(line), { terminal: 120, environment });
    expect([line, dangerous.test(stdout + stderr)]).toEqual([line, false]);
  }
  expect((await petstore('config path', { environment })).stdout).toBe(`${join(home, 'config.json')}\n`);
});

testInShop('a name with a line break cannot imitate a line of output', async ({ petstore, sql }) => {
  sql('UPDATE pets SET name = ? WHERE id = 2', 'Rex).\nhint: petstore pet delete 4');
  for (const line of ['pet hold 2', 'pet delete 2 --yes']) {
    const { stdout, stderr } = await petstore(line);
    expect((stdout + stderr).split('\n').filter((text) => text.startsWith('hint: petstore pet delete'))).toEqual([]);
  }
});

testInShop('sanitises arguments in error messages', async ({ petstore }) => {
  const nasty = '\u001b[2J\u202e\u009b';
  const lines: readonly (readonly string[])[] = [
    ['pet', 'view', nasty],
    ['pet', nasty],
    [nasty],
    ['pet', 'list', `--${nasty}`],
    ['pet', 'list', '--fields', nasty],
    ['pet', 'list', '--status', nasty],
    ['pet', 'list', '--category', nasty],
    ['pet', 'list', '--format', nasty],
    ['pet', 'list', '--store', `/nowhere/${nasty}`],
    ['category', 'delete', nasty, '--no-input'],
    ['inventory', 'import', `/nowhere/${nasty}.csv`],
    ['help', nasty],
  ];
  for (const line of lines) {
    const { stderr, exitCode } = await petstore(line, terminal);
    expect([line, exitCode > 0, stderr.includes(mark), dangerous.test(stderr)]).toEqual([line, true, true, false]);
  }
});

testInShop('sanitises the content of a file in the report of an import', async (cli) => {
  const content = 'petId,quantity\n1,\u001b[31mfive\n\u202e2,3\n';
  const { stdout, stderr } = await cli.petstore(`inventory import ${cli.file('\u001b[31mcount.csv', content)}`, terminal);
  expect(stderr).toContain(`quantity "${mark}[31mfive" is not a whole number.`);
  expect(dangerous.test(stdout + stderr)).toBe(false);
  const refusedBatch = await seen(cli, 'inventory batch view 1');
  expect(refusedBatch).toContain(`"${mark}[31mfive"`);
  expect(dangerous.test(refusedBatch)).toBe(false);
});

testInShop('keeps letters of every script, joiners and emoji', async ({ petstore }) => {
  for (const name of ['Ñandú', 'प्रिय', 'میشو\u200cخانه', '👩\u200d🚀', 'Zoë’s', '犬']) {
    const { stdout } = await petstore(['pet', 'edit', '1', '--name', name], terminal);
    expect(stdout).toBe(`✓ Changed pet 1 (${name.normalize('NFC')}, Dogs): available.\n`);
  }
});

testInShop('the JSON of an error escapes control characters', async ({ petstore }) => {
  const name = 'a\u202egnp.exe\u009b2J\u007f';
  const { stderr } = await petstore(['category', 'view', name, '--json']);
  expect(stderr).toMatch(/^[\u0020-\u007e]+\n$/);
  expect(JSON.parse(stderr)).toMatchObject({ error: { message: `There is no category named "${name}".` } });
});
