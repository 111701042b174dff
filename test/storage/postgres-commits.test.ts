import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import type { Shop } from '../../src/domain/shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { localShop } from '../../src/storage/shop.js';
import { sql } from '../../src/storage/sql.js';
import { csv } from '../support/files.js';
import { canStart, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { openShop } from '../support/postgres.js';
import { expectRefusal } from '../support/expect-refusal.js';

const insert = sql`INSERT INTO categories (id, name, folded) SELECT coalesce(max(id), 0) + 1, 'Dogs', 'dogs' FROM categories`;

describe.skipIf(!canStart())('a server with synchronous replication', () => {
  let server: PostgresServer;
  let engine: Engine;
  let admin: pg.Client;
  let probe: pg.Client;

  beforeAll(async () => {
    server = await startPostgres(false, ['synchronous_commit=on']);
    engine = await openShop(server.urlOf('postgres'), { create: true, waitSeconds: 30 });
    admin = new pg.Client(server.urlOf('postgres'));
    await admin.connect();
    // Statements of the administrator must not wait.
    await admin.query('SET synchronous_commit = local');
    probe = new pg.Client({ connectionString: server.urlOf('postgres'), application_name: 'probe' });
    await probe.connect();
  });
  // A test that fails must not leave the commits of the next one waiting.
  afterEach(() => waitFor(''));
  afterAll(async () => {
    await engine.close();
    await probe.end();
    await admin.end();
    await server.stop();
  });

  /** Whether a commit waits for a standby now; a commit that waits is cancelled. */
  async function commitsWait(): Promise<boolean> {
    let isCommitted = false;
    const commit = probe.query("SELECT pg_logical_emit_message(true, 'probe', '')").then(() => (isCommitted = true));
    const waits = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'probe' AND wait_event = 'SyncRep'`;
    while (!isCommitted) {
      const { rows } = await admin.query(waits);
      if (rows.length === 0) continue;
      await commit;
      return true;
    }
    return false;
  }

  /** Sets the standbys that commits wait for; none exists. The server puts the setting into effect at some moment after it was set. */
  async function waitFor(standbys: string): Promise<void> {
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
    await admin.query('SELECT pg_reload_conf()');
    while ((await commitsWait()) !== (standbys !== '')) await sleep(5);
  }

  /** The connections whose commit waits for a standby; none when `endsTransaction` is set. */
  async function waiting(endsTransaction: () => boolean, other = 0): Promise<readonly number[]> {
    for (;;) {
      const { rows } = await admin.query<{ readonly pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'petstore' AND wait_event = 'SyncRep' AND pid <> ${other}`,
      );
      if (rows.length > 0 || endsTransaction()) return rows.map(({ pid }) => pid);
      await sleep(5);
    }
  }

  async function count(): Promise<number> {
    return (await engine.read((queries) => queries.get<{ readonly count: number }>(sql`SELECT count(*) AS count FROM categories`)))?.count ?? -1;
  }

  for (const [ending, end] of [
    ['its connection is cut', 'pg_terminate_backend'],
    ['its wait is cancelled', 'pg_cancel_backend'],
  ] as const) {
    test(`a commit that is stored when ${ending} is acknowledged once a standby has it, and made once`, async () => {
      const before = await count();
      await waitFor('far_away');
      let isAnswered = false;
      const answer = engine.write((queries) => queries.run(insert)).then(() => (isAnswered = true));
      const [first = 0] = await waiting(() => isAnswered);
      expect(first).toBeGreaterThan(0);
      const queryOf = async (pid: number) =>
        (await admin.query<{ readonly query: string }>(`SELECT query FROM pg_stat_activity WHERE pid = ${pid}`)).rows[0]?.query ?? '';
      const firstCommit = await queryOf(first);
      await admin.query(`SELECT ${end}(${first})`);
      // The lookup finds the commit and waits for the standby with a commit of its own, perhaps on the same connection.
      let [second] = [0];
      while (second === 0 && !isAnswered) {
        [second = 0] = await waiting(() => isAnswered);
        if (['', firstCommit].includes(await queryOf(second))) second = 0;
      }
      expect([isAnswered, await count()]).toEqual([false, before + 1]);
      await waitFor('');
      await answer;
      expect(await count()).toBe(before + 1);
    });
  }

  const repeats: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
    'a pet import': (shop) => shop.importPets(csv('name,category', 'Tom,Cats'), { mode: 'atomic', createCategories: true }),
    'a stock import': (shop) => shop.importStock(csv('petId,delta', '1,2'), { mode: 'atomic' }),
    'an undo': (shop) => shop.undoBatch(2, { key: 'K' }),
    'an order': (shop) => shop.call(placeOrder, { body: {} }, { key: 'O' }),
  };

  for (const [name, ask] of Object.entries(repeats)) {
    test(`${name} that was made earlier is acknowledged once a standby has it`, async () => {
      const shop = localShop(engine, { actor: 'ana', source: 'cli', clock: () => Date.now() }, '');
      const first = await ask(shop);
      await waitFor('far_away');
      let isAnswered = false;
      const again = ask(shop).finally(() => (isAnswered = true));
      const waiters = await waiting(() => isAnswered);
      expect([isAnswered, waiters.length]).toEqual([false, 1]);
      await waitFor('');
      // Imports report rows as already applied; the others return the same answer.
      expect(await again).toMatchObject(name.endsWith('import') ? { applied: 0, alreadyApplied: 1 } : (first as object));
    });
  }

  test('a change is reported as not confirmed when the standby is missing and the connection is lost', async () => {
    const hasty = await openShop(server.urlOf('postgres'), { waitSeconds: 0.3 });
    await waitFor('far_away');
    let endsTransaction = false;
    const lost = hasty.write((queries) => queries.run(insert)).finally(() => (endsTransaction = true));
    const refused = expectRefusal('store_unreachable', lost, /^The change was saved in \S+, but no synchronous standby has confirmed it yet/);
    while (!endsTransaction) for (const pid of await waiting(() => endsTransaction)) await admin.query(`SELECT pg_cancel_backend(${pid})`);
    await refused;
    await waitFor('');
    await hasty.close();
  });
});
