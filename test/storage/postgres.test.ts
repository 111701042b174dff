import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import type { Engine } from '../../src/storage/engine.js';
import type { Work } from '../../src/storage/queries.js';
import { checkShop } from '../../src/storage/maintenance/maintenance.js';
import { localShop } from '../../src/storage/shop.js';
import { schemaVersion } from '../../src/storage/migrations/migrations.js';
import { sql, type Sql } from '../../src/storage/sql.js';
import { csv } from '../support/files.js';
import { canStart, password, startPostgres } from '../support/postgres-server.js';
import { addressOf, asAdmin, backToSchema4, freshDatabase, openShop, shown } from '../support/postgres.js';
import { startProxy } from '../support/proxy.js';
import { expectRefusal } from '../support/expect-refusal.js';

const clock = (): number => Date.parse('2026-11-20T09:00:00Z');
const shopOn = (engine: Engine, actor = 'ana') => localShop(engine, { actor, source: 'cli', clock }, '');

async function inDatabase(work: (address: string, name: string) => Promise<void>, empty = false): Promise<void> {
  const { address, name, drop } = await freshDatabase(empty);
  try {
    await work(address, name);
  } finally {
    await drop();
  }
}

async function withEngines(number: number, address: string, work: (engines: readonly Engine[]) => Promise<void>, waitSeconds = 30): Promise<void> {
  const engines = await Promise.all(Array.from({ length: number }, () => openShop(address, { waitSeconds })));
  try {
    await work(engines);
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
}

function add(name: string): Sql {
  return sql`INSERT INTO categories (id, name, folded) SELECT coalesce(max(id), 0) + 1, ${name}, ${name} FROM categories`;
}

async function names(engine: Engine): Promise<readonly string[]> {
  return (await engine.read((queries) => queries.all<{ readonly name: string }>(sql`SELECT name FROM categories ORDER BY id`), { isRepeatable: true })).map(
    ({ name }) => name,
  );
}

async function count(engine: Engine, table: string): Promise<number> {
  const found = await engine.read((queries) => queries.get<{ readonly count: number }>({ text: `SELECT count(*) AS count FROM ${table}`, values: [] }));
  return found?.count ?? -1;
}

/** Creates a category and a pet with this quantity. */
async function onePet(engine: Engine, quantity: number): Promise<void> {
  await shopOn(engine).call(createCategory, { body: { name: 'Dogs' } });
  await shopOn(engine).call(createPet, { quantity, body: { name: 'Rex', categoryId: 1 } });
}

const terminateOwnConnection = sql`SELECT pg_terminate_backend(pg_backend_pid())`;

describe.skipIf(addressOf('') === undefined)('PostgreSQL', () => {
  test('doctor checks the rules of the shop and no file checks', () =>
    inDatabase(async (address) => {
      await withEngines(1, address, ([engine]) => (engine ? onePet(engine, 3) : Promise.reject(new Error('There is no engine.'))));
      const care = { store: address, where: shown(address), waitSeconds: 5, nativeBinding: undefined, actor: 'ana', clock };
      const asked = { repair: false, dryRun: false, confirm: () => Promise.reject(new Error('Nothing is asked.')) };
      const sound = await checkShop(care, asked);
      expect([sound.ok, sound.checks.map(({ status }) => status)]).toEqual([true, sound.checks.map(() => 'pass')]);
      await withEngines(1, address, async ([engine]) => void (await engine?.write((queries) => queries.run(sql`UPDATE stock SET quantity = 9`))));
      const { ok, checks } = await checkShop(care, asked);
      expect([ok, checks.filter(({ status }) => status !== 'pass')]).toEqual([
        false,
        [{ name: 'stock', status: 'fail', message: 'Pet 1: the stock is not the sum of the ledger entries.' }],
      ]);
      const without = async (...texts: readonly string[]) => {
        await withEngines(1, address, async ([one]) => {
          for (const text of texts) await one?.write((queries) => queries.run({ text, values: [] }));
        });
        return (await checkShop(care, asked)).checks.find(({ name }) => name === 'triggers');
      };
      const drop = 'DROP TRIGGER ledger_keeps_rows ON ledger';
      const missing = 'trigger ledger_keeps_rows missing';
      expect(await without(drop)).toEqual({ name: 'triggers', status: 'fail', message: `${missing}.` });
      const harmless = 'CREATE OR REPLACE FUNCTION ledger_keeps_order() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$';
      expect((await without(harmless, 'ALTER TABLE batches DISABLE TRIGGER batches_keep_values'))?.message).toBe(
        `${missing}; trigger ledger_keeps_order changed; trigger batches_keep_values disabled.`,
      );
    }));

  test('a change that finds too few reserved units is refused, and doctor sets them to those of the open orders', () =>
    inDatabase(async (address) => {
      const care = { store: address, where: shown(address), waitSeconds: 5, nativeBinding: undefined, actor: 'ana', clock };
      const repairs = ['Set the reserved units of pet 1 to 2, the sum of its open orders.'];
      const asked = { repair: true, dryRun: false, confirm: async (plan: readonly string[]) => expect(plan).toEqual(repairs) };
      await withEngines(1, address, async ([engine]) => {
        if (engine === undefined) return;
        await onePet(engine, 3);
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

  test('a migration corrects the reserved units that an older version left', () =>
    inDatabase(async (address) => {
      const backToSchema11 = [
        'DROP TABLE counts, count_pets, count_lines',
        'DROP TRIGGER batches_keep_values ON batches',
        'ALTER TABLE ledger DROP COLUMN count_id',
        'ALTER TABLE batches DROP COLUMN count_id',
        "CREATE TRIGGER batches_keep_values BEFORE UPDATE ON batches FOR EACH ROW WHEN (OLD.state = 'undone') EXECUTE FUNCTION batches_keep()",
        'UPDATE stock SET reserved = 9',
        'UPDATE shop SET schema_version = 11, steps = 0',
      ];
      await withEngines(1, address, async ([engine]) => {
        if (engine === undefined) return;
        await onePet(engine, 3);
        await shopOn(engine).call(placeOrder, { body: { petId: 1, quantity: 2 } });
        for (const text of backToSchema11) await engine.write((queries) => queries.run({ text, values: [] }));
      });
      await withEngines(1, address, async ([engine]) => {
        expect(await engine?.read((queries) => queries.all(sql`SELECT reserved FROM stock`))).toEqual([{ reserved: 2 }]);
      });
    }));

  test('low and sold out pets are found by indexes that a quantity change does not update', () =>
    inDatabase(async (address) => {
      await withEngines(1, address, async ([engine]) => {
        if (engine === undefined) return;
        await onePet(engine, 4);
        const at = await engine.write(async (queries) => {
          const placeOf = async () => queries.get<{ readonly page: string }>(sql`SELECT split_part(CAST(ctid AS TEXT), ',', 1) AS page FROM stock`);
          const before = await placeOf();
          await queries.run(sql`SET LOCAL enable_seqscan = off`);
          for (const [condition, index] of Object.entries({
            'stock_at_level WHERE low = 1': 'stock_low',
            'stock_without_units WHERE shortage = 0': 'stock_unavailable',
          })) {
            const plan = await queries.all({ text: `EXPLAIN SELECT pet_id FROM ${condition} AND pet_id > 7 ORDER BY pet_id`, values: [] });
            expect(JSON.stringify(plan)).toMatch(new RegExp(`Index (Only )?Scan using ${index} on stock`));
            expect(JSON.stringify(plan)).not.toContain('Sort');
          }
          await queries.run(sql`UPDATE stock SET quantity = 3`);
          const updates = sql`SELECT pg_stat_get_xact_tuples_hot_updated(CAST('stock' AS regclass)) AS inplace`;
          expect(await queries.get(updates)).toEqual({ inplace: 1 });
          return { before, after: await placeOf() };
        });
        expect(at.after).toEqual(at.before);
      });
    }));

  test('twelve processes that set up one empty database at the same time all succeed', () =>
    inDatabase(async (address) => {
      const engines = await Promise.all(Array.from({ length: 12 }, () => openShop(address, { create: true, waitSeconds: 60 })));
      await Promise.all(engines.map((engine, index) => engine.write((queries) => queries.run(add(`Visitor ${index}`)))));
      const [first] = engines;
      expect(first && (await names(first)).toSorted()).toEqual(engines.map((_, index) => `Visitor ${index}`).toSorted());
      expect(await first?.read((queries) => queries.all(sql`SELECT schema_version AS version, steps FROM shop`))).toEqual([
        { version: schemaVersion, steps: 0 },
      ]);
      await Promise.all(engines.map((engine) => engine.close()));
    }, true));

  test('an incomplete schema is not a shop until the next set-up completes it', () =>
    inDatabase(async (address) => {
      const engine = await openShop(address);
      await engine.write(async (queries) => {
        for (const text of backToSchema4) await queries.run({ text, values: [] });
        await queries.run(sql`DROP TABLE tokens`);
        await queries.run(sql`ALTER TABLE batch_errors DROP COLUMN place`);
        await queries.run(sql`DROP VIEW stock_at_level, stock_sold_out`);
        await queries.run(sql`ALTER TABLE stock DROP COLUMN at_level, DROP COLUMN sold_out`);
        await queries.run(sql`CREATE INDEX stock_low ON stock (pet_id) WHERE quantity <= low_at`);
        await queries.run(sql`CREATE INDEX stock_out ON stock (pet_id) WHERE quantity = 0`);
        await queries.run(sql`UPDATE shop SET schema_version = 1, steps = 0`);
      });
      await engine.close();
      const again = await openShop(address);
      expect(await count(again, 'tokens')).toBe(0);
      await again.write((queries) => queries.run(sql`UPDATE shop SET schema_version = 0, steps = 5`));
      await again.close();
      await expectRefusal('store_missing', openShop(address), /There is no shop at postgres:/);
    }));

  test('eight concurrent writers of the same records lose nothing, and the ledger has no gap', () =>
    inDatabase((address) =>
      withEngines(8, address, async (engines) => {
        const [first] = engines;
        if (!first) return;
        await onePet(first, 100);
        await shopOn(first).call(createPet, { quantity: 100, body: { name: 'Bella', categoryId: 1 } });
        const moves = engines.flatMap((engine) =>
          Array.from({ length: 20 }, (_, index) => ({ engine, petId: (index % 2) + 1, delta: index % 4 < 2 ? 3 : -1 })),
        );
        await Promise.all(moves.map(({ engine, petId, delta }) => shopOn(engine).call(adjustInventory, { petId, body: { delta } })));
        expect(await first.read((queries) => queries.all(sql`SELECT quantity FROM stock ORDER BY pet_id`))).toEqual([{ quantity: 180 }, { quantity: 180 }]);
        const ledger = await first.read((queries) => queries.get(sql`SELECT count(*) AS rows, max(id) AS last FROM ledger`));
        expect(ledger).toEqual({ rows: 163, last: 163 });
      }),
    ));

  test('of two processes that order the last unit exactly one succeeds', () =>
    inDatabase((address) =>
      withEngines(2, address, async (engines) => {
        const [first] = engines;
        if (!first) return;
        await onePet(first, 1);
        for (let round = 0; round < 10; round += 1) {
          const both = await Promise.allSettled(engines.map((engine) => shopOn(engine).call(placeOrder, { body: { petId: 1, complete: true } })));
          expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
          await shopOn(first).call(setInventory, { petId: 1, body: { quantity: 1 } });
        }
      }),
    ));

  test('a transaction whose connection is lost is repeated and takes effect once', () =>
    inDatabase((address) =>
      withEngines(1, address, async ([engine]) => {
        let tries = 0;
        const answer = await engine?.write(async (queries) => {
          tries += 1;
          await queries.run(add(`try ${tries}`));
          if (tries < 3) await queries.get(terminateOwnConnection);
          return tries;
        });
        expect([answer, engine && (await names(engine))]).toEqual([3, ['try 3']]);
      }),
    ));

  test('a read whose connection is lost is repeated if it has returned nothing yet, and fails otherwise', () =>
    inDatabase((address) =>
      withEngines(1, address, async ([engine]) => {
        if (!engine) return;
        let tries = 0;
        const dying: Work<number> = async (queries) => {
          await queries.all(sql`SELECT id FROM pets`);
          if ((tries += 1) < 3) await queries.get(terminateOwnConnection);
          return tries;
        };
        expect(await engine.read(dying, { isRepeatable: true })).toBe(3);
        tries = 0;
        await expectRefusal('store_unreachable', engine.read(dying), /cannot be reached/);
        expect(tries).toBe(1);
      }),
    ));

  test('all writes of a group whose connection is lost are stored once', () =>
    inDatabase((address) =>
      withEngines(1, address, async ([engine]) => {
        if (!engine) return;
        let tries = 0;
        const writes = ['a', 'b', 'c', 'd'].map((name) =>
          engine.write(async (queries) => {
            await queries.run(add(name));
            if (name === 'c' && (tries += 1) < 3) await queries.get(terminateOwnConnection);
            if (name === 'b') throw new Error('rather not');
          }),
        );
        expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
        expect(await names(engine)).toEqual(['a', 'c', 'd']);
      }),
    ));

  test('lost idle connections are replaced, for reads and for writes', () =>
    inDatabase((address, name) =>
      withEngines(1, address, async ([engine]) => {
        for (let round = 0; round < 3; round += 1) {
          await engine?.write((queries) => queries.run(add(`round ${round}`)));
          await asAdmin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
          expect(engine && (await names(engine))).toHaveLength(round + 1);
          await asAdmin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
        }
      }),
    ));

  for (const when of ['before', 'after'] as const) {
    test(`a connection lost at the commit, ${when} the server received it: the change is made once and acknowledged`, () =>
      inDatabase(async (address) => {
        const proxy = await startProxy(Number(new URL(address).port));
        const url = new URL(address);
        url.port = String(proxy.port);
        await withEngines(1, url.href, async ([engine]) => {
          let tries = 0;
          proxy.breakAt('; COMMIT', when);
          const answer = await engine?.write(async (queries) => {
            tries += 1;
            await queries.run(add('once'));
            return 'done';
          });
          expect([answer, tries, engine && (await names(engine))]).toEqual(['done', when === 'before' ? 2 : 1, ['once']]);
        });
        await proxy.close();
      }));
  }

  test('a commit that cannot be verified is reported as uncertain', () =>
    inDatabase(async (address) => {
      const proxy = await startProxy(Number(new URL(address).port));
      const url = new URL(address);
      url.port = String(proxy.port);
      await withEngines(
        1,
        url.href,
        async ([engine]) => {
          const lost = engine?.write(async (queries) => {
            await queries.run(add('perhaps'));
            proxy.breakAt('; COMMIT', 'for good');
          });
          await expectRefusal('store_unreachable', lost ?? Promise.resolve(), /unknown whether it was saved/);
        },
        0.3,
      );
      await proxy.close();
    }));

  test('reads work while another process holds the write lock, and writes fail after their wait', () =>
    inDatabase((address) =>
      withEngines(
        2,
        address,
        async ([first, second]) => {
          let release = (): void => undefined;
          let begun = (): void => undefined;
          const [held, isHeld] = [new Promise<void>((resolve) => (release = resolve)), new Promise<void>((resolve) => (begun = resolve))];
          const holding = first?.write(async (queries) => {
            await queries.run(add('slow'));
            begun();
            await held;
          });
          await isHeld;
          expect(second && (await names(second))).toEqual([]);
          await expectRefusal(
            'store_busy',
            second?.write((queries) => queries.run(add('late'))) ?? Promise.resolve(),
            /is locked by another process; waited 0.3 s/,
          );
          release();
          await holding;
          expect(second && (await names(second))).toEqual(['slow']);
        },
        0.3,
      ),
    ));

  test('a dry run leaves no rows, staged rows or commits', () =>
    inDatabase((address) =>
      withEngines(1, address, async ([engine]) => {
        if (!engine) return;
        await onePet(engine, 5);
        const commits = await count(engine, 'commits');
        await shopOn(engine).call(adjustInventory, { petId: 1, body: { delta: 3 } }, { dryRun: true });
        await shopOn(engine).importStock(csv('petId,quantity', '1,7'), { mode: 'atomic', dryRun: true });
        await shopOn(engine).importPets(csv('name,category', 'Tom,Dogs'), { mode: 'atomic', dryRun: true });
        const tables = ['pets', 'ledger', 'batches', 'staged_moves', 'staged_pets', 'commits'];
        expect(await Promise.all(tables.map((table) => count(engine, table)))).toEqual([1, 2, 0, 0, 0, commits]);
      }),
    ));

  test('the ledger refuses every update and delete', () =>
    inDatabase((address) =>
      withEngines(1, address, async ([engine]) => {
        if (!engine) return;
        await onePet(engine, 5);
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
          [insert(5)],
          [`${insert(17)}, (14, 'x', 9e12, 'x', 'cli')`],
          ['CREATE TEMP TABLE ledger (id BIGINT)', insert(5)],
          ['SET LOCAL search_path = pg_temp', insert(5)],
        ];
        for (const texts of refusedByLedger) await expect(run(...texts)).rejects.toThrow('the ledger is append-only');
        for (const text of ["UPDATE batches SET actor = 'x'", "UPDATE batches SET at = 1, state = 'undone'", 'DELETE FROM batches', 'TRUNCATE batches CASCADE'])
          await expect(run(text)).rejects.toThrow('an import is kept as it was recorded');
      }),
    ));

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
      await engine.write((queries) => queries.run(sql`UPDATE shop SET schema_version = ${schemaVersion + 1}`));
      await expectRefusal(
        'schema_too_new',
        engine.write((queries) => queries.run(add('x'))),
        /was made by a newer petstore/,
      );
      await engine.close();
      await expectRefusal('schema_too_new', openShop(address), /this version supports/);
    }, true));

  test('a read-only database user can read, and gets store_read_only for writes; one without SELECT is told so', () =>
    inDatabase(async (address, name) => {
      await withEngines(1, address, async ([engine]) => {
        await engine?.write((queries) => queries.run(add('Dogs')));
        await engine?.write((queries) => queries.run({ text: `CREATE ROLE reader_${name} LOGIN PASSWORD 'look'`, values: [] }));
        await engine?.write((queries) => queries.run({ text: `GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader_${name}`, values: [] }));
      });
      const url = new URL(address);
      [url.username, url.password] = [`reader_${name}`, 'look'];
      await withEngines(1, url.href, async ([engine]) => {
        expect(engine && (await names(engine))).toEqual(['Dogs']);
        await expectRefusal('store_read_only', engine?.write((queries) => queries.run(add('x'))) ?? Promise.resolve(), /cannot be written to/);
        await expectRefusal('store_read_only', engine?.bulkStock() ?? Promise.resolve(), /cannot be written to/);
      });
      await withEngines(1, address, async ([engine]) => {
        await engine?.write((queries) => queries.run({ text: `REVOKE SELECT ON categories FROM reader_${name}`, values: [] }));
      });
      await withEngines(1, url.href, async ([engine]) => {
        await expectRefusal('store_unreachable', engine ? names(engine) : Promise.resolve(), /cannot be read by this database user\.$/);
      });
      await withEngines(1, address, async ([engine]) => {
        await engine?.write((queries) => queries.run({ text: `REVOKE SELECT ON shop FROM reader_${name}`, values: [] }));
      });
      await expectRefusal('store_unreachable', openShop(url.href), /cannot be read by this database user\.$/);
      await withEngines(1, address, async ([engine]) => {
        await engine?.write((queries) => queries.run({ text: `DROP OWNED BY reader_${name}`, values: [] }));
      });
      await asAdmin(`DROP ROLE reader_${name}`);
    }));

  test('a number outside the safe range is an error and is not rounded', () =>
    inDatabase((address) =>
      withEngines(1, address, async ([engine]) => {
        const ask = (text: string) => engine?.read((queries) => queries.get({ text: `SELECT ${text} AS n`, values: [] }));
        expect(await ask('9007199254740991')).toEqual({ n: Number.MAX_SAFE_INTEGER });
        await expect(ask('9007199254740993')).rejects.toThrow('which is not a safe integer');
        expect(await ask('CAST(NULL AS BIGINT)')).toEqual({ n: null });
      }),
    ));
});

// Beside each other, because they mostly wait.
describe.concurrent('PostgreSQL that stops or does not answer', () => {
  test.skipIf(addressOf('') === undefined)('a writer that becomes idle with the write lock is disconnected and repeated, and others continue', () =>
    inDatabase((address) =>
      withEngines(2, address, async ([silent, other]) => {
        let wake = (): void => undefined;
        const woken = new Promise<void>((resolve) => (wake = resolve));
        let tries = 0;
        const late = silent?.write(async (queries) => {
          await queries.run(add(`silent ${(tries += 1)}`));
          await woken;
          await queries.run(add('awake'));
        });
        await sleep(100);
        await other?.write((queries) => queries.run(add('other')));
        wake();
        await late;
        expect([tries, other && (await names(other))]).toEqual([2, ['other', 'silent 2', 'awake']]);
      }),
    ),
  );

  test.skipIf(!canStart())('a server that crashes under load loses no acknowledged change, and no client has to repeat a request', async () => {
    const server = await startPostgres(true);
    try {
      const address = server.urlOf('postgres');
      await (await openShop(address, { create: true })).close();
      await withEngines(3, address, async (engines) => {
        let stop = false;
        const told: string[] = [];
        const work = engines.map(async (engine, index) => {
          for (let turn = 0; !stop; turn += 1) {
            const name = `${index}.${turn}`;
            await engine.write((queries) => queries.run(add(name)));
            told.push(name);
          }
        });
        const acknowledged = async (writes: number): Promise<void> => {
          while (told.length < writes) await sleep(5);
        };
        for (const writes of [20, 40]) {
          await acknowledged(writes);
          await server.crash();
        }
        await acknowledged(60);
        stop = true;
        await Promise.all(work);
        const [first] = engines;
        expect(first && (await names(first)).toSorted()).toEqual(told.toSorted());
      });
    } finally {
      await server.stop();
    }
  });

  test.skipIf(!canStart())('while the server restarts, requests with a short wait fail and others wait, also to open the shop', async () => {
    const server = await startPostgres(true);
    try {
      const address = server.urlOf('postgres');
      const patient = await openShop(address, { create: true, waitSeconds: 30 });
      const hasty = await openShop(address, { waitSeconds: 0 });
      await hasty.write((queries) => queries.run(add('before')));
      const restarted = server.restart();
      const isThere = () =>
        openShop(address, { waitSeconds: 0 }).then(
          (engine) => engine.close().then(() => true),
          () => false,
        );
      while (await isThere());
      // Until the connected clients have noticed it.
      await sleep(20);
      const late = Promise.all([openShop(address, { waitSeconds: 30 }), patient.write((queries) => queries.run(add('patient'))), names(patient)]);
      await expectRefusal(
        'store_unreachable',
        hasty.write((queries) => queries.run(add('never'))),
        /cannot be reached/,
      );
      await expectRefusal('store_unreachable', names(hasty), /cannot be reached/);
      const [another] = await late;
      await restarted;
      await hasty.write((queries) => queries.run(add('after')));
      expect(await names(another)).toEqual(['before', 'patient', 'after']);
      await Promise.all([patient, hasty, another].map((engine) => engine.close()));
    } finally {
      await server.stop();
    }
  });
});
