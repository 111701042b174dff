import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/storage/engine.js';
import { sql, type Sql } from '../../src/storage/sql.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { openShop } from '../support/postgres.js';
import { canStart, password, type PostgresServer } from '../support/postgres-server.js';
import { withStandby } from '../support/standby.js';

const add = (name: string): Sql => sql`INSERT INTO categories (id, name, folded) SELECT coalesce(max(id), 0) + 1, ${name}, ${name} FROM categories`;
const names = async (engine: Engine): Promise<readonly string[]> =>
  (await engine.read((queries) => queries.all<{ readonly name: string }>(sql`SELECT name FROM categories ORDER BY id`), { isRepeatable: true })).map(
    ({ name }) => name,
  );
const write = (engine: Engine, name: string): Promise<void> => engine.write((queries) => queries.run(add(name)));

/** The address of several servers. */
function addressOfAll(servers: readonly PostgresServer[], parameters = ''): string {
  return `postgres://petstore:${password}@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres${parameters}`;
}

// Beside each other, because they mostly wait.
describe.skipIf(!canStart())('PostgreSQL with a standby', { concurrent: true }, () => {
  test('while a standby is promoted under load, writers wait, lose nothing, and go on by themselves', () =>
    withStandby(async (primary, standby) => {
      const address = addressOfAll([primary, standby]);
      const engines = await Promise.all([1, 2].map(() => openShop(address, { waitSeconds: 60 })));
      const told: string[] = [];
      let stop = false;
      const work = engines.flatMap((engine, index) =>
        [1, 2].map(async (writer) => {
          for (let turn = 0; !stop; turn += 1) {
            const name = `${index}.${writer}.${turn}`;
            await write(engine, name);
            told.push(name);
          }
        }),
      );
      while (told.length < 40) await sleep(5);
      await primary.halt();
      const before = told.length;
      await standby.promote();
      while (told.length < before + 8) await sleep(5);
      stop = true;
      await Promise.all(work);
      const [first] = engines;
      expect(first && (await names(first)).toSorted()).toEqual(told.toSorted());
      await Promise.all(engines.map((engine) => engine.close()));
    }));

  test('the server that can be written to is found, in any order of the hosts', () =>
    withStandby(async (primary, standby) => {
      const [shop, replica] = [
        await openShop(addressOfAll([standby, primary])),
        await openShop(addressOfAll([primary, standby], '?target_session_attrs=standby')),
      ];
      await write(shop, 'Dogs');
      await standby.caughtUp();
      expect(await names(replica)).toEqual(['Dogs']);
      await primary.halt();
      await expectRefusal(
        'store_read_only',
        openShop(addressOfAll([primary, standby]), { waitSeconds: 0 }),
        new RegExp(`cannot be written to: 127\\.0\\.0\\.1:${primary.port}: ECONNREFUSED; 127\\.0\\.0\\.1:${standby.port} is a standby\\.`),
      );
      const preferring = await openShop(addressOfAll([primary, standby], '?target_session_attrs=prefer-standby'), { waitSeconds: 0 });
      expect(await names(preferring)).toEqual(['Dogs']);
      await standby.promote();
      // No standby is left, so that it takes the primary.
      const late = await openShop(addressOfAll([primary, standby], '?target_session_attrs=prefer-standby'), { waitSeconds: 0 });
      await write(late, 'Cats');
      await expectRefusal(
        'store_unreachable',
        openShop(addressOfAll([primary, standby], '?target_session_attrs=standby'), { waitSeconds: 0 }),
        new RegExp(`127\\.0\\.0\\.1:${standby.port} is a primary`),
      );
      await Promise.all([shop, replica, preferring, late].map((engine) => engine.close()));
    }));

  test('a standby can be read; writes wait for its promotion, then are refused with its name', () =>
    withStandby(async (primary, standby) => {
      const [hasty, patient] = [await openShop(standby.urlOf('postgres'), { waitSeconds: 0 }), await openShop(standby.urlOf('postgres'), { waitSeconds: 60 })];
      expect(await names(patient)).toEqual([]);
      const says = new RegExp(`cannot be written to: 127\\.0\\.0\\.1:${standby.port} is a standby\\.`);
      await expectRefusal('store_read_only', write(hasty, 'never'), says);
      await expectRefusal('store_read_only', hasty.checkWritable(), says);
      const waiting = write(patient, 'Dogs');
      await sleep(300);
      await primary.halt();
      await standby.promote();
      await waiting;
      expect(await names(patient)).toEqual(['Dogs']);
      await hasty.checkWritable();
      await write(hasty, 'Cats');
      await Promise.all([hasty, patient].map((engine) => engine.close()));
    }));

  test('--wait counts for the first connection: the server starts, or a standby is promoted', () =>
    withStandby(async (primary, standby) => {
      await primary.halt();
      const opening = [openShop(primary.urlOf('postgres'), { waitSeconds: 60 }), openShop(addressOfAll([primary, standby]), { waitSeconds: 60 })];
      await expectRefusal('store_unreachable', openShop(primary.urlOf('postgres'), { waitSeconds: 1 }), /cannot be reached \(ECONNREFUSED\)/);
      await standby.promote();
      await primary.start();
      for (const engine of await Promise.all(opening)) await engine.close();
    }));
});
