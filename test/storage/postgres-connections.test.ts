import { describe, expect, test } from 'vitest';
import type { Work } from '../../src/storage/queries.js';
import { sql } from '../../src/storage/sql.js';
import { openPostgres } from '../../src/storage/postgres/engine.js';
import { addressOf, asAdmin } from '../support/postgres.js';
import { proxyTo } from '../support/proxy.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { inDatabase, inEmptyShop, withEngines, withEnginesAt, addCategory, categoryNames, terminateOwnConnection } from '../support/postgres-engines.js';

describe.skipIf(addressOf('') === undefined)('PostgreSQL whose connections are lost', () => {
  test('a read whose connection is lost is repeated if it has returned nothing yet, and fails otherwise', () =>
    withEngines(1, async ([engine]) => {
      if (!engine) return;
      let tries = 0;
      const dying: Work<number> = async (queries) => {
        await queries.all(sql`SELECT id FROM pets`);
        if ((tries += 1) < 3) await queries.get(terminateOwnConnection);
        return tries;
      };
      expect(await engine.read(dying)).toBe(3);
      tries = 0;
      await expectRefusal('store_unreachable', engine.read(dying, { isOnce: true }), /cannot be reached/);
      expect(tries).toBe(1);
    }));

  test('a read for which no connection of the process becomes free is told so', () =>
    inEmptyShop(async (address) => {
      const engine = await openPostgres(address, { where: 'db', waitSeconds: 6, connections: 1 });
      let end = (): void => undefined;
      const long = engine.read(() => new Promise<void>((resolve) => (end = resolve)));
      await expectRefusal(
        'store_unreachable',
        engine.read((queries) => queries.get(sql`SELECT 1`), { waitedMs: 5900 }),
        /^db cannot be reached \(all connections of this process are in use\)\.$/,
      );
      end();
      await long;
      await engine.close();
    }));

  test('all writes of a group whose connection is lost are stored once', () =>
    withEngines(1, async ([engine]) => {
      if (!engine) return;
      let tries = 0;
      const writes = ['a', 'b', 'c', 'd'].map((name) =>
        engine.write(async (queries) => {
          await queries.run(addCategory(name));
          if (name === 'c' && (tries += 1) < 3) await queries.get(terminateOwnConnection);
          if (name === 'b') throw new Error('rather not');
        }),
      );
      expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
      expect(await categoryNames(engine)).toEqual(['a', 'c', 'd']);
    }));

  test('lost idle connections are replaced, for reads and for writes', () =>
    inDatabase((address, name) =>
      withEnginesAt(1, address, async ([engine]) => {
        for (let round = 0; round < 3; round += 1) {
          await engine?.write((queries) => queries.run(addCategory(`round ${round}`)));
          await asAdmin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
          expect(engine && (await categoryNames(engine))).toHaveLength(round + 1);
          await asAdmin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
        }
      }),
    ));

  test('a commit that cannot be verified is reported as uncertain', () =>
    inEmptyShop(async (address) => {
      const proxy = await proxyTo(address);
      await withEnginesAt(
        1,
        proxy.through,
        async ([engine]) => {
          const lost = engine?.write(async (queries) => {
            await queries.run(addCategory('perhaps'));
            proxy.breakAt('COMMIT /*', 'for good');
          });
          await expectRefusal('store_unreachable', lost ?? Promise.resolve(), /unknown whether it was saved/);
        },
        0.3,
      );
      await proxy.close();
    }));
});
