import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import type { DoctorRequest } from '../../src/domain/maintenance/maintenance.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import type { MaintenanceContext } from '../../src/storage/engine-definition.js';
import { engineOf } from '../../src/storage/engines.js';
import { schemaVersion } from '../../src/storage/migrations/migrations.js';
import { sql } from '../../src/storage/sql.js';
import { csv } from '../support/files.js';
import { password } from '../support/postgres-server.js';
import { secondMigration, withMigration } from '../support/second-migration.js';
import { addressOf, asAdmin, openShop, shown } from '../support/postgres.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { clock, shopOn, inDatabase, inEmptyShop, withEngines, withEnginesAt, addCategory, categoryNames, createOnePet } from '../support/postgres-engines.js';

const checkShop = async (context: MaintenanceContext, request: DoctorRequest) => (await engineOf(context.store).maintenance()).check(context, request);

describe.skipIf(addressOf('') === undefined)('PostgreSQL', () => {
  test('a change of a quantity updates no index', () =>
    inDatabase((address) =>
      withEnginesAt(1, address, async ([engine]) => {
        if (engine === undefined) return;
        await createOnePet(engine, 4);
        const inPlace = await engine.write(async (queries) => {
          await queries.run(sql`UPDATE stock SET quantity = 3`);
          return queries.get(sql`SELECT pg_stat_get_xact_tuples_hot_updated(CAST('stock' AS regclass)) AS updates`);
        });
        expect(inPlace).toEqual({ updates: 1 });
      }),
    ));

  test('the statistics of a filled shop do not let the first orders and keys be looked up by reading whole tables', () =>
    inDatabase((address) =>
      withEnginesAt(1, address, async ([engine]) => {
        if (engine === undefined) return;
        await createOnePet(engine, 4);
        await engine.updateStatistics?.();
        const filled = sql`SELECT relname AS name FROM pg_class WHERE relname IN ('pets', 'stock', 'orders', 'replays') AND reltuples >= 0 ORDER BY 1`;
        expect(await engine.read((queries) => queries.all(filled))).toEqual([{ name: 'pets' }, { name: 'stock' }]);
        for (const query of [sql`SELECT max(id) FROM orders`, sql`SELECT answer FROM replays WHERE key = 'a' AND sender = 'b'`]) {
          const plan = await engine.read((queries) => queries.rows(sql`EXPLAIN ${query}`));
          expect(plan.join('\n')).toMatch(/Index/);
        }
      }),
    ));

  test('twelve processes that set up one empty database at the same time all succeed', () =>
    inDatabase(async (address) => {
      const engines = await Promise.all(Array.from({ length: 12 }, () => openShop(address, { create: true, waitSeconds: 60 })));
      await Promise.all(engines.map((engine, index) => engine.write((queries) => queries.run(addCategory(`Visitor ${index}`)))));
      const [first] = engines;
      expect(first && (await categoryNames(first)).toSorted()).toEqual(engines.map((_, index) => `Visitor ${index}`).toSorted());
      expect(await first?.read((queries) => queries.all(sql`SELECT schema_version AS version FROM shop`))).toEqual([{ version: schemaVersion() }]);
      await Promise.all(engines.map((engine) => engine.close()));
    }, true));

  test('a database is migrated as a whole or not at all', () =>
    inDatabase(async (address) => {
      const engine = await openShop(address);
      await engine.write((queries) => queries.run(addCategory('Dogs')));
      await engine.close();
      const versions = async (): Promise<unknown> => {
        const client = new pg.Client(address);
        await client.connect();
        const { rows } = await client.query('SELECT schema_version AS version FROM shop');
        await client.end();
        return rows;
      };
      await withMigration(async () => expect(openShop(address)).rejects.toThrow('syntax error'), {
        ...secondMigration,
        postgres: [...secondMigration.postgres, 'CREATE nonsense'],
      });
      expect(await versions()).toEqual([{ version: 1 }]);
      await withMigration(async () => {
        const again = await openShop(address);
        expect(await again.read((queries) => queries.all(sql`SELECT name, colour FROM categories`))).toEqual([{ name: 'Dogs', colour: 'grey' }]);
        await again.close();
      });
      expect(await versions()).toEqual([{ version: 2 }]);
      await expectRefusal('schema_too_new', openShop(address), /schema 2; this version supports 1/);
    }));

  test('eight concurrent writers of the same records lose nothing, and the ledger has no gap', () =>
    withEngines(8, async (engines) => {
      const [first] = engines;
      if (!first) return;
      await createOnePet(first, 100);
      await shopOn(first).call(createPet, { quantity: 100, body: { name: 'Bella', categoryId: 1 } });
      const moves = engines.flatMap((engine) => Array.from({ length: 20 }, (_, index) => ({ engine, petId: (index % 2) + 1, delta: index % 4 < 2 ? 3 : -1 })));
      await Promise.all(moves.map(({ engine, petId, delta }) => shopOn(engine).call(adjustInventory, { petId, body: { delta } })));
      expect(await first.read((queries) => queries.all(sql`SELECT quantity FROM stock ORDER BY pet_id`))).toEqual([{ quantity: 180 }, { quantity: 180 }]);
      const ledger = await first.read((queries) => queries.get(sql`SELECT count(*) AS rows, max(id) AS last FROM ledger`));
      expect(ledger).toEqual({ rows: 163, last: 163 });
    }));

  test('reads work while another process holds the write lock, and writes fail after their wait', () =>
    withEngines(
      2,
      async ([first, second]) => {
        let release = (): void => undefined;
        let begun = (): void => undefined;
        const [held, isHeld] = [new Promise<void>((resolve) => (release = resolve)), new Promise<void>((resolve) => (begun = resolve))];
        const holding = first?.write(async (queries) => {
          await queries.run(addCategory('slow'));
          begun();
          await held;
        });
        await isHeld;
        expect(second && (await categoryNames(second))).toEqual([]);
        await expectRefusal(
          'store_busy',
          second?.write((queries) => queries.run(addCategory('late'))) ?? Promise.resolve(),
          /is locked by another process; waited 0.3 s/,
        );
        release();
        await holding;
        expect(second && (await categoryNames(second))).toEqual(['slow']);
      },
      0.3,
    ));

  test('the ledger refuses every update and delete', () =>
    withEngines(1, async ([engine]) => {
      if (!engine) return;
      await createOnePet(engine, 5);
      await shopOn(engine).importStock(csv('petId,delta', '1,2'), { mode: 'atomic' });
      const insert = (id: number | string) => `INSERT INTO public.ledger (id, kind, at, actor, source) VALUES (${id}, 'x', 9e12, 'x', 'cli')`;
      const run = (...texts: readonly string[]) =>
        engine.write(async (queries) => {
          for (const text of texts) await queries.run({ text, values: [] });
        });
      await run(insert(9), `${insert(12)}, (15, 'x', 9e12, 'x', 'cli')`, insert(16));
      const refusedByLedger = [
        ['UPDATE ledger SET note = NULL'],
        ['DELETE FROM ledger'],
        ['DELETE FROM ledger WHERE id = 1'],
        ['TRUNCATE ledger'],
        [`${insert(1)} ON CONFLICT (id) DO UPDATE SET actor = 'x'`],
        ...["UPDATE SET actor = 'x'", 'DELETE'].map((change) => [`MERGE INTO ledger t USING (SELECT 1 AS id) s ON t.id = s.id WHEN MATCHED THEN ${change}`]),
        [`WITH late AS (${insert(5)} RETURNING id) SELECT id FROM late`],
        [insert(5)],
        [`${insert(17)}, (14, 'x', 9e12, 'x', 'cli')`],
        ['CREATE TEMP TABLE ledger (id BIGINT)', insert(5)],
        ['SET LOCAL search_path = pg_temp', insert(5)],
      ];
      for (const texts of refusedByLedger) await expect(run(...texts)).rejects.toThrow('the ledger is append-only');
      const changes = ["actor = 'x'", "at = 1, state = 'undone'", 'first_entry = 1', 'last_entry = 1'].map((change) => `UPDATE batches SET ${change}`);
      for (const text of [...changes, 'DELETE FROM batches', 'TRUNCATE batches CASCADE'])
        await expect(run(text)).rejects.toThrow('an import is kept as it was recorded');
    }));

  test('database errors do not contain the password', async () => {
    const wrongs: readonly (readonly [code: 'store_unreachable' | 'store_missing', change: (url: URL) => void, says: RegExp])[] = [
      ['store_unreachable', (url) => (url.password = 'sesame-shut'), /rejected the user name or the password/],
      ['store_unreachable', (url) => (url.username = 'nobody'), /rejected the user name or the password/],
      ['store_unreachable', (url) => (url.port = '1'), /127\.0\.0\.1:1\/x cannot be reached \(ECONNREFUSED\)/],
      ['store_missing', () => undefined, /There is no database at postgres:/],
    ];
    for (const [code, change, says] of wrongs) {
      const url = new URL(addressOf('x') ?? '');
      change(url);
      const error = await expectRefusal(code, openShop(url.href, { waitSeconds: 0 }), says);
      for (const secret of [password, 'sesame-shut']) expect(`${error.message} ${error.advice}`).not.toContain(secret);
    }
  });

  test('a database without a shop is store_missing, and a newer schema is schema_too_new, also on an open connection', () =>
    inDatabase(async (address) => {
      await expectRefusal('store_missing', openShop(address), new RegExp(`There is no shop at ${shown(address)}`));
      const engine = await openShop(address, { create: true });
      await engine.write((queries) => queries.run(sql`UPDATE shop SET schema_version = ${schemaVersion() + 1}`));
      await expectRefusal(
        'schema_too_new',
        engine.write((queries) => queries.run(addCategory('x'))),
        /was made by a newer petstore/,
      );
      await engine.close();
      await expectRefusal('schema_too_new', openShop(address), /this version supports/);
    }, true));

  test('a read-only database user can read, and gets store_read_only for writes; one without SELECT is told so', () =>
    inDatabase(async (address, name) => {
      await withEnginesAt(1, address, async ([engine]) => {
        await engine?.write((queries) => queries.run(addCategory('Dogs')));
        await engine?.write((queries) => queries.run({ text: `CREATE ROLE reader_${name} LOGIN PASSWORD 'look'`, values: [] }));
        await engine?.write((queries) => queries.run({ text: `GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader_${name}`, values: [] }));
      });
      const url = new URL(address);
      [url.username, url.password] = [`reader_${name}`, 'look'];
      await withEnginesAt(1, url.href, async ([engine]) => {
        expect(engine && (await categoryNames(engine))).toEqual(['Dogs']);
        await expectRefusal('store_read_only', engine?.write((queries) => queries.run(addCategory('x'))) ?? Promise.resolve(), /cannot be written to/);
      });
      await withEnginesAt(1, address, async ([engine]) => {
        await engine?.write((queries) => queries.run({ text: `REVOKE SELECT ON categories FROM reader_${name}`, values: [] }));
      });
      await withEnginesAt(1, url.href, async ([engine]) => {
        await expectRefusal('store_unreachable', engine ? categoryNames(engine) : Promise.resolve(), /cannot be read by this database user\.$/);
      });
      await withEnginesAt(1, address, async ([engine]) => {
        await engine?.write((queries) => queries.run({ text: `REVOKE SELECT ON shop FROM reader_${name}`, values: [] }));
      });
      await expectRefusal('store_unreachable', openShop(url.href), /cannot be read by this database user\.$/);
      await withEnginesAt(1, address, async ([engine]) => {
        await engine?.write((queries) => queries.run({ text: `DROP OWNED BY reader_${name}`, values: [] }));
      });
      await asAdmin(`DROP ROLE reader_${name}`);
    }));

  test('a number outside the safe range is an error and is not rounded', () =>
    withEngines(1, async ([engine]) => {
      const ask = (text: string) => engine?.read((queries) => queries.get({ text: `SELECT ${text} AS n`, values: [] }));
      expect(await ask('9007199254740991')).toEqual({ n: Number.MAX_SAFE_INTEGER });
      await expect(ask('9007199254740993')).rejects.toThrow('which is not a safe integer');
      expect(await ask('CAST(NULL AS BIGINT)')).toEqual({ n: null });
    }));

  test('doctor checks the rules of the shop and no file checks', () =>
    inDatabase(async (address) => {
      await withEnginesAt(1, address, ([engine]) => (engine ? createOnePet(engine, 3) : Promise.reject(new Error('There is no engine.'))));
      const care = { store: address, where: shown(address), waitSeconds: 5, nativeBinding: undefined, actor: 'ana', clock };
      const asked = { repair: false, dryRun: false, confirm: () => Promise.reject(new Error('Nothing is asked.')) };
      const sound = await checkShop(care, asked);
      expect([sound.ok, sound.checks.map(({ status }) => status)]).toEqual([true, sound.checks.map(() => 'pass')]);
      await withEnginesAt(1, address, async ([engine]) => engine?.write((queries) => queries.run(sql`UPDATE stock SET quantity = 9`)));
      const { ok, checks } = await checkShop(care, asked);
      expect([ok, checks.filter(({ status }) => status !== 'pass')]).toEqual([
        false,
        [{ name: 'stock', status: 'fail', message: 'Pet 1: the stock is not the sum of the ledger entries.' }],
      ]);
      const without = async (...texts: readonly string[]) => {
        await withEnginesAt(1, address, async ([one]) => {
          for (const text of texts) await one?.write((queries) => queries.run({ text, values: [] }));
        });
        return (await checkShop(care, asked)).checks.find(({ name }) => name === 'triggers');
      };
      const drop = 'DROP TRIGGER ledger_keeps_rows ON ledger';
      const advice = 'Copy the shop into an empty database, which gets all triggers (petstore copy).';
      const missing = 'trigger ledger_keeps_rows missing';
      expect(await without(drop)).toEqual({ name: 'triggers', status: 'fail', message: `${missing}. ${advice}` });
      expect((await without('ALTER TABLE batches DISABLE TRIGGER batches_keep_values'))?.message).toBe(
        `${missing}; trigger batches_keep_values disabled. ${advice}`,
      );
    }));

  test('a change that finds too few reserved units is refused, and doctor sets them to those of the open orders', () =>
    inEmptyShop(async (address) => {
      const care = { store: address, where: shown(address), waitSeconds: 5, nativeBinding: undefined, actor: 'ana', clock };
      const repairs = ['Set the reserved units of pet 1 to 2, the sum of the open orders (was 1).'];
      const asked = { repair: true, dryRun: false, confirm: async (plan: readonly string[]) => expect(plan).toEqual(repairs) };
      await withEnginesAt(1, address, async ([engine]) => {
        if (engine === undefined) return;
        await createOnePet(engine, 3);
        await shopOn(engine).call(placeOrder, { body: { petId: 1, quantity: 2 } });
        await engine.write((queries) => queries.run(sql`UPDATE stock SET reserved = 1`));
        await expectRefusal('store_unreadable', shopOn(engine).call(cancelOrder, { orderId: 1 }), /fewer units of a pet are reserved/);
        expect((await checkShop(care, { ...asked, repair: false })).checks.filter(({ status }) => status !== 'pass')).toEqual([
          { name: 'reserved units', status: 'fail', message: 'Pet 1: the reserved units are not those of the open orders; --repair fixes this.' },
        ]);
        expect(await checkShop(care, { ...asked, dryRun: true })).toMatchObject({ ok: false, repaired: repairs });
        expect(await checkShop(care, asked)).toMatchObject({ ok: true, repaired: repairs });
        expect(await checkShop(care, asked)).toMatchObject({ ok: true, repaired: [] });
        await shopOn(engine).call(cancelOrder, { orderId: 1 });
      });
    }));
});
