import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyCommand } from '../../src/cli/command-groups.js';
import { dump } from '../support/cli.js';
import { prepare } from '../support/program.js';
import { screenOf } from '../support/screen.js';
import { keys, plain, runInTerminal, type Step } from '../support/terminal.js';
import { lineOf, promptShops, unwrapped } from '../support/prompts.js';

const { folder, testPrompts } = promptShops();

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
    `${stranger}✗ Nothing was imported: 1 row is wrong.\n1 row is valid; use --keep-going to import it.\n`,
  ]);
  const steps: readonly Step[] = [[/ 1 {2}Rex +5 +3 +-2\n.*:3: unknown_pet There is no pet 99\.\nShop: .*\n[^\n]*Apply this change\?/, `y${keys.enter}`]];
  const { exitCode, stdout } = await runInTerminal(store, `inventory import "${file}" --keep-going`, steps, { columns: 200 });
  expect(exitCode).toBe(5);
  expect(plain(stdout).split(stranger)).toHaveLength(2);
  expect(plain(stdout)).toContain('✓ 1 applied, 0 unchanged, 1 rejected   batch 2');
});

testPrompts('backup, restore and token create ask for what is missing', async (store) => {
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
      [/takes a day such as/, `${keys.erase.repeat(4)}2030-12-24T09:00${keys.enter}`],
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

test('every value that a command cannot do without has a prompt', async () => {
  const lacking = (await everyCommand()).flatMap(({ command }) =>
    Object.entries({ ...command.arguments, ...command.flags }).flatMap(([name, { required, prompt }]) =>
      required === true && prompt === undefined ? [`${command.path.join(' ')}: ${name}`] : [],
    ),
  );
  expect(lacking).toEqual([]);
});

testPrompts('Ctrl-C, Ctrl-D and Esc at a prompt change nothing', async (store) => {
  const before = dump(store);
  for (const steps of [
    [[/› 1 {2}Dogs/, keys.interrupt]],
    [[/› 1 {2}Dogs/, keys.escape]],
    [
      [/› 1 {2}Dogs/, keys.enter],
      [/Name of the pet:/, keys.end],
    ],
    [
      [/› 1 {2}Dogs/, keys.enter],
      [/Name of the pet:/, keys.escape],
    ],
  ] as readonly (readonly Step[])[]) {
    const { exitCode, stdout } = await runInTerminal(store, 'pet create', steps);
    expect([exitCode, screenOf(stdout).filter((line) => !line.startsWith('✓ '))]).toEqual([130, ['Cancelled.']]);
  }
  expect(dump(store)).toEqual(before);
});
