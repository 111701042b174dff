import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wrongWith } from '../support/judge.js';
import { built, prepare, runProgram } from '../support/program.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-e2e-'));

beforeAll(built);
afterAll(() => rmSync(folder, { recursive: true }));

test('two processes ordering the last unit: exactly one wins', async () => {
  const store = join(folder, 'last.db');
  await prepare(store, ['init'], ['category', 'create', '--name', 'Dogs'], ['pet', 'create', '--name', 'Rex', '--category', 'Dogs', '--quantity', '5']);
  for (let left = 5; left > 0; left -= 1) {
    await prepare(store, ['inventory', 'set', '1', '1']);
    const both = await Promise.all([1, 2].map(() => runProgram(store, ['order', 'place', '--pet', '1', '--json'])));
    expect(both.map(({ exitCode }) => exitCode ?? -1).toSorted((one, other) => one - other)).toEqual([0, 4]);
    const loser = both.find(({ exitCode }) => exitCode === 4);
    expect([loser?.stdout, JSON.parse(loser?.stderr ?? '')]).toMatchObject(['', { error: { code: 'insufficient_stock', status: 409, exitCode: 4 } }]);
    const winner = JSON.parse(both.find(({ exitCode }) => exitCode === 0)?.stdout ?? '') as { readonly id: number };
    await prepare(store, ['order', 'cancel', String(winner.id)]);
  }
  expect(await wrongWith(store)).toEqual([]);
});

/** What a process does over and over while others do the same. */
const writers: readonly ((turn: number) => readonly string[])[] = [
  (turn) => ['order', 'place', '--pet', String(1 + (turn % 3)), '--complete'],
  (turn) => ['order', 'place', '--pet', String(1 + (turn % 3)), '--quantity', '2'],
  (turn) => ['inventory', 'adjust', String(1 + (turn % 3)), '+3'],
  (turn) => ['inventory', 'set', '1', String(turn % 5)],
  (turn) => ['pet', 'edit', '2', '--status', turn % 2 === 0 ? 'pending' : 'available'],
  (turn) => ['order', 'cancel', String(turn + 1)],
];
const readers: readonly (readonly string[])[] = [
  ['inventory', 'list', '--json'],
  ['status', '--json'],
];

test('six writers and two readers at once keep every invariant', async () => {
  const store = join(folder, 'busy.db');
  const pets = ['Rex', 'Bella', 'Koi'].map((name) => ['pet', 'create', '--name', name, '--category', '1', '--quantity', '10']);
  await prepare(store, ['init'], ['category', 'create', '--name', 'Dogs'], ...pets);
  const end = Date.now() + 2000;
  const codes: (number | null)[] = [];
  const worker = async (line: (turn: number) => readonly string[], allowed: readonly number[]): Promise<number> => {
    let turn = 0;
    for (; Date.now() < end; turn += 1) {
      const { exitCode, stderr } = await runProgram(store, [...line(turn), '--wait', '20']);
      codes.push(exitCode);
      if (exitCode === null || !allowed.includes(exitCode)) expect.fail(`${line(turn).join(' ')} ended with ${exitCode}: ${stderr}`);
    }
    return turn;
  };
  // Refusals of a rule (3, 4) are part of the game; a busy store or an unexpected failure is not.
  const turns = await Promise.all([...writers.map((line) => worker(line, [0, 3, 4])), ...readers.map((line) => worker(() => line, [0]))]);
  for (const count of turns) expect(count).toBeGreaterThan(0);
  expect(codes.filter((code) => code === 0).length).toBeGreaterThan(8);
  expect(await wrongWith(store)).toEqual([]);
});
