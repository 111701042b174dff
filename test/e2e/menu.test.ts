import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { prepare, runHosted } from '../support/program.js';
import { keys, plain, runInTerminal, type Step } from '../support/terminal.js';
import { promptShops } from '../support/prompts.js';

const { testPrompts } = promptShops();

/** Adds up the keys of steps that only type: an arrow is one key. */
function countKeys(steps: readonly Step[]): number {
  // eslint-disable-next-line no-control-regex -- an arrow is an escape sequence
  const typed = steps.map(([, then]) => (typeof then === 'string' ? then.replaceAll(/\u001b\[[A-Z]/g, '→') : ''));
  return [...typed.join('')].length;
}

testPrompts('from no shop to a first sale and its undo in the menu, in at most 20 keys', async (store) => {
  const first: readonly Step[] = [[/There is no shop at\s[^]*yet\.[^]*What would you like to do\?[^]*› Create a sample shop[^]*Quit/, keys.enter]];
  const fromEmpty: readonly Step[] = [
    [/There is no shop at\s[^]*› Create a sample shop[^]*Quit/, keys.down],
    [/› Create an empty shop/, keys.enter],
    [/› Sell a pet[^]*Quit/, keys.enter],
    [/No pets yet\. Add one now\? \(Y\/n\)/, keys.enter],
    [/Name of the first category: \(Pets\)/, keys.enter],
    [/Name of the pet:/, `Rex${keys.enter}`],
    [/How many are on hand\? \(1\)/, keys.enter],
    [/How many\? \(1 available\) \(1\)/, keys.enter],
  ];
  const fromSample: readonly Step[] = [
    ...first,
    [/› Sell a pet[^]*Quit/, keys.enter],
    [/Which pet\?[^]*› +1 {2}Biscuit/, keys.enter],
    [/How many\? \(1 available\) \(1\)/, keys.enter],
  ];
  const undo: readonly Step[] = [
    [/✓ Sold 1 × \w+: 1 → 0 available\s\(order\s\d+\)\nAs a command: petstore sell 1\n[^]*› Sell a pet[^]*Quit/, 'u'],
    [/› Undo last change/, keys.enter],
    [/Undo the sale of 1 × [^]*\(y\/N\)/, `y${keys.enter}`],
    [/✓ Undid the sale of 1 × \w+ \(order\s\d+\)\.\n[^]*Quit/, `q${keys.enter}`],
  ];
  expect([countKeys(fromEmpty), countKeys(fromSample)]).toEqual([11, 4]);
  for (const [name, sale, columns, rows] of [
    ['empty', fromEmpty, 40, 20],
    ['sample', fromSample, 80, 24],
  ] as const) {
    const shop = `${store}-${name}`;
    const { exitCode, stdout } = await runInTerminal(shop, '', [...sale, ...undo], { columns, rows });
    expect([name, exitCode, plain(stdout).includes('error')]).toEqual([name, 0, false]);
    expect((await runHosted(shop, ['order', 'list', '--complete', '--pet', '1', '--format', 'count'])).stdout).toBe('0\n');
  }
});

testPrompts('a "--" that a package manager passes on is no word of a job, and one of the line keeps its flags in front of it', async (store) => {
  for (const line of ['--', '-- --quiet', `--store ${store}-named --`]) {
    const { exitCode, stdout } = await runInTerminal(`${store}-${line.length}`, line, [
      [/There is no shop/, keys.enter],
      [/› Sell a pet[^]*Quit/, `q${keys.enter}`],
    ]);
    expect([line, exitCode, plain(stdout).includes('error')]).toEqual([line, 0, false]);
  }
});

testPrompts('keys that are typed ahead go to the questions that they are for', async (store) => {
  const { exitCode, stdout } = await runInTerminal(`${store}-none`, '', [
    [/There is no shop/, `${keys.down}\r\r\r\rRex\r3\r2\r`],
    [/✓ Sold 2 × Rex: 3 → 1 available\s\(order\s1\)\n[^]*Quit/, `q${keys.enter}`],
  ]);
  expect([exitCode, plain(stdout).includes('error')]).toEqual([0, false]);
});

testPrompts('a job that fails shows why and comes back to the menu', async (store) => {
  const { exitCode, stdout } = await runInTerminal(store, '', [
    [/› Sell a pet[^]*Quit/, keys.enter],
    [/› 1 {2}Rex/, keys.enter],
    [
      /How many\? \(5 available\)/,
      async ({ type }) => {
        await prepare(store, ['inventory', 'set', '1', '0']);
        type(`5${keys.enter}`);
      },
    ],
    [/error: Rex \(pet 1\) is out of stock\.[^]*› Sell a pet[^]*Quit/, 'u'],
    [/› Undo last change/, keys.enter],
    [/Undo the count of Rex[^]*\(y\/N\)/, `y${keys.enter}`],
    [/Undid the count of Rex[^]*› Undo last change[^]*Quit/, keys.enter],
    [
      /Undo the creation of Whi[^]*\(y\/N\)/,
      async ({ type }) => {
        await prepare(store, ['undo', '--yes']);
        type(`y${keys.enter}`);
      },
    ],
    [/error: You cannot undo entry \d+: it was already undone by entry \d+\.\n[^]*› Undo last change[^]*Quit/, `q${keys.enter}`],
  ]);
  expect([exitCode, plain(stdout)]).toEqual([0, expect.stringContaining('$ petstore undo\n')]);
});

testPrompts('petstore without arguments is a menu of commands until Quit', async (store) => {
  const menu = /What would you like to do\?[^]*Quit/;
  const { exitCode, stdout } = await runInTerminal(store, '', [
    [menu, keys.enter],
    [/Which pet\?[^]*› 1 {2}Rex/, keys.enter],
    [/How many\?/, `3${keys.enter}`],
    // After the sale the menu is at the same item. Receive stock.
    [/Sold 3 × Rex[^]*› Sell a pet[^]*Quit/, keys.down],
    [/› Receive stock/, keys.enter],
    [/Which pet\?[^]*› 1 {2}Rex/, 'bella'],
    [/› 2 {2}Bella/, keys.enter],
    [/Bella has 5 on hand\. Units received:/, `0${keys.enter}`],
    [/at least 1/, `${keys.erase}7${keys.enter}`],
    // Escape returns to the menu. Count stock.
    [/Received 7 × Bella: 5 → 12 on hand[^]*› Receive stock[^]*Quit/, keys.down],
    [/› Count stock/, keys.enter],
    [/Which pet\?[^]*› 1 {2}Rex/, keys.interrupt],
    [/Cancelled\.[^]*› Count stock[^]*Quit/, keys.down.repeat(2)],
    [/› Undo last change/, keys.enter],
    [/petstore undo\nShop: [^]*Undo the addition of 7 × Bella, [^]*\?/, `y${keys.enter}`],
    [/Undid the addition of 7 × Bella\.[^]*› Undo last change[^]*Quit/, keys.down],
    [/› Open orders/, keys.enter],
    [/petstore order list --open\nNothing found\.[^]*› Open orders[^]*Quit/, keys.down],
    [/› Today's figures/, keys.enter],
    [/petstore report movements --from today\n[^]*› Today's figures[^]*Quit/, keys.down.repeat(3)],
    [/› Quit/, keys.enter],
  ]);
  // Neither an error nor a warning, such as of listeners that prompts leave behind.
  expect([exitCode, plain(stdout)]).toEqual([0, expect.not.stringMatching(/warning/i)]);
  const lines = [...plain(stdout).matchAll(/^(?:As a command:|\$) petstore (.*)$/gm)].map(([, line]) => line);
  expect(lines).toEqual(['sell 1 3', 'receive 2 7', 'undo', 'order list --open', 'report movements --from today']);
});

testPrompts('the menu looks as shown in README.md and the guide', async (store) => {
  const [readme = '', chapter = ''] = ['README.md', 'data/guide/counter.md'].map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
  const [section = ''] = /^## At the counter$[^]*?^## /m.exec(readme) ?? [];
  expect(section).toContain('```text');
  const shown = [...`${section}\n${chapter}`.matchAll(/^```text\n([^]*?)^```$/gm)]
    .flatMap(([, text = '']) => text.trimEnd().split('\n'))
    .filter((line) => !line.startsWith('~$'))
    .map((line) => line.replace('/home/ana/', '/tmp/'));
  const tour = `${store}-tour`;
  await prepare(tour, ['init', '--sample']);
  const { stdout } = await runInTerminal(tour, '', [
    [/Quit/, keys.enter],
    [/Which pet\?[^]*› +1 /, 'ne'],
    [/\? ne\n› 3 {2}Neon tetra/, keys.enter],
    [/How many\?/, `3${keys.enter}`],
    [/Quit/, keys.interrupt],
  ]);
  const delivery = fileURLToPath(new URL('../../data/delivery.csv', import.meta.url));
  const imported = await runInTerminal(tour, `inventory import "${delivery}"`, [[/Apply these 5 changes\?/, `y${keys.enter}`]]);
  expect(shown.length).toBeGreaterThan(20);
  const seen = plain(stdout + imported.stdout).replaceAll(tour, '/tmp/tour.db');
  for (const line of shown) expect(seen).toContain(line);
});

testPrompts('Ctrl-C and end of input leave the menu', async (store) => {
  for (const key of [keys.interrupt, keys.end]) {
    const { exitCode, stdout } = await runInTerminal(store, '', [[/Quit/, key]]);
    expect(exitCode).toBe(130);
    expect(plain(stdout)).not.toContain('error');
  }
});

testPrompts('a menu stopped with Ctrl-Z continues after SIGCONT', async (store) => {
  const pidFile = `${store}.pid`;
  const steps: readonly Step[] = [
    // In an orphaned process group the system does not stop the process; the rest is the same.
    [/› Sell a pet[^]*Quit/, `\u001a${keys.down}`],
    [
      /› Receive stock/,
      ({ type }) => {
        process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGCONT');
        type(keys.down.repeat(8));
      },
    ],
  ];
  const { exitCode } = await runInTerminal(store, '', [...steps, [/› Quit/, keys.enter]], { pidFile });
  expect(exitCode).toBe(0);
});

testPrompts('petstore without arguments prints its help in a pipe or with --no-input', async (store) => {
  for (const line of ['--no-input', '| cat', '2> /dev/null', '< /dev/null']) {
    const { exitCode, stdout } = await runInTerminal(store, line, [], line === '--no-input' ? {} : { more: { PAGER: 'cat' } });
    expect([line, exitCode, plain(stdout)]).toEqual([line, 0, expect.stringContaining('Usage: petstore <command> [flags]')]);
  }
});
