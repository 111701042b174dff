import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dump } from '../support/cli.js';
import { ensureBuilt, environment, petstore, runProgram, start, stockedShop } from '../support/program.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-e2e-'));
const store = join(folder, 'shop.db');
const pets = 10_000;

beforeAll(async () => {
  await ensureBuilt();
  await stockedShop(store, pets, 3);
});

afterAll(() => rmSync(folder, { recursive: true }));

function rows(quantity: number): string {
  return Array.from({ length: pets }, (_, index) => `${index + 1},${quantity}\n`).join('');
}

/** The number of pets by quantity. */
function quantities(): readonly (readonly [number, number])[] {
  const found = new Map<number, number>();
  for (const { quantity } of dump(store)['stock'] as readonly { readonly quantity: number }[]) found.set(quantity, (found.get(quantity) ?? 0) + 1);
  return [...found];
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} while an import reads leaves nothing behind`, async () => {
    const before = dump(store);
    const { child, ended } = start(process.execPath, [petstore, 'inventory', 'import', '-'], environment(store));
    child.stdin.write(`petId,quantity\n${rows(9)}`);
    // More than the pipe buffer was read, and the end of the file never comes.
    await new Promise((resolve) => child.stdin.write(' '.repeat(4096), resolve));
    child.kill(signal);
    expect(await ended).toMatchObject({ exitCode: null, signal, stdout: '' });
    expect(dump(store)).toEqual(before);
  });
}

test('an import killed at any moment is applied completely or not at all', async () => {
  const file = join(folder, 'count.csv');
  let quantity = 3;
  const outcomes = new Set<string>();
  for (const pause of [90, 140, 190, 260, 350, 1000]) {
    const next = quantity + 1;
    writeFileSync(file, `petId,quantity\n${rows(next)}`);
    const { child, ended } = start(process.execPath, [petstore, 'inventory', 'import', file], environment(store));
    await sleep(pause);
    child.kill('SIGINT');
    const { exitCode, signal } = await ended;
    const all = quantities();
    expect(all).toHaveLength(1);
    const [[now = -1] = []] = all;
    expect([quantity, next]).toContain(now);
    // An acknowledged import is stored.
    if (exitCode === 0) expect(now).toBe(next);
    else expect(signal).toBe('SIGINT');
    outcomes.add(`${exitCode}`);
    quantity = now;
  }
  expect(outcomes.has('null')).toBe(true);
  expect((await runProgram(store, ['inventory', 'list', '--format', 'count'])).stdout).toBe(`${pets}\n`);
});

test('SIGINT during a list ends the process by the signal, and the shop stays usable', async () => {
  const { child, ended } = start(process.execPath, [petstore, 'pet', 'list', '--json'], environment(store), false);
  // The first bytes have arrived; the rest waits because nothing reads it.
  await new Promise((resolve) => child.stdout.once('readable', resolve));
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ exitCode: null, signal: 'SIGINT', stderr: '' });
  expect(await runProgram(store, ['pet', 'hold', '1'])).toMatchObject({ exitCode: 0, stderr: '' });
});

test('SIGKILL during an import leaves the shop unchanged', async () => {
  const before = quantities();
  const { child, ended } = start(process.execPath, [petstore, 'inventory', 'import', '-'], environment(store));
  child.stdin.write(`petId,quantity\n${rows(77)}`);
  await new Promise((resolve) => child.stdin.write(' '.repeat(4096), resolve));
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ signal: 'SIGKILL' });
  expect((await runProgram(store, ['pet', 'release', '1'])).exitCode).toBe(0);
  expect(quantities()).toEqual(before);
});
