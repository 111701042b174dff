import { describe, expect, test } from 'vitest';
import pg from 'pg';
import { sql } from '../../src/storage/sql.js';
import { seededRandom } from '../support/seeded-random.js';
import { brokenInvariants } from '../support/invariants.js';
import { withStore } from '../support/inspect-store.js';
import { guideSettings, hasPgBouncer, startPgBouncer, type PgBouncer } from '../support/pgbouncer.js';
import { addressOf, freshDatabase } from '../support/postgres.js';
import { runHosted, runProgram, stockedShop } from '../support/program.js';
import { ask } from '../support/server.js';
import { startServer } from '../support/server-process.js';

const pets = 20;

/** Requests whose answers can be matched to them. */
const requests: readonly (readonly [path: (id: number) => string, isRight: (body: never, id: number) => boolean])[] = [
  [(id) => `/pets/${id}`, (body: { id: number; name: string }, id) => body.id === id && body.name === `Guppy ${id}`],
  [() => '/categories/1', (body: { id: number; name: string }) => body.id === 1 && body.name === 'Fish'],
  [(id) => `/store/inventory/${id}`, (body: { petId: number }, id) => body.petId === id],
  [(id) => `/pets?limit=${id}`, (body: readonly object[], id) => body.length === id],
  [(id) => `/store/ledger?petId=${id}`, (body: readonly { petId: number; kind: string }[], id) => body.every(({ petId }) => petId === id)],
  [() => '/store/imports/1', (body: { id: number; kind: string }) => body.id === 1 && body.kind === 'pets'],
  [() => '/categories?q=fis', (body: readonly { name: string }[]) => body[0]?.name === 'Fish'],
];

/** What a server connection keeps for the next client of the pooler. */
const nothingLeft = { statements: 0, settings: '', tables: 0, locks: 0, channels: 0 };

const leftText = `SELECT (SELECT count(*)::int FROM pg_prepared_statements) AS statements,
  (SELECT coalesce(string_agg(name, ','), '') FROM pg_settings WHERE source = 'session' AND name NOT IN ('application_name', 'client_encoding')) AS settings,
  (SELECT count(*)::int FROM pg_class WHERE relpersistence = 't') AS tables,
  (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory') AS locks,
  (SELECT count(*)::int FROM pg_listening_channels()) AS channels`;

/** What each of the connections of a pooler keeps. */
async function leftInSessions(pooled: string, connections: number): Promise<readonly unknown[]> {
  const clients = Array.from({ length: connections }, () => new pg.Client(pooled));
  try {
    // A transaction holds its connection, so each client has another one.
    for (const client of clients) {
      await client.connect();
      await client.query('BEGIN');
    }
    return await Promise.all(clients.map(async (client) => (await client.query<object>(leftText)).rows[0]));
  } finally {
    for (const client of clients) await client.end();
  }
}

/** Runs work with PgBouncer before a new database with a stocked shop, whose rules must hold afterwards. */
async function withPgBouncer(stocked: number, quantity: number, work: (pooler: PgBouncer, address: string) => Promise<void>): Promise<void> {
  const { address, drop } = await freshDatabase(true);
  try {
    await stockedShop(address, stocked, quantity);
    const pooler = await startPgBouncer(address, 2);
    try {
      await work(pooler, address);
    } finally {
      await pooler.close();
    }
    await withStore(address, async (found) => expect(await brokenInvariants(found)).toEqual([]));
  } finally {
    await drop();
  }
}

if (!hasPgBouncer) console.warn('PgBouncer is not installed; this suite is skipped.');

describe.skipIf(addressOf('') === undefined || !hasPgBouncer)('PgBouncer with the settings of the guide', () => {
  test('runs in transaction mode', () => expect(guideSettings()).toMatch(/^pool_mode = transaction$/m));

  test('two servers and twelve commands at once share two connections, get their own answers, and leave nothing in a session', () =>
    withPgBouncer(pets, 50, async ({ pooled }) => {
      const servers = await Promise.all([startServer(pooled, '--wait', '60'), startServer(pooled, '--wait', '60')]);
      const commands: readonly (readonly [args: string, stdin?: string])[] = [
        ['inventory import - --quiet', 'petId,delta\n1,7\n2,7\n'],
        ['inventory import - --quiet', 'petId,delta\n2,3\n3,3\n'],
        ['pet import - --quiet', 'name,category\nRex,Fish\n'],
        ['pet import - --quiet', 'name,category\nAda,Fish\n'],
        ['sell 4 5x2 --yes --quiet'],
        ['sell 4 --yes --quiet'],
        ['receive 6 12 --quiet'],
        ['order place --pet 7 --quantity 3 --quiet'],
        ['inventory set 8 17 --quiet'],
        ['inventory export'],
        ['log --pet 1 --json'],
        ['report stock --json'],
      ];
      const wrong: string[] = [];
      const client = async (index: number): Promise<void> => {
        const random = seededRandom(index);
        const server = servers[index % servers.length]?.address ?? '';
        // Each starts at another request, so the programs prepare statements in different orders.
        for (let turn = 0; turn < requests.length; turn += 1) {
          const id = 1 + Math.floor(random() * pets);
          const [path, isRight] = requests[(index * 3 + turn) % requests.length] ?? [() => '', () => false];
          const answer = await ask(server, 'GET', path(id));
          if (answer.status !== 200 || !isRight(answer.json<never>(), id)) wrong.push(`${path(id)}: ${answer.status} ${answer.text}`);
          const placed = await ask(server, 'POST', '/store/orders', { body: { petId: id, complete: true } });
          if (placed.status !== 201 || placed.json<{ readonly petId: number }>().petId !== id) wrong.push(`an order: ${placed.status} ${placed.text}`);
        }
      };
      const clients = Promise.all([0, 1, 2, 3, 4, 5].map(client));
      const ends = await Promise.all(commands.map(([args, stdin]) => runProgram(pooled, [...args.split(' '), '--wait', '60'], stdin)));
      await clients;
      expect(ends.map(({ exitCode, stderr }, index) => [commands[index]?.[0], exitCode === 0 ? 0 : stderr])).toEqual(commands.map(([args]) => [args, 0]));
      expect(wrong).toEqual([]);
      expect(await leftInSessions(pooled, 2)).toEqual([nothingLeft, nothingLeft]);
      expect((await Promise.all(servers.map(({ stop }) => stop()))).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    }));

  test('orders that were confirmed while it was killed twice are stored once', () =>
    withPgBouncer(1, 5000, async (pooler, address) => {
      const server = await startServer(pooler.pooled, '--wait', '30');
      const wrong: string[] = [];
      const confirmed: number[] = [];
      let isOver = false;
      const client = async (index: number): Promise<void> => {
        for (let turn = 0; !isOver; turn += 1) {
          const headers = { 'idempotency-key': `${index} ${turn}` };
          const answer = await ask(server.address, 'POST', '/store/orders', { body: { petId: 1, complete: true }, headers });
          if (answer.status === 201) confirmed.push(answer.json<{ readonly id: number }>().id);
          else wrong.push(`${answer.status} ${answer.text}`);
        }
      };
      const clients = Promise.all([0, 1, 2, 3].map(client));
      for (const count of [20, 40]) {
        await expect.poll(() => confirmed.length + wrong.length, { timeout: 60_000 }).toBeGreaterThan(count);
        await pooler.crash();
      }
      await expect.poll(() => confirmed.length + wrong.length, { timeout: 60_000 }).toBeGreaterThan(60);
      isOver = true;
      await clients;
      expect(wrong).toEqual([]);
      await server.stop();
      await withStore(address, async (found) => {
        const stored = await found.rows<{ readonly id: number }>(sql`SELECT id FROM orders WHERE state = 'complete' ORDER BY id`);
        expect(stored.map(({ id }) => id)).toEqual(confirmed.toSorted((one, other) => one - other));
      });
    }));

  test('what it refuses itself is refused at once, with its reason', () =>
    withPgBouncer(1, 1, async ({ pooled }) => {
      const refusals: readonly (readonly [store: string, message: RegExp])[] = [
        [`${pooled}?options=-c%20search_path%3Dpublic`, /rejected the connection \(unsupported startup parameter: options\)\.\nhint: .*pooler/],
        [pooled.replace(/:[^:@]+@/, ':wrong@'), /rejected the user name or the password\./],
      ];
      for (const [store, message] of refusals) {
        const started = performance.now();
        const { exitCode, stderr } = await runHosted(store, ['status', '--wait', '60']);
        expect([exitCode, stderr]).toEqual([7, expect.stringMatching(message)]);
        expect(performance.now() - started).toBeLessThan(30_000);
      }
    }));
});
