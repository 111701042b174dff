import { expect } from 'vitest';
import { done, testInShop, lines, type CommandContext } from '../support/cli.js';

const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;
const dim = (text: string) => `\u001b[2m${text}\u001b[22m`;
const red = (text: string) => `\u001b[31m${text}\u001b[39m`;
const green = (text: string) => `\u001b[32m${text}\u001b[39m`;
const yellow = (text: string) => `\u001b[33m${text}\u001b[39m`;

/** A command context whose environment has only these colour variables. */
function around(environment: Readonly<Record<string, string>>, rest: CommandContext = {}): CommandContext {
  return { ...rest, environment: { NO_COLOR: '', ...environment } };
}

const table = lines(
  `${bold('ID')}  ${bold('Name')}      ${bold('Status')}       ${bold('Available')}`,
  ` 1  Rex       ${green('●')} available          1`,
  ` 2  Bella     ${green('●')} available          3`,
  ` 3  Whiskers  ${dim('●')} sold               0`,
  ` 4  Koi       ${green('●')} available         37`,
  ` 5  Luna      ${yellow('●')} pending            0`,
);

testInShop('a table in a terminal is coloured', async ({ petstore }) => {
  expect(await petstore('pet list --fields id,name,status,available', around({}, { terminal: 80 }))).toEqual(done(table));
});

testInShop('low and short stock is red', async ({ petstore }) => {
  await petstore('inventory set 2 1 --allow-shortage');
  const { stdout } = await petstore('inventory list --short --fields petId,available', around({}, { terminal: 80 }));
  expect(stdout).toBe(lines(`${bold('ID')}  ${bold('Available')}`, ` 2          ${red('0')}`));
});

testInShop('messages and errors are coloured', async ({ petstore }) => {
  const terminal = around({}, { terminal: 80 });
  expect(await petstore('pet hold 1', terminal)).toEqual(done(`${green('✓')} Put pet 1 (Rex) on hold.\n`));
  expect(await petstore('order place --pet 1', terminal)).toEqual({
    exitCode: 4,
    stdout: '',
    stderr: lines(`${red('error:')} Pet 1 is on hold.`, `${dim('hint:')} petstore pet release 1`),
  });
});

/** Precedence: flags, NO_COLOR, variables that force colour, then the stream. Columns: standard output, standard error. */
const rules: readonly (readonly [name: string, flags: string, around: CommandContext, stdout: boolean, stderr: boolean])[] = [
  ['a terminal', '', around({}, { terminal: 80 }), true, true],
  ['a pipe', '', around({}), false, false],
  ['only standard error piped', '', around({}, { terminal: 80, piped: 'stderr' }), true, false],
  ['only standard output piped', '', around({}, { terminal: 80, piped: 'stdout' }), false, true],
  ['NO_COLOR', '', around({ NO_COLOR: '1' }, { terminal: 80 }), false, false],
  ['an empty NO_COLOR', '', around({ NO_COLOR: '' }, { terminal: 80 }), true, true],
  ['FORCE_COLOR in a pipe', '', around({ FORCE_COLOR: '1' }), true, true],
  ['FORCE_COLOR=0 in a terminal', '', around({ FORCE_COLOR: '0' }, { terminal: 80 }), false, false],
  ['CLICOLOR_FORCE in a pipe', '', around({ CLICOLOR_FORCE: '1' }), true, true],
  ['CLICOLOR_FORCE=0 in a pipe', '', around({ CLICOLOR_FORCE: '0' }), false, false],
  ['CLICOLOR=0 in a terminal', '', around({ CLICOLOR: '0' }, { terminal: 80 }), false, false],
  ['CLICOLOR=1 in a pipe', '', around({ CLICOLOR: '1' }), false, false],
  ['TERM=dumb', '', around({ TERM: 'dumb' }, { terminal: 80 }), false, false],
  ['TERM=xterm-256color', '', around({ TERM: 'xterm-256color' }, { terminal: 80 }), true, true],
  ['NO_COLOR before FORCE_COLOR', '', around({ NO_COLOR: '1', FORCE_COLOR: '1' }, { terminal: 80 }), false, false],
  ['--color always before NO_COLOR', '--color always', around({ NO_COLOR: '1' }), true, true],
  ['--color=always in a pipe', '--color=always', around({}), true, true],
  ['--color never', '--color never', around({ FORCE_COLOR: '1' }, { terminal: 80 }), false, false],
  ['--color=never', '--color=never', around({}, { terminal: 80 }), false, false],
  ['--no-color', '--no-color', around({ FORCE_COLOR: '1' }, { terminal: 80 }), false, false],
  ['--color auto in a pipe', '--color auto', around({}), false, false],
  ['--color auto in a terminal', '--color auto', around({}, { terminal: 80 }), true, true],
];

for (const [name, flags, where, stdout, stderr] of rules) {
  testInShop(`colours follow ${name}`, async ({ petstore }) => {
    const good = await petstore(`pet hold 1 ${flags}`, where);
    const bad = await petstore(`pet view 99 ${flags}`, where);
    expect([good.stdout, bad.stderr]).toEqual([
      `${stdout ? green('✓') : '✓'} Put pet 1 (Rex) on hold.\n`,
      `${stderr ? red('error:') : 'error:'} Pet 99 was not found.\n${stderr ? dim('hint:') : 'hint:'} petstore pet list\n`,
    ]);
  });
}

testInShop('data formats are never coloured', async ({ petstore }) => {
  for (const format of ['tsv', 'csv', 'json', 'ndjson', 'ids', 'count']) {
    const { stdout } = await petstore(`pet list --format ${format} --color always`, { terminal: 80 });
    expect([format, stdout.includes('\u001b')]).toEqual([format, false]);
  }
});

testInShop('status shows in yellow what needs attention, and nothing else', async ({ petstore, clock }) => {
  clock.set('2026-12-24T10:00:00Z');
  await petstore('inventory set 2 1 --allow-shortage');
  const { stdout } = await petstore('status --color always', around({ FORCE_COLOR: '1' }, { terminal: 80 }));
  const coloured = stdout.split('\n').filter((line) => line.includes('\u001b[33m'));
  expect(coloured).toEqual([
    `low stock       ${yellow('1 (petstore inventory list --low)')}`,
    `short stock     ${yellow('1 (petstore inventory list --short)')}`,
    `overdue orders  ${yellow('1 (petstore order list --overdue)')}`,
  ]);
  // Each line of a wrapped value has the colour.
  expect((await petstore('status --color always', around({}, { terminal: 40 }))).stdout).toContain(
    `overdue orders  ${yellow('1 (petstore order list')}\n                ${yellow('--overdue)')}\n`,
  );
});
