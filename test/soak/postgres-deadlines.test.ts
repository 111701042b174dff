import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { localShop } from '../../src/storage/shop.js';
import { sql } from '../../src/storage/sql.js';
import type { SilenceTimes } from '../../src/storage/postgres/connection.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { startPooler } from '../support/pooler.js';
import { addCategory, categoryNames, inDatabase } from '../support/postgres-engines.js';
import { openShop } from '../support/postgres.js';
import { canStart, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { startProxy, type Proxy } from '../support/proxy.js';

/** A quarter of the usual times. */
const silenceTimes: SilenceTimes = { checkAfterMs: 500, acceptMs: 1250, answerMs: 7500 };
const noticedMs = 1750;
// A loaded machine; what is not refused in time waits for minutes.
const slackMs = 20_000;

/** The time that work takes until it is refused, in ms. */
async function refusedAfter(work: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await expectRefusal('store_unreachable', work, /cannot be reached \(it does not answer\)/);
  return performance.now() - started;
}

async function inFreezer(work: (server: PostgresServer, address: string) => Promise<void>): Promise<void> {
  const server = await startPostgres();
  try {
    const address = server.urlOf('postgres');
    await (await openShop(address, { create: true })).close();
    await work(server, address);
  } finally {
    await server.stop();
  }
}

/** A proxy before the server of an address, and the address through it. */
async function proxied(address: string): Promise<{ readonly proxy: Proxy; readonly through: string }> {
  const through = new URL(address);
  const proxy = await startProxy(Number(through.port));
  through.port = String(proxy.port);
  return { proxy, through: through.href };
}

const selectCount = sql`SELECT count(*) AS count FROM pets`;

// Beside each other, because they mostly wait.
describe.skipIf(!canStart() || process.platform !== 'linux')('a PostgreSQL that does not answer', { concurrent: true }, () => {
  test('reads and writes are refused in time while the server is stopped, and succeed when it continues', () =>
    inFreezer(async (server, address) => {
      const engine = await openShop(address, { waitSeconds: 3, silenceTimes });
      await engine.write((queries) => queries.run(addCategory('before')));
      server.freeze();
      const times = await Promise.all([
        refusedAfter(engine.write((queries) => queries.run(addCategory('never')))),
        // More reads than connections: those that wait for one are refused as well.
        ...Array.from({ length: 20 }, () => refusedAfter(categoryNames(engine))),
      ]);
      for (const time of times) expect(time).toBeLessThan(5000 + slackMs);
      // A read that waits until the server continues.
      const late = categoryNames(engine);
      await sleep(200);
      server.thaw();
      expect(await late).toEqual(['before']);
      await engine.write((queries) => queries.run(addCategory('after')));
      expect(await categoryNames(engine)).toEqual(['before', 'after']);
      await engine.close();
    }));

  test('a transaction whose server stops is refused, and closing does not wait for the server', () =>
    inFreezer(async (server, address) => {
      const engine = await openShop(address, { waitSeconds: 0, silenceTimes });
      const frozen = engine.read(async (queries) => {
        server.freeze();
        return queries.get(selectCount);
      });
      expect(await refusedAfter(frozen)).toBeLessThan(noticedMs + slackMs);
      const started = performance.now();
      await engine.close();
      expect(performance.now() - started).toBeLessThan(slackMs);
      server.thaw();
    }));

  test('a query is silent for as long as its server works on it, or waits for a lock', () =>
    inDatabase(async (address) => {
      const [first, second] = [await openShop(address, { waitSeconds: 1, silenceTimes }), await openShop(address, { waitSeconds: 9, silenceTimes })];
      const [slept] = await Promise.all([
        first.read((queries) => queries.get({ text: "SELECT 'done' AS text FROM pg_sleep(4)", values: [] })),
        first.write((queries) => queries.run({ text: 'SELECT pg_sleep(4)', values: [] })),
        sleep(200).then(() => second.write((queries) => queries.run(addCategory('second')))),
      ]);
      expect([slept, await categoryNames(second)]).toEqual([{ text: 'done' }, ['second']]);
      await Promise.all([first, second].map((one) => one.close()));
    }));

  test('connections are replaced when the network loses everything, and a change is made once', () =>
    inDatabase(async (address) => {
      const { proxy, through } = await proxied(address);
      const engine = await openShop(through, { waitSeconds: 9, silenceTimes });
      await engine.write((queries) => queries.run(addCategory('before')));
      proxy.cut();
      const pending = [engine.write((queries) => queries.run(addCategory('once'))), categoryNames(engine)];
      await sleep(noticedMs + 1000);
      proxy.heal();
      await Promise.all(pending);
      expect(await categoryNames(engine)).toEqual(['before', 'once']);
      await engine.close();
      await proxy.close();
    }));

  test('a connection that alone is lost is noticed: the server is there, and has nothing to do for it', () =>
    inDatabase(async (address) => {
      const { proxy, through } = await proxied(address);
      const engine = await openShop(through, { waitSeconds: 0, silenceTimes });
      const lost = engine.read(async (queries) => {
        proxy.cut();
        const swallowed = proxy.swallowed();
        const answer = queries.get(selectCount);
        await swallowed;
        proxy.heal();
        return answer;
      });
      expect(await refusedAfter(lost)).toBeLessThan(noticedMs + slackMs);
      await engine.close();
      await proxy.close();
    }));

  test('a small write whose process of the server is stopped is refused in time, and made when it is asked for again', () =>
    inDatabase(async (address) => {
      const engine = await openShop(address, { waitSeconds: 4 });
      const { call } = localShop(engine, { actor: 'ana', source: 'http', clock: () => Date.now() }, '');
      await call(createCategory, { body: { name: 'Dogs' } });
      await call(createPet, { quantity: 9, body: { name: 'Rex', categoryId: 1 } });
      const admin = new pg.Client(address);
      await admin.connect();
      await admin.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE');
      const started = performance.now();
      const refused = expectRefusal('store_unreachable', call(placeOrder, { body: { petId: 1 } }));
      let pid: number | undefined;
      while (pid === undefined) {
        const { rows } = await admin.query<{ readonly pid: number }>(
          "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'petstore' AND wait_event_type = 'Lock'",
        );
        pid = rows[0]?.pid;
      }
      process.kill(pid, 'SIGSTOP');
      try {
        await admin.query('ROLLBACK');
        await refused;
        expect(performance.now() - started).toBeLessThan(4000 + slackMs);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      expect(await call(placeOrder, { body: { petId: 1 } })).toMatchObject({ id: 1 });
      await admin.end();
      await engine.close();
    }));

  test('the wait of the caller is a part of the time that reads and writes wait for a server', () =>
    inDatabase(async (address) => {
      const { proxy, through } = await proxied(address);
      const engine = await openShop(through, { waitSeconds: 600 });
      await proxy.close();
      const waitedMs = 599_900;
      await expectRefusal(
        'store_unreachable',
        engine.read((queries) => queries.get(selectCount), { isRepeatable: true, waitedMs }),
      );
      await expectRefusal(
        'store_unreachable',
        engine.write((queries) => queries.run(addCategory('late')), { waitedMs }),
      );
      await expectRefusal(
        'store_unreachable',
        engine.write((queries) => queries.run(addCategory('late')), { records: [], waitedMs }),
      );
      await engine.close();
    }));

  test('the lookup of a commit behind a pooler without a free connection ends in time', () =>
    inDatabase(async (address) => {
      const pooler = await startPooler(address, 1);
      const proxy = await startProxy(pooler.port);
      const through = new URL(address);
      through.port = String(proxy.port);
      const engine = await openShop(through.href, { waitSeconds: 5 });
      await engine.write((queries) => queries.run(addCategory('before')));
      through.port = String(pooler.port);
      const other = new pg.Client(through.href);
      await other.connect();
      let begun: Promise<unknown> | undefined;
      proxy.breakAt('COMMIT /*', 'after');
      const started = performance.now();
      const lost = engine.write(async (queries) => {
        await queries.run(addCategory('once'));
        // It gets the connection after the commit.
        begun = other.query('BEGIN');
      });
      await expectRefusal('store_unreachable', lost, /unknown whether it was saved/);
      expect(performance.now() - started).toBeLessThan(5000 + 1000 + slackMs);
      await begun;
      await other.query('ROLLBACK');
      expect(await categoryNames(engine)).toEqual(['before', 'once']);
      await other.end();
      await engine.close();
      await proxy.close();
      await pooler.close();
    }));
});
