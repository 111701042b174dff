import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect } from 'vitest';
import { prepare } from '../support/program.js';
import { testInTerminal, keys, plain, runInTerminal as typedAt, type Step } from '../support/terminal.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const [store, fresh] = [join(folder, 'shop.db'), join(folder, 'fresh.db')];

const typed = (line: string, ...steps: readonly Step[]) => typedAt(store, line, steps);

beforeAll(async () => {
  const names = ['Rex', 'Bella'].map((name) => ['pet', 'create', '--name', name, '--category', '1']);
  await prepare(fresh, ['init'], ['category', 'create', '--name', 'Dogs'], ...names, ['pet', 'hold', '2']);
});
beforeEach(() => copyFileSync(fresh, store));

testInTerminal('prints a coloured table, fitted to the terminal', async () => {
  const { exitCode, stdout } = await typed('pet list');
  expect([exitCode, plain(stdout)]).toEqual([
    0,
    'ID  Name   Category  Status       On hand\n 1  Rex    Dogs      ● available        1\n 2  Bella  Dogs      ● pending          1\n',
  ]);
  expect(stdout).toContain('\u001b[32m●\u001b[39m available');
  expect(stdout).toContain('\u001b[33m●\u001b[39m pending');
  const long = 'An animal whose name is much longer than what a terminal of eighty cells has room for';
  await prepare(store, ['pet', 'edit', '1', '--name', long]);
  for (const row of plain((await typed('pet list')).stdout).split('\n')) expect(row.length).toBeLessThanOrEqual(80);
});

testInTerminal('a confirmation answered with Return or Ctrl-C changes nothing', async () => {
  for (const answer of ['\r', keys.interrupt]) {
    const { exitCode, stdout } = await typed('pet delete 1', [/Delete pet 1 \(.*\)\?/, answer]);
    expect([exitCode, plain(stdout)]).toEqual([130, expect.stringMatching(/Delete pet 1 \(.*\)\? [^]*Cancelled\.\n$/)]);
  }
  await prepare(store, ['pet', 'view', '1']);
});

testInTerminal('log --follow continues its table in the same columns until Ctrl-C', async () => {
  await prepare(store, ['pet', 'hold', '1', '--actor', 'ana', '--note', '小さい犬']);
  const change = (...args: readonly string[]) => void prepare(store, [...args, '--actor', 'ana']);
  const { exitCode, stdout } = await typed(
    'log --follow -L 1 --actor ana --fields id,at,actor,kind,pet,delta,note --no-color',
    [/小さい犬\n/, () => change('inventory', 'adjust', '2', '+120', '--note', 'a delivery with a very long story that no line of this terminal has room for')],
    [/adjust.*\n/, () => change('pet', 'release', '2')],
    [/pet\.released.*\n/, keys.interrupt],
  );
  expect([
    exitCode,
    plain(stdout)
      .replace('^C', '')
      .replaceAll(/\d\d:\d\d:\d\d/g, 'hh:mm:ss')
      .split('\n'),
  ]).toEqual([
    130,
    [
      '   ID  When      By   Kind             Pet         Change  Note',
      '    5  hh:mm:ss  ana  pet.held         Rex (1)             小さい犬',
      '    6  hh:mm:ss  ana  adjust           Bella (2)     +120  a delivery with a ve…',
      '    7  hh:mm:ss  ana  pet.released     Bella (2)',
      '',
    ],
  ]);
});
