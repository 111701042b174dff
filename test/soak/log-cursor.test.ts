import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { environment, petstore, prepare, runHosted, start } from '../support/program.js';
import { isFullSize, seededRandom } from '../support/seeded-random.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const rounds = isFullSize ? 50 : 6;

test('a reader with a cursor file that is killed at random misses no entry, and repeats at most its last ones', async () => {
  const store = join(folder, 'shop.db');
  await prepare(store, ['init', '--sample']);
  const random = seededRandom(1);
  const args = ['log', '--cursor-file', join(folder, 'cursor'), '--follow', '--format', 'ids'];
  const outputs: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { child, ended } = start(process.execPath, [petstore, ...args], environment(store));
    const killed = sleep(random() * 900).then(() => child.kill('SIGKILL'));
    while (child.exitCode === null && child.signalCode === null) await runHosted(store, ['receive', '13', '1', '--quiet']);
    await killed;
    outputs.push((await ended).stdout.split('\n').filter(Boolean).map(Number));
  }
  const rest = await runHosted(
    store,
    args.filter((word) => word !== '--follow'),
  );
  outputs.push(rest.stdout.split('\n').filter(Boolean).map(Number));
  const all = (await runHosted(store, ['log', '--format', 'ids'])).stdout.trim().split('\n').map(Number);
  expect([...new Set(outputs.flat())]).toEqual(all);
  for (const ids of outputs) expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  // A page or a group of new entries at most is printed again after a kill.
  expect(outputs.flat().length - all.length).toBeLessThanOrEqual(rounds * 500);
});
