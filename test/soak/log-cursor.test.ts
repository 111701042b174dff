import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { remoteShop } from '../../src/http/client/remote-shop.js';
import { environment, petstore, prepare, runHosted, start, stockedShop } from '../support/program.js';
import { isFullSize, seededRandom } from '../support/seeded-random.js';
import { startServer } from '../support/server-process.js';
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

test('log --follow continues after a server that was silent for longer than --wait is killed and restarted', async () => {
  const store = join(folder, 'served.db');
  await stockedShop(store, 1, 5);
  const first = await startServer(store);
  const address = new URL(first.address);
  // Longer than a server takes to start on a busy machine.
  const wait = 5;
  const shop = remoteShop({ address, token: undefined, actor: 'ana', waitSeconds: wait, insecure: false });
  onTestFinished(() => shop.close());
  const set = (quantity: number): Promise<unknown> => shop.call(setInventory, { petId: 1, body: { quantity } });
  const entries = shop.follow({ id: 0 })[Symbol.asyncIterator]();
  const next = async (): Promise<number | undefined> => {
    const { value } = await entries.next();
    return value?.[0]?.quantityAfter;
  };
  await set(11);
  while ((await next()) !== 11);
  const ahead = next();
  await sleep(wait * 1000 + 300);
  first.child.kill('SIGKILL');
  await first.ended;
  await startServer(store, '--port', address.port);
  await set(12);
  expect(await ahead).toBe(12);
});
