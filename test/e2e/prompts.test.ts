import Database from 'better-sqlite3';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyCommand } from '../../src/cli/command-groups.js';
import { dump } from '../support/cli.js';
import { ensureBuilt, environment, petstore, prepare, runProgram, runShell, start } from '../support/program.js';
import { screenOf } from '../support/screen.js';
import { testInTerminal, keys, plain, runInTerminal, type Step } from '../support/terminal.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-prompts-'));
const fresh = join(folder, 'fresh.db');

beforeAll(async () => {
  await ensureBuilt();
  const pets = ['Rex', 'Bella', 'Whiskers'].map((name) => ['pet', 'create', '--name', name, '--category', '1', '--quantity', '5']);
  await prepare(fresh, ['init'], ['category', 'create', '--name', 'Dogs'], ['category', 'create', '--name', 'Fish and frogs'], ...pets);
  // A name that the shop refuses, written by another program.
  const database = new Database(fresh);
  database.prepare('UPDATE pets SET name = ? WHERE id = 3').run('Whi\u001b[31msk\u202eers\u0007');
  database.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

let shops = 0;

/** A scenario in a new shop: Rex (1), Bella (2) and Whiskers (3) with control characters, 5 of each, in Dogs; Fish and frogs is empty. */
function testPrompts(name: string, scenario: (store: string) => Promise<void>): void {
  const store = join(folder, `shop-${(shops += 1)}.db`);
  testInTerminal(
    name,
    async () => {
      copyFileSync(fresh, store);
      await scenario(store);
    },
    test.concurrent,
  );
}

/** The command line that the prompts print at the end. */
function lineOf(stdout: string): string {
  return /^(?:As a command|The command was): petstore (.*)$/m.exec(unwrapped(stdout))?.[1] ?? '';
}

/** The output without colours, with each command line that was too long for the terminal in one line. */
function unwrapped(stdout: string): string {
  return plain(stdout)
    .replaceAll(/ \\\n +/g, ' ')
    .replaceAll(/^(As a command:|The command was:)\n +/gm, '$1 ');
}

testPrompts('pet create asks for name, category and quantity', async (store) => {
  const out = `${store}.json`;
  const { exitCode, stdout } = await runInTerminal(store, `pet create --json > ${out}`, [
    [/Category of the pet:[^]*Fish and frogs/, 'frog'],
    [/Category of the pet: frog\n› 2 {2}Fish and frogs {2}0 pets/, keys.enter],
    [/Name of the pet:/, ` ${keys.enter}`],
    [/A name must not be blank\./, `${keys.erase}Rex's 3 "fröh" $liche${keys.enter}`],
    [/How many are on hand\? \(1\)/, `-1${keys.enter}`],
    [/quantity: must be between 0 and 2147483647, not -1\./, `${keys.erase}${keys.erase}x${keys.enter}`],
    [/The answer takes a whole number, not "x"\./, `${keys.erase}12${keys.enter}`],
  ]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual({ id: 4, name: `Rex's 3 "fröh" $liche`, categoryId: 2, status: 'available' });
  expect(lineOf(stdout)).toBe(`pet create --name 'Rex'\\''s 3 "fröh" $liche' --category "Fish and frogs" --quantity 12 --json`);
  // The printed line does the same in a shell.
  const again = await runShell(store, `petstore ${lineOf(stdout)}`);
  expect(JSON.parse(again.stdout)).toEqual({ id: 5, name: `Rex's 3 "fröh" $liche`, categoryId: 2, status: 'available' });
  expect((await runProgram(store, ['inventory', 'view', '5', '--fields', 'quantity'])).stdout).toBe('12\n');
});

testPrompts('does not ask for given values, and Return accepts the default', async (store) => {
  const { exitCode, stdout } = await runInTerminal(store, 'pet create --category Dogs', [
    [/Name of the pet:/, `Max${keys.enter}`],
    [/How many are on hand\?/, keys.enter],
  ]);
  expect([exitCode, lineOf(stdout)]).toEqual([0, 'pet create --category Dogs --name Max']);
  expect(plain(stdout)).not.toContain('Category of the pet');
});

testPrompts('finds a pet by part of its name or by id, also in forty columns, and sanitises its name', async (store) => {
  const narrow = { columns: 40, more: { NO_COLOR: '1' } };
  const steps: readonly Step[] = [
    [/› 1 {2}Rex .*\n {2}2 {2}Bella .*\n {2}3 {2}Whi.\[31msk.ers. {2}5 on hand\n {2}None \(draft order\)/, '3'],
    [/\? 3\n› 3 {2}Whi/, `${keys.erase}bel`],
    [/\? bel\n› 2 {2}Bella/, keys.enter],
    [/How many\? \(5 available\)/, `0${keys.enter}`],
    [/It must be at least 1\./, `${keys.erase}2${keys.enter}`],
    [/Complete the sale now\?/, `y${keys.enter}`],
  ];
  const { exitCode, stdout } = await runInTerminal(store, 'order place', steps, narrow);
  expect([exitCode, unwrapped(stdout)]).toEqual([
    0,
    expect.stringContaining('✓ Sold 2 × Bella, 3 left (order 1)\nAs a command: petstore order place --pet 2 '),
  ]);
  for (const harm of ['\u001b[31m', '\u202e', '\u0007']) expect(stdout).not.toContain(harm);
  // oxlint-disable-next-line no-control-regex -- colours are what must not be there
  expect(stdout).not.toMatch(/\u001b\[\d+m/);
  const rows = plain(stdout).match(/^[› ] +\d+ {2}.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(3);
  for (const row of rows) expect([...row].length).toBeLessThanOrEqual(40);
});

testPrompts('wraps a question that is too long for the terminal at spaces', async (store) => {
  const question = /^\? Rex has 5 on hand\. Change in stock *\n *\(such as 12 or -2\):/m;
  const { exitCode, stdout } = await runInTerminal(store, 'inventory adjust 1', [[question, `+2${keys.enter}`]], { columns: 40 });
  expect([exitCode, unwrapped(stdout)]).toEqual([0, expect.stringContaining('As a command: petstore inventory adjust 1 +2')]);
});

testPrompts('places an order without a pet as a draft, and asks again after a quantity that is too large', async (store) => {
  const draft = await runInTerminal(store, 'order place', [
    [/None \(draft order\)/, keys.down.repeat(3)],
    [/› None \(draft order\)/, keys.enter],
    [/How many\?/, keys.enter],
    [/Complete the sale now\?/, keys.enter],
  ]);
  expect([draft.exitCode, lineOf(draft.stdout)]).toEqual([0, 'order place']);
  await prepare(store, ['order', 'place', '--pet', '1']);
  const { exitCode, stdout } = await runInTerminal(store, 'order place --complete', [
    [/› 1 {2}Rex/, keys.enter],
    [/How many\? \(4 available\)/, `9${keys.enter}`],
    [
      /Only 4 available\./,
      async ({ type }) => {
        await prepare(store, ['order', 'place', '--pet', '1']);
        type(`${keys.erase}4${keys.enter}`);
      },
    ],
    [/Only 3 × Rex available \(5 on hand, 2 reserved for orders 2 and 3\); 4 requested\.\n[^]*How many\? \(3 available\)/, `3${keys.enter}`],
  ]);
  expect([exitCode, lineOf(stdout)]).toEqual([0, 'order place --complete --pet 1 --quantity 3']);
});

testPrompts('asks for another name when a category has it', async (store) => {
  const { exitCode, stdout } = await runInTerminal(store, 'category create', [
    [/Name of the category:/, `dogs${keys.enter}`],
    [/Description \(optional\):/, `All breeds${keys.enter}`],
    [/Category 1 is already named "Dogs"; case and accents do not matter\.\n[^]*Name of the category:/, `Puppies${keys.enter}`],
  ]);
  expect([exitCode, lineOf(stdout)]).toEqual([0, 'category create --name Puppies --description "All breeds"']);
});

testPrompts('asks for what a command lacks after a pet is given by its name', async (store) => {
  const { exitCode, stdout } = await runInTerminal(store, 'inventory adjust bella', [[/Bella has 5 on hand\. Change in stock/, `2${keys.enter}`]]);
  expect([exitCode, lineOf(stdout)]).toEqual([0, 'inventory adjust bella 2']);
});

testPrompts('reports a sale during a count and asks for the count again', async (store) => {
  const { exitCode, stdout } = await runInTerminal(store, 'inventory set --note "night count"', [
    [/› 1 {2}Rex/, keys.down],
    [/› 2 {2}Bella/, keys.enter],
    [
      /Bella has 5 on hand\. How many did you count\?/,
      async ({ type }) => {
        await prepare(store, ['inventory', 'adjust', '2', '-2']);
        type(`4${keys.enter}`);
      },
    ],
    [/Pet 2 has 3 on hand, expected 5\.[^]*Bella has 3 on hand\. How many did you count\?/, `4${keys.enter}`],
  ]);
  expect([exitCode, lineOf(stdout)]).toEqual([0, 'inventory set --note "night count" 2 4']);
  expect((await runProgram(store, ['inventory', 'view', '2', '--fields', 'quantity'])).stdout).toBe('4\n');
});

testPrompts('refuses a count with a stale --expect', async (store) => {
  const { exitCode, stdout } = await runInTerminal(store, 'inventory set 2 --expect 9', [[/Bella has 5 on hand\. How many did you count\?/, `4${keys.enter}`]]);
  expect([exitCode, lineOf(stdout)]).toEqual([4, 'inventory set 2 --expect 9 4']);
  expect(plain(stdout)).toContain('error: Pet 2 has 5 on hand, expected 9.');
});

testPrompts('accepts a negative adjustment, but not below zero', async (store) => {
  const { exitCode, stdout } = await runInTerminal(store, 'inventory adjust 1', [
    [/Rex has 5 on hand\. Change in stock \(such as 12 or -2\):/, `0${keys.enter}`],
    [/It must not be 0\./, `${keys.erase}-9${keys.enter}`],
    [/Only 5 × Rex \(pet 1\) on hand; cannot remove 9\.[^]*Change in stock/, `-2${keys.enter}`],
  ]);
  expect([exitCode, plain(stdout)]).toEqual([0, expect.stringContaining('✓ Pet 1 (Rex) has 3 on hand.\nAs a command: petstore inventory adjust 1 -2\n')]);
});

testPrompts('asks for another category for the pets of the one to delete', async (store) => {
  const { exitCode, stdout } = await runInTerminal(store, 'category delete Dogs', [
    [/Dogs has 3 pets\. Move to which category\?\s*› 2 {2}Fish and frogs/, keys.enter],
    [/Delete the category Dogs and move its pets to Fish and frogs\?/, `y${keys.enter}`],
  ]);
  expect([exitCode, lineOf(stdout)]).toEqual([0, 'category delete Dogs --move-to "Fish and frogs"']);
  const cancelled = await runInTerminal(store, 'category delete "Fish and frogs"', [[/Fish and frogs has 3 pets\. [^]*New category/, keys.escape]]);
  expect([cancelled.exitCode, plain(cancelled.stdout)]).toEqual([130, expect.stringContaining('Cancelled.')]);
});

testPrompts('asks which record to delete and for confirmation', async (store) => {
  const category = await runInTerminal(store, 'category delete', [
    [/› 1 {2}Dogs/, 'fish'],
    [/› 2 {2}Fish and frogs/, keys.enter],
    [/Delete the category Fish and frogs\?/, `y${keys.enter}`],
  ]);
  expect([category.exitCode, lineOf(category.stdout)]).toEqual([0, 'category delete "Fish and frogs"']);
  await prepare(store, ['inventory', 'set', '1', '1']);
  const before = dump(store);
  const pet = await runInTerminal(store, 'pet delete', [
    [/› 1 {2}Rex/, keys.enter],
    [/Delete pet 1 \(.*\)\?/, `n${keys.enter}`],
  ]);
  expect([pet.exitCode, plain(pet.stdout)]).toEqual([130, expect.stringMatching(/^Cancelled\.\n$/m)]);
  expect(lineOf(pet.stdout)).toBe('');
  expect(dump(store)).toEqual(before);
});

testPrompts('offers only orders that the verb accepts', async (store) => {
  await prepare(store, ['order', 'place'], ['order', 'place', '--pet', '2', '--quantity', '2'], ['order', 'place', '--pet', '1', '--complete']);
  const cancelled = await runInTerminal(store, 'order cancel', [
    [/Which open order\?[^]*› 2 {2}2 × Bella +open *\n {2}1 {2}no pet yet +draft/, keys.interrupt],
  ]);
  expect(plain(cancelled.stdout)).not.toMatch(/Rex|0 ×/);
  const { exitCode, stdout } = await runInTerminal(store, 'order complete', [
    [/Which open order\?[^]*› 2 {2}2 × Bella +open/, '1'],
    [/\? 1\n[^]*No results/i, `${keys.erase}2`],
    [/› 2 {2}2 × Bella/, keys.enter],
  ]);
  expect([exitCode, lineOf(stdout)]).toEqual([0, 'order complete 2']);
  expect(plain(stdout)).not.toMatch(/no pet yet|Rex/);
});

testPrompts('pet create in a shop without categories asks for the first one', async (store) => {
  const empty = `${store}-empty`;
  await prepare(empty, ['init']);
  const refused = await runInTerminal(empty, 'pet create --dry-run');
  expect([refused.exitCode, plain(refused.stdout)]).toEqual([3, 'error: The shop has no categories yet.\nhint: petstore category create\n']);
  const out = `${empty}.json`;
  const { exitCode, stdout } = await runInTerminal(empty, `pet create --actor ana --json > ${out}`, [
    [/Name of the first category: \(Pets\)/, `-Cats${keys.enter}`],
    [/Name of the pet:/, `Max${keys.enter}`],
    [/How many are on hand\?/, keys.enter],
  ]);
  expect([exitCode, unwrapped(stdout).match(/^As a command: .*$/gm)]).toEqual([
    0,
    ['As a command: petstore category create --name=-Cats --actor ana', 'As a command: petstore pet create --actor ana --name Max --category=-Cats --json'],
  ]);
  expect(plain(stdout)).toContain('✓ Created category 1 (-Cats).\n');
  // The result of the other command is not among the results of this one.
  expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ name: 'Max', categoryId: 1 });
});

testPrompts('pet create can create the category that a search did not find', async (store) => {
  const { exitCode, stdout } = await runInTerminal(store, 'pet create --name Tom', [
    [/› 1 {2}Dogs[^]*New category\n/, 'Dogs'],
    [/pet: Dogs\n› 1 {2}Dogs {2}3 pets\n\n/, `${keys.erase.repeat(4)}Cat`],
    [/pet: Cat\n› New category "Cat"/, keys.enter],
    [/Name of the new category: \(Cat\)/, keys.enter],
    [/How many are on hand\?/, keys.enter],
  ]);
  expect([exitCode, lineOf(stdout)]).toEqual([0, 'category create --name Cat']);
  expect(unwrapped(stdout)).toContain('✓ Created pet 4 (Tom, Cat): 1 on hand, available.\nAs a command: petstore pet create --name Tom --category Cat\n');
});

testPrompts('a sale offers to add the first pet, and stock when no pet can be sold', async (store) => {
  const empty = `${store}-empty`;
  await prepare(empty, ['init'], ['category', 'create', '--name', 'Fish']);
  const before = dump(empty);
  const declined = await runInTerminal(empty, 'sell', [[/No pets yet\. Add one now\? \(Y\/n\)/, `n${keys.enter}`]]);
  expect([declined.exitCode, plain(declined.stdout)]).toEqual([130, expect.stringMatching(/Add one now\? .*No\nCancelled\.\n$/)]);
  expect(dump(empty)).toEqual(before);
  const asked = await runInTerminal(empty, `sell --store ${empty}`, [
    [/No pets yet\. Add one now\? \(Y\/n\)/, keys.enter],
    [/Category of the pet:[^]*› 1 {2}Fish/, keys.enter],
    [/Name of the pet:/, `Koi${keys.enter}`],
    [/How many are on hand\?/, `0${keys.enter}`],
    [/No pet to sell\. Receive stock\? \(Y\/n\)/, keys.enter],
    [/Which pet\?[^]*› 1 {2}Koi/, keys.enter],
    [/Koi has 0 on hand\. Units received:/, `3${keys.enter}`],
    [/How many\? \(3 available\)/, `2${keys.enter}`],
  ]);
  expect([asked.exitCode, plain(asked.stdout)]).toEqual([0, expect.stringContaining('✓ Sold 2 × Koi, 1 left (order 1)\n')]);
  const lines = [...unwrapped(asked.stdout).matchAll(/^As a command: petstore (.*)$/gm)].map(([, line]) => line);
  expect(lines).toEqual([`pet create --store ${empty} --name Koi --category Fish --quantity 0`, `receive --store ${empty} 1 3`, `sell --store ${empty} 1 2`]);
  // An order can do without a pet.
  await prepare(`${empty}-3`, ['init']);
  const draft = await runInTerminal(`${empty}-3`, 'order place', [
    [/No pets yet\. Add one now\? \(Y\/n\)/, `n${keys.enter}`],
    [/› None \(draft order\)/, keys.enter],
    [/How many\?/, keys.enter],
    [/Complete the sale now\?/, keys.enter],
  ]);
  expect([draft.exitCode, plain(draft.stdout)]).toEqual([0, expect.stringContaining('✓ Saved order 1 as a draft.\n')]);
  // A command that changes nothing, or only one pet, offers nothing.
  await prepare(`${empty}-2`, ['init']);
  for (const line of ['pet view', 'pet delete', 'receive --dry-run'])
    expect([line, plain((await runInTerminal(`${empty}-2`, line)).stdout)]).toEqual([line, expect.stringContaining('error: The shop has no pets yet.\n')]);
});

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
    [/✓ Sold 1 × \w+, 0 left \(order \d+\)\nAs a command: petstore sell 1\n[^]*› Sell a pet[^]*Quit/, 'u'],
    [/› Undo last change/, keys.enter],
    [/Undo the sale of 1 × [^]*\(y\/N\)/, `y${keys.enter}`],
    [/✓ Undid the sale of 1 × \w+ \(order\s\d+\)\.\n[^]*Quit/, 'q'],
  ];
  expect([countKeys(fromEmpty), countKeys(fromSample)]).toEqual([11, 4]);
  for (const [columns, rows] of [
    [80, 24],
    [40, 20],
  ] as const) {
    for (const [name, sale] of [
      ['empty', fromEmpty],
      ['sample', fromSample],
    ] as const) {
      const shop = `${store}-${name}-${columns}`;
      const { exitCode, stdout } = await runInTerminal(shop, '', [...sale, ...undo], { columns, rows });
      expect([name, columns, exitCode, plain(stdout).includes('error')]).toEqual([name, columns, 0, false]);
      expect((await runProgram(shop, ['order', 'list', '--complete', '--pet', '1', '--format', 'count'])).stdout).toBe('0\n');
    }
  }
});

testPrompts('keys that are typed ahead go to the questions that they are for', async (store) => {
  const { exitCode, stdout } = await runInTerminal(`${store}-none`, '', [
    [/There is no shop/, `${keys.down}\r\r\r\rRex\r3\r2\r`],
    [/✓ Sold 2 × Rex, 1 left \(order 1\)\n[^]*Quit/, 'q'],
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
    [/Rex \(pet 1\) is out of stock\.[^]*How many\? \(0 available\)/, keys.enter],
    [/Rex \(pet 1\) is out of stock\.[^]*How many\? \(0 available\)/, keys.escape],
    [/Cancelled\.\n[^]*› Sell a pet[^]*Quit/, 'u'],
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
    [/error: Ledger entry \d+ was already undone by entry \d+\.\n[^]*› Undo last change[^]*Quit/, 'q'],
  ]);
  expect([exitCode, plain(stdout)]).toEqual([0, expect.stringContaining('$ petstore undo\n')]);
});

testPrompts('asks for an existing file to import', async (store) => {
  const file = join(folder, 'a count.csv');
  writeFileSync(file, 'petId,quantity\n1,7\n');
  const { exitCode, stdout } = await runInTerminal(store, 'inventory import', [
    [/Which file\?/, `nowhere.csv${keys.enter}`],
    [/There is no file "nowhere\.csv"\./, keys.erase.repeat(11) + file + keys.enter],
    [/Apply this change\?/, `y${keys.enter}`],
  ]);
  expect([exitCode, lineOf(stdout)]).toEqual([0, `inventory import "${file}"`]);
});

testPrompts('prints the refused rows before the confirmation, and asks nothing when all are refused', async (store) => {
  const file = join(folder, 'with a stranger.csv');
  writeFileSync(file, 'petId,delta\n1,-2\n99,1\n');
  const stranger = `${file}:3: unknown_pet There is no pet 99.\n`;
  const refused = await runInTerminal(store, `inventory import "${file}"`, [], { columns: 200 });
  expect([refused.exitCode, plain(refused.stdout)]).toEqual([
    6,
    `${stranger}✗ 0 applied, 0 unchanged, 1 rejected   batch 1\nNothing was changed.\n1 row is valid; use --keep-going to import it.\n`,
  ]);
  const steps: readonly Step[] = [[/ 1 {2}Rex +5 +3 +-2\n.*:3: unknown_pet There is no pet 99\.\nShop: .*\n[^\n]*Apply this change\?/, `y${keys.enter}`]];
  const { exitCode, stdout } = await runInTerminal(store, `inventory import "${file}" --keep-going`, steps, { columns: 200 });
  expect(exitCode).toBe(5);
  expect(plain(stdout).split(stranger)).toHaveLength(2);
  expect(plain(stdout)).toContain('✓ 1 applied, 0 unchanged, 1 rejected   batch 2');
});

testPrompts('backup, restore, token create and config set ask for what is missing', async (store) => {
  const [file, config] = [`${store}.backup`, `${store}.config`];
  const asked = async (line: string, steps: readonly Step[]) => {
    const { exitCode, stdout } = await runInTerminal(store, line, steps, { more: { PETSTORE_CONFIG: config } });
    expect([line, exitCode, unwrapped(stdout)]).toEqual([line, 0, expect.stringContaining('As a command: petstore ')]);
    return lineOf(stdout);
  };
  expect(await asked('backup', [[/File to back up to:/, `${file}${keys.enter}`]])).toBe(`backup ${file}`);
  expect(
    await asked('restore', [
      [/Which backup\?/, `${file}${keys.enter}`],
      [/Replace the shop/, `y${keys.enter}`],
    ]),
  ).toBe(`restore ${file}`);
  expect(
    await asked('token create', [
      [/Name of the token:/, `till${keys.enter}`],
      [/What it allows/, `pets:read${keys.enter}`],
    ]),
  ).toBe('token create till --scope pets:read');
  expect(
    await asked('config set', [
      [/Which setting/, 'wait'],
      [/› wait/, keys.enter],
      [/Value of wait:/, `9${keys.enter}`],
    ]),
  ).toBe('config set wait 9');
});

testPrompts('the commands that edit ask what to change, and for the new value', async (store) => {
  await prepare(store, ['order', 'place', '--pet', '1'], ['pet', 'hold', '2']);
  const cases: readonly (readonly [line: string, expected: string, ...steps: readonly Step[]])[] = [
    [
      'pet edit',
      'pet edit 1 --name Rexy',
      [/Which pet\?[^]*› 1 {2}Rex/, keys.enter],
      [/What would you like to change\?[^]*› Name\n {2}Category\n {2}Status/, keys.enter],
      [/New name:/, `Rexy${keys.enter}`],
    ],
    ['pet edit 1', 'pet edit 1 --category "Fish and frogs"', [/› Name/, 'C'], [/› Category/, keys.enter], [/› 1 {2}Dogs/, 'frog'], [/› 2/, keys.enter]],
    ['pet edit 2', 'pet edit 2 --status available', [/› Name/, 'S'], [/› Status/, keys.enter], [/› available/, keys.enter]],
    ['category edit dogs', 'category edit dogs --name Hounds', [/› Name/, keys.enter], [/New name:/, `Hounds${keys.enter}`]],
    [
      'category edit',
      'category edit Hounds --description ""',
      [/› 1 {2}Hounds/, keys.enter],
      [/› Name/, 'D'],
      [/› Desc/, keys.enter],
      [/New desc/, keys.enter],
    ],
    [
      'order edit',
      'order edit 1 --quantity 2',
      [/Which open order\?[^]*› 1 {2}1 × Rexy/, keys.enter],
      [/› Quantity/, keys.enter],
      [/New quant/, `2${keys.enter}`],
    ],
    [
      'order edit 1',
      'order edit 1 --ship-date 2030-12-24T09:00',
      [/› Quantity/, 'S'],
      [/› Ship date/, keys.enter],
      [/New ship date/, `soon${keys.enter}`],
      [/takes a date and time/, `${keys.erase.repeat(4)}2030-12-24T09:00${keys.enter}`],
    ],
    [
      'inventory low-at',
      'inventory low-at 1 3',
      [/› 1 {2}Rexy/, keys.enter],
      [/Rexy has 5 on hand\. Low at/, `x${keys.enter}`],
      [/whole number/, `${keys.erase}3${keys.enter}`],
    ],
  ];
  for (const [line, expected, ...steps] of cases) {
    const { exitCode, stdout } = await runInTerminal(store, line, steps);
    expect([line, exitCode, lineOf(stdout)]).toEqual([line, 0, expected]);
  }
  // A value that was given is not asked for, nor are the others.
  for (const line of ['pet edit 1 --name Rex', 'inventory low-at --default 2', 'order edit 1 --quantity 3'])
    expect([line, lineOf((await runInTerminal(store, line)).stdout)]).toEqual([line, '']);
});

testPrompts('imports, tokens, profiles and settings are chosen from lists', async (store) => {
  const config = `${store}.config`;
  const [file, empty] = [join(folder, 'ไทย 納品.csv'), `${store}-none`];
  writeFileSync(file, 'petId,delta\n1,2\n2,3\n');
  await prepare(empty, ['init']);
  await prepare(store, ['inventory', 'import', file], ['token', 'create', 'till', '--scope', 'store:read'], ['token', 'create', 'web', '--scope', 'pets:read']);
  const ask = (shop: string, line: string, steps: readonly Step[]) =>
    runInTerminal(shop, line, steps, { more: { PETSTORE_CONFIG: config }, columns: 40, rows: 20 });
  const cases: readonly (readonly [line: string, expected: string, ...steps: readonly Step[]])[] = [
    ['inventory batch view', 'inventory batch view 1', [/Which import\?[^]*› 1 {2}ไทย 納品\.csv {2}applied/, keys.enter]],
    ['inventory undo', 'inventory undo 1', [/Undo which import\?[^]*› 1 {2}ไทย 納品\.csv {2}2 rows/, '納'], [/› 1/, keys.enter]],
    [
      'token revoke',
      'token revoke web',
      [/Which token\?[^]*› 1 {2}till {2}store:read/, 'pets'],
      [/› 2 {2}web/, keys.enter],
      [/Revoke the token web\?/, `y${keys.enter}`],
    ],
    ['profile add', 'profile add main --store shop.db', [/Name of the profile:/, `main${keys.enter}`], [/Its shop/, `shop.db${keys.enter}`]],
    ['profile use', 'profile use main', [/Which profile\?[^]*› main {2}\S*shop\.db/, keys.enter]],
    ['profile remove', 'profile remove main', [/Which profile\?[^]*› main/, keys.enter]],
    ['config set', 'config set wait 9', [/Which setting\?[^]*› store/, 'wait'], [/› wait {2}5/, keys.enter], [/Value of wait:/, `9${keys.enter}`]],
    ['config get', 'config get wait', [/Which setting\?/, 'wait'], [/› wait {2}9/, keys.enter]],
    ['copy', `copy --from ${empty} --to ${empty}.copy`, [/Copy from/, `${empty}${keys.enter}`], [/Copy to/, `${empty}.copy${keys.enter}`]],
  ];
  for (const [line, expected, ...steps] of cases) {
    const { exitCode, stdout } = await ask(store, line, steps);
    expect([line, exitCode, lineOf(stdout)]).toEqual([line, 0, expected]);
  }
  for (const [line, sentence] of [
    ['inventory batch view', 'There are no imports yet.'],
    ['inventory undo', 'No import can be undone.'],
    ['token revoke', 'The shop has no tokens.'],
    ['profile remove', 'There are no profiles yet.'],
  ] as const)
    expect([line, plain((await ask(empty, line, [])).stdout)]).toEqual([line, expect.stringContaining(`error: ${sentence}\n`)]);
  expect(plain((await ask(store, 'config set wait --unset', [])).stdout)).toContain('Removed wait from');
});

testPrompts('takes every key of a scanner that sends lines in one burst', async (store) => {
  for (const [line, burst, expected] of [
    ['pet view', 'bella\r', 'pet view 2'],
    ['inventory set', 'bella\r9\r', 'inventory set 2 9'],
    ['inventory set', '1\rmany\u007f\u007f\u007f\u007f8\r', 'inventory set 1 8'],
  ] as const) {
    const { exitCode, stdout } = await runInTerminal(store, line, [[/Which pet\?[^]*› 1 {2}Rex/, burst]]);
    expect([line, exitCode, plain(stdout)]).toEqual([line, 0, expect.stringContaining(`As a command: petstore ${expected}\n`)]);
  }
});

testPrompts('a picker says how to search and how many it found, in 80 and in 40 columns', async (store) => {
  const full = `${store}-full`;
  await prepare(full, ['init', '--sample']);
  for (const columns of [80, 40]) {
    const { stdout } = await runInTerminal(full, 'pet view', [[/9 of 36 · type to search/, keys.escape]], { columns });
    // A question takes a line, nine choices, an empty line and the line of keys.
    expect(screenOf(stdout.slice(0, stdout.lastIndexOf('esc cancel')), columns).filter((line) => line !== '')).toHaveLength(11);
    expect(screenOf(stdout, columns)).toEqual(['Cancelled.']);
  }
});

testPrompts('a picker shows the pet whose name was typed before the others, and fits names of any script', async (store) => {
  const file = join(folder, 'many.csv');
  const wide = ['犬'.repeat(100), '🐕 '.repeat(40).trim(), 'สุนัขพันธุ์ไทยหลังอานตัวใหญ่มาก'];
  const names = [...wide, ...Array.from({ length: 60 }, (_, index) => `A Luna ${index}`), 'Lunaria', 'Luna'];
  writeFileSync(file, `name,category\n${names.map((name) => `${name},Dogs\n`).join('')}`);
  await prepare(store, ['pet', 'import', file]);
  for (const [columns, keysLine] of [
    [80, '9 of 68 · type to search · ⏎ select · esc cancel'],
    [40, '9 of 68 · type to search · esc cancel'],
    [30, '9 of 68 · type to search · esc'],
  ] as const) {
    const { stdout } = await runInTerminal(store, 'sell', [[/9 of 68/, keys.escape]], { columns, rows: 20 });
    expect(screenOf(stdout.slice(0, stdout.lastIndexOf('9 of 68')), columns).filter((line) => line !== '')).toHaveLength(10);
    expect(plain(stdout)).toContain(`\n${keysLine}`);
  }
  const { stdout } = await runInTerminal(store, 'sell', [
    [/9 of 68/, 'luna'],
    [/\? luna\n› 68 {2}Luna .*\n {3}7 {2}A Luna 0 /, keys.enter],
    [/How many\?/, keys.enter],
  ]);
  expect(lineOf(stdout)).toBe('sell 68');
});

test('every value that a command cannot do without has a prompt', async () => {
  const lacking = (await everyCommand()).flatMap(({ command }) =>
    Object.entries({ ...command.arguments, ...command.flags }).flatMap(([name, { required, prompt }]) =>
      required === true && prompt === undefined ? [`${command.path.join(' ')}: ${name}`] : [],
    ),
  );
  expect(lacking).toEqual([]);
});

const declined: readonly (readonly [name: string, key: string])[] = [
  ['Ctrl-C', keys.interrupt],
  ['Ctrl-D', keys.end],
  ['Esc', keys.escape],
];
for (const [name, key] of declined) {
  testPrompts(`${name} at a prompt changes nothing`, async (store) => {
    const before = dump(store);
    for (const steps of [
      [[/› 1 {2}Dogs/, key]],
      [
        [/› 1 {2}Dogs/, keys.enter],
        [/Name of the pet:/, key],
      ],
    ] as readonly (readonly Step[])[]) {
      const { exitCode, stdout } = await runInTerminal(store, 'pet create', steps);
      expect([exitCode, screenOf(stdout).filter((line) => !line.startsWith('✓ '))]).toEqual([130, ['Cancelled.']]);
    }
    expect(dump(store)).toEqual(before);
  });
}

/** Waits for the end of a process that is not a child of this one. */
async function gone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

testPrompts('a signal ends a prompt and restores the terminal', async (store) => {
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    let pid = 0;
    const told = `${store}.pid`;
    const ended = await runInTerminal(
      store,
      `pet view`,
      [
        [
          /› 1 {2}Rex/,
          () => {
            pid = Number(readFileSync(told, 'utf8'));
            process.kill(pid, signal);
          },
        ],
      ],
      { pidFile: told },
    );
    expect([signal, ended.exitCode]).toEqual([signal, exitCode]);
  }
});

testPrompts('a prompt ends when its terminal is closed', async (store) => {
  const told = `${store}.pid`;
  await runInTerminal(store, '', [[/What would you like to do\?[^]*Quit/, ({ hangUp }) => hangUp()]], { pidFile: told, lost: true });
  await gone(Number(readFileSync(told, 'utf8')));
});

testPrompts('a closed terminal ends the process by SIGHUP, not by an error', async (store) => {
  await prepare(store, ['inventory', 'set', '1', '1']);
  const told = `${store}.code`;
  const line = `trap : HUP; "${process.execPath}" "${petstore}" pet delete 1; echo $? > "${told}"`;
  const { child, ended } = start('script', ['-qec', line, '/dev/null'], environment(store));
  let seen = '';
  child.stdout.on('data', (text: string) => {
    seen += text;
    if (/Delete pet 1 \(.*\)\?/.test(seen)) child.kill('SIGKILL');
  });
  await ended;
  await expect.poll(() => (existsSync(told) ? readFileSync(told, 'utf8') : ''), { timeout: 20_000 }).toBe(`${128 + constants.signals.SIGHUP}\n`);
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
    [/Received 7 × Bella, 12 on hand[^]*› Receive stock[^]*Quit/, keys.down],
    [/› Count stock/, keys.enter],
    [/Which pet\?[^]*› 1 {2}Rex/, keys.interrupt],
    [/Cancelled\.[^]*› Count stock[^]*Quit/, keys.down.repeat(2)],
    [/› Undo last change/, keys.enter],
    [/petstore undo\nShop: [^]*Undo the change of Bella by \+7, [^]*\?/, `y${keys.enter}`],
    [/Undid the change of Bella by \+7\.[^]*› Undo last change[^]*Quit/, keys.down],
    [/› Open orders/, keys.enter],
    [/petstore order list --open\nNothing found\.[^]*› Open orders[^]*Quit/, keys.down],
    [/› Today's figures/, keys.enter],
    [/petstore report movements --from today\n[^]*› Today's figures[^]*Quit/, keys.down.repeat(3)],
    [/› Quit/, keys.enter],
  ]);
  expect(exitCode).toBe(0);
  const lines = [...plain(stdout).matchAll(/^(?:As a command:|\$) petstore (.*)$/gm)].map(([, line]) => line);
  expect(lines).toEqual(['sell 1 3', 'receive 2 7', 'undo', 'order list --open', 'report movements --from today']);
});

testPrompts('the menu looks as shown in README.md and the guide', async (store) => {
  const [readme = '', chapter = ''] = ['README.md', 'data/guide/counter.md'].map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
  const [section = ''] = /^## At the counter$[^]*?^## /m.exec(readme) ?? [];
  expect(section).toContain('```text');
  const shown = [...`${section}\n${chapter}`.matchAll(/^```text\n([^]*?)^```$/gm)]
    .flatMap(([, text = '']) => text.trimEnd().split('\n'))
    .filter((line) => !line.startsWith('~$'));
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

testPrompts('the menu offers to create a shop when there is none', async (store) => {
  const missing = `${store}-none`;
  const { exitCode, stdout } = await runInTerminal(missing, `--store ${missing}`, [
    [/There is no shop at\s[^]*yet\.[^]*› Create a sample shop[^]*Quit/, keys.enter],
    [/Created a sample shop at [^]*What would you like to do\?[^]*Quit/, keys.down.repeat(9)],
    [/› Quit/, keys.enter],
  ]);
  expect([exitCode, plain(stdout)]).toEqual([0, expect.stringContaining(`$ petstore init --sample --store ${missing}\n`)]);
  const { stdout: quit } = await runInTerminal(`${missing}-either`, '', [
    [/Quit/, keys.down.repeat(2)],
    [/› Quit/, keys.enter],
  ]);
  expect(plain(quit)).not.toContain('error');
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

testPrompts('repeated prompts leak no listeners', async (store) => {
  const repeated = Array.from({ length: 12 }, (): Step => [/› Open orders[^]*Quit/, keys.enter]);
  const { exitCode, stdout } = await runInTerminal(store, '', [
    [/Quit/, keys.down.repeat(5)],
    ...repeated,
    [/› Open orders[^]*Quit/, keys.down.repeat(4)],
    [/› Quit/, keys.enter],
  ]);
  expect([exitCode, plain(stdout)]).toEqual([0, expect.not.stringMatching(/warning/i)]);
});

testPrompts('petstore without arguments prints its help in a pipe or with --no-input', async (store) => {
  for (const line of ['--no-input', '| cat', '2> /dev/null', '< /dev/null']) {
    const { exitCode, stdout } = await runInTerminal(store, line, [], line === '--no-input' ? {} : { more: { PAGER: 'cat' } });
    expect([line, exitCode, plain(stdout)]).toEqual([line, 0, expect.stringContaining('Usage: petstore <command> [flags]')]);
  }
});
