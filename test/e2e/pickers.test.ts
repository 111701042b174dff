import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { prepare } from '../support/program.js';
import { screenOf } from '../support/screen.js';
import { keys, plain, runInTerminal, type Step } from '../support/terminal.js';
import { lineOf, promptShops, unwrapped } from '../support/prompts.js';

const { folder, testPrompts } = promptShops();

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
    expect.stringContaining('✓ Sold 2 × Bella: 5 → 3 available (order\n1)\nAs a command: petstore order place --pet 2 '),
  ]);
  for (const harm of ['\u001b[31m', '\u202e', '\u0007']) expect(stdout).not.toContain(harm);
  // oxlint-disable-next-line no-control-regex -- colours are what must not be there
  expect(stdout).not.toMatch(/\u001b\[\d+m/);
  const rows = plain(stdout).match(/^[› ] +\d+ {2}.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(3);
  for (const row of rows) expect([...row].length).toBeLessThanOrEqual(40);
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
    ['inventory undo', 'inventory undo 1', [/Undo which import\?[^]*› 1 {2}ไทย 納品\.csv {2}2 rows/, keys.enter]],
    [
      'token revoke',
      'token revoke web',
      [/Which token\?[^]*› 1 {2}till {2}store:read/, keys.down],
      [/› 2 {2}web/, keys.enter],
      [/Revoke the token web\?/, `y${keys.enter}`],
    ],
    ['profile add', 'profile add main --store /srv/shop.db', [/Name of the profile:/, `main${keys.enter}`], [/Its shop/, `/srv/shop.db${keys.enter}`]],
    ['profile remove', 'profile remove main', [/Which profile\?[^]*› main/, keys.enter]],
    ['config set', 'config set wait 9', [/Which setting\?[^]*› store/, 'wait'], [/› wait +5/, keys.enter], [/Value of wait:/, `9${keys.enter}`]],
    ['copy', `copy --from ${empty} --to ${empty}.copy`, [/Copy from/, `${empty}${keys.enter}`], [/Copy to/, `${empty}.copy${keys.enter}`]],
  ];
  for (const [line, expected, ...steps] of cases) {
    const { exitCode, stdout } = await ask(store, line, steps);
    expect([line, exitCode, lineOf(stdout)]).toEqual([line, 0, expected]);
  }
  for (const [line, sentence] of [
    ['inventory batch view', 'There are no imports yet.'],
    ['token revoke', 'The shop has no tokens.'],
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

testPrompts('a picker shows the pet whose name was typed before the others, and fits names of any script', async (store) => {
  const file = join(folder, 'many.csv');
  const wide = ['犬'.repeat(100), '🐕 '.repeat(40).trim(), 'สุนัขพันธุ์ไทยหลังอานตัวใหญ่มาก'];
  const names = [...wide, ...Array.from({ length: 60 }, (_, index) => `A Luna ${index}`), 'Lunaria', 'Luna'];
  writeFileSync(file, `name,category\n${names.map((name) => `${name},Dogs\n`).join('')}`);
  await prepare(store, ['pet', 'import', file]);
  for (const [columns, keysLine] of [
    [80, '9 of 68 · type to search · ⏎ select · esc cancel'],
    [30, '9 of 68 · type to search · esc'],
  ] as const) {
    const { stdout } = await runInTerminal(store, 'sell', [[/9 of 68/, keys.escape]], { columns, rows: 20 });
    expect(screenOf(stdout.slice(0, stdout.lastIndexOf('9 of 68')), columns).filter((line) => line !== '')).toHaveLength(10);
    expect(plain(stdout)).toContain(`\n${keysLine}`);
  }
  const { stdout } = await runInTerminal(store, 'sell', [
    [/9 of 68/, 'luna'],
    [/\? luna\n› 68 {2}Luna .*\n {3}7 {2}A Luna 0 /, keys.tab],
    [/\? 68 {2}Luna .*\n› 68 {2}Luna .*\n\n/, keys.enter],
    [/How many\?/, keys.enter],
  ]);
  expect(lineOf(stdout)).toBe('sell 68');
});
