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
import { skipWith } from '../support/optional-tools.js';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { addCategory, categoryNames, inDatabase, withEnginesAt } from '../support/postgres-engines.js';
import { openShop, addressOf } from '../support/postgres.js';
import { canStart, startPostgres } from '../support/postgres-server.js';
import { proxyTo } from '../support/proxy.js';

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

const selectCount = sql`SELECT count(*) AS count FROM pets`;

// Beside each other, because they mostly wait.
describe.skipIf(!canStart() || process.platform !== 'linux')('a PostgreSQL that does not answer', { concurrent: true }, () => {
  test('a transaction whose server stops is refused, and closing does not wait for the server', async () => {
    const server = await startPostgres();
    const engine = await openShop(server.urlOf('postgres'), { create: true, waitSeconds: 0, silenceTimes });
    const frozen = engine.read(async (queries) => {
      server.freeze();
      return queries.get(selectCount);
    });
    expect(await refusedAfter(frozen)).toBeLessThan(noticedMs + slackMs);
    const started = performance.now();
    await engine.close();
    expect(performance.now() - started).toBeLessThan(slackMs);
    server.thaw();
    await server.stop();
  });

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
      const proxy = await proxyTo(address);
      const engine = await openShop(proxy.through, { waitSeconds: 9, silenceTimes });
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
      const proxy = await proxyTo(address);
      const engine = await openShop(proxy.through, { waitSeconds: 0, silenceTimes });
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
      const proxy = await proxyTo(address);
      const engine = await openShop(proxy.through, { waitSeconds: 600 });
      await proxy.close();
      const waitedMs = 599_900;
      await expectRefusal(
        'store_unreachable',
        engine.read((queries) => queries.get(selectCount), { waitedMs }),
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

  test('the lookup of a commit behind a pooler without a free connection ends in time', (context) => {
    skipWith(hasPgBouncer ? undefined : 'PgBouncer is not installed.', context);
    return inDatabase(async (address) => {
      const { pooled, close } = await startPgBouncer(address, 1);
      const proxy = await proxyTo(pooled);
      const engine = await openShop(proxy.through, { waitSeconds: 5 });
      await engine.write((queries) => queries.run(addCategory('before')));
      const other = new pg.Client(pooled);
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
      await close();
    });
  });
});

// At the same time, because they mostly wait.
describe.concurrent('PostgreSQL that stops or does not answer', () => {
  test.skipIf(addressOf('') === undefined)('a writer that becomes idle with the write lock is disconnected and repeated, and others continue', () =>
    inDatabase((address) =>
      withEnginesAt(2, address, async ([silent, other]) => {
        let [wake, begin] = [(): void => undefined, (): void => undefined];
        const [woken, begun] = [new Promise<void>((resolve) => (wake = resolve)), new Promise<void>((resolve) => (begin = resolve))];
        let tries = 0;
        const late = silent?.write(async (queries) => {
          await queries.run(addCategory(`silent ${(tries += 1)}`));
          begin();
          await woken;
          await queries.run(addCategory('awake'));
        });
        await begun;
        await other?.write((queries) => queries.run(addCategory('other')));
        wake();
        await late;
        expect([tries, other && (await categoryNames(other))]).toEqual([2, ['other', 'silent 2', 'awake']]);
      }),
    ),
  );

  test.skipIf(!canStart())('while the server restarts, requests with a short wait fail and others wait, also to open the shop', async () => {
    const server = await startPostgres(true);
    try {
      const address = server.urlOf('postgres');
      const patient = await openShop(address, { create: true, waitSeconds: 30 });
      const hasty = await openShop(address, { waitSeconds: 0 });
      await hasty.write((queries) => queries.run(addCategory('before')));
      const restarted = server.restart();
      const isThere = () =>
        openShop(address, { waitSeconds: 0 }).then(
          (engine) => engine.close().then(() => true),
          () => false,
        );
      while (await isThere());
      // Until the connected clients have noticed it.
      await sleep(20);
      const late = Promise.all([
        openShop(address, { waitSeconds: 30 }),
        patient.write((queries) => queries.run(addCategory('patient'))),
        categoryNames(patient),
      ]);
      await expectRefusal(
        'store_unreachable',
        hasty.write((queries) => queries.run(addCategory('never'))),
        /cannot be reached/,
      );
      await expectRefusal('store_unreachable', categoryNames(hasty), /cannot be reached/);
      const [another] = await late;
      await restarted;
      await hasty.write((queries) => queries.run(addCategory('after')));
      expect(await categoryNames(another)).toEqual(['before', 'patient', 'after']);
      await Promise.all([patient, hasty, another].map((engine) => engine.close()));
    } finally {
      await server.stop();
    }
  });
});
