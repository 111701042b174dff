import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { dump } from '../support/cli.js';
import { prepare, runHosted, runShell } from '../support/program.js';
import { keys, plain, runInTerminal, type Step } from '../support/terminal.js';
import { lineOf, promptShops, unwrapped } from '../support/prompts.js';

const { testPrompts } = promptShops();

testPrompts('pet create asks for name, category and quantity', async (store) => {
  const out = `${store}.json`;
  const { exitCode, stdout } = await runInTerminal(store, `pet create --json > ${out}`, [
    [/Category of the pet:[^]*Fish and frogs/, 'frog'],
    [/Category of the pet: frog\n› 2 {2}Fish and frogs {2}0 pets/, keys.enter],
    [/Name of the pet:/, ` ${keys.enter}`],
    [/A name must not be blank\./, `${keys.erase}Rex's 3 "fröh" $liche${keys.enter}`],
    [/How many are on hand\? \(1\)/, `-1${keys.enter}`],
    [/It must not be negative\./, `${keys.erase}${keys.erase}x${keys.enter}`],
    [/"x" is not a whole number of units\./, `${keys.erase}12${keys.enter}`],
  ]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual({ id: 4, name: `Rex's 3 "fröh" $liche`, categoryId: 2, status: 'available' });
  expect(lineOf(stdout)).toBe(`pet create --name 'Rex'\\''s 3 "fröh" $liche' --category "Fish and frogs" --quantity 12 --json`);
  // The printed line does the same in a shell.
  const again = await runShell(store, `petstore ${lineOf(stdout)}`);
  expect(JSON.parse(again.stdout)).toEqual({ id: 5, name: `Rex's 3 "fröh" $liche`, categoryId: 2, status: 'available' });
  expect((await runHosted(store, ['inventory', 'view', '5', '--fields', 'quantity'])).stdout).toBe('12\n');
});

testPrompts('places an order without a pet as a draft, and takes no quantity that is too large', async (store) => {
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
    [/Only 4 available\./, `${keys.erase}3${keys.enter}`],
  ]);
  expect([exitCode, lineOf(stdout)]).toEqual([0, 'order place --complete --pet 1 --quantity 3']);
});

testPrompts('ids that are typed on standard input leave it ended, so nothing is asked behind them', async (store) => {
  const { exitCode, stdout } = await runInTerminal(store, 'pet edit -', [[/^/, `1\r${keys.end}`]]);
  expect([exitCode, plain(stdout)]).toEqual([2, expect.stringContaining('error: Nothing to change: give --name, --category or --status.')]);
  const named = await runInTerminal(store, 'pet edit - --name Max', [[/^/, `1\r${keys.end}`]]);
  expect([named.exitCode, plain(named.stdout)]).toEqual([0, expect.stringContaining('Changed pet 1 (Max, Dogs)')]);
});

testPrompts('a sale during a count refuses the count, and the line to repeat it has no --expect of its own', async (store) => {
  const steps = (meanwhile: () => Promise<void>): readonly Step[] => [
    [/› 1 {2}Rex/, keys.down],
    [/› 2 {2}Bella/, keys.enter],
    [
      /Bella has \d on hand\. How many did you count\?/,
      async ({ type }) => {
        await meanwhile();
        type(`4${keys.enter}`);
      },
    ],
  ];
  const sold = await runInTerminal(
    store,
    'inventory set --note "night count"',
    steps(() => prepare(store, ['inventory', 'adjust', '2', '-2'])),
  );
  expect([sold.exitCode, plain(sold.stdout)]).toEqual([4, expect.stringContaining('error: Pet 2 has 3 on hand, expected 5.')]);
  const { exitCode, stdout } = await runInTerminal(
    store,
    'inventory set --note "night count"',
    steps(async () => undefined),
  );
  expect([exitCode, lineOf(stdout)]).toEqual([0, 'inventory set --note "night count" 2 4']);
  expect((await runHosted(store, ['inventory', 'view', '2', '--fields', 'quantity'])).stdout).toBe('4\n');
});

testPrompts('accepts a negative adjustment of a pet given by its name, and shows the line of one that is refused', async (store) => {
  const change = /Rex has 5 on hand\. Change in stock \(such as 12 or -2\):/;
  const refused = await runInTerminal(store, 'inventory adjust 1', [
    [change, `0${keys.enter}`],
    [/It must not be 0\./, `${keys.erase}-9${keys.enter}`],
  ]);
  expect([refused.exitCode, lineOf(refused.stdout)]).toEqual([4, 'inventory adjust 1 -9']);
  const { exitCode, stdout } = await runInTerminal(store, 'inventory adjust rex', [[change, `-2${keys.enter}`]]);
  expect([exitCode, plain(stdout)]).toEqual([0, expect.stringContaining('✓ Pet 1 (Rex) -2: 5 → 3 on hand.\nAs a command: petstore inventory adjust rex -2\n')]);
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

testPrompts('a question that is wider than the terminal breaks at spaces', async (store) => {
  await prepare(store, ['inventory', 'set', '1', '5'], ['inventory', 'adjust', '1', '2']);
  const { stdout } = await runInTerminal(store, 'undo', [[/\(y\/N\)/, `n${keys.enter}`]], { columns: 30, rows: 20 });
  expect(plain(stdout)).toContain('? Undo the addition of 2 ×\nRex, made just now? (y/N)');
});

testPrompts('pet create can create the category that a search did not find', async (store) => {
  const { exitCode, stdout } = await runInTerminal(store, 'pet create --name Tom', [
    [/› 1 {2}Dogs[^]*New category\n/, 'Dogs'],
    [/pet: Dogs\n› 1 {2}Dogs {2}3 pets\n\n/, `${keys.erase.repeat(4)}Cat`],
    [/pet: Cat\n› New category "Cat"/, keys.tab],
    [/pet: New category "Cat"\n› New category "Cat"\n/, keys.enter],
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
  expect([asked.exitCode, plain(asked.stdout)]).toEqual([0, expect.stringContaining('✓ Sold 2 × Koi: 3 → 1 available (order 1)\n')]);
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

testPrompts('a question for yes or no takes y and n', async (store) => {
  const question = /Delete the category Fish and frogs\? \(y\/N\)/;
  const asked = await runInTerminal(store, 'category delete "Fish and frogs"', [
    [question, `x${keys.enter}`],
    [/Type y or n\./, `${keys.erase}n${keys.enter}`],
  ]);
  expect([asked.exitCode, plain(asked.stdout)]).toEqual([130, expect.stringMatching(/Delete the category Fish and frogs\? No\nCancelled\.\n$/)]);
});
