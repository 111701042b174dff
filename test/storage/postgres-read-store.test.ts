import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { listCounts } from '../../src/domain/counts/list-counts.js';
import { operations } from '../../src/domain/operations.js';
import { eventsAfter, newestEvent } from '../../src/domain/ledger/follow-ledger.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { getPet } from '../../src/domain/pets/get-pet.js';
import { releasePet } from '../../src/domain/pets/release-pet.js';
import type { Shop } from '../../src/domain/shop.js';
import { sql } from '../../src/storage/sql.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { canStart, password, type PostgresServer } from '../support/postgres-server.js';
import { seed, seededRandom } from '../support/seeded-random.js';
import { runOn, pauseReplay, resumeReplay, startBeforeTests, withReads, createShop, withReadStore } from '../support/read-store.js';

const names = async (shop: Shop): Promise<readonly string[]> => (await shop.call(listCategories, {})).items.map(({ name }) => name);
const add = (shop: Shop, name: string) => shop.call(createCategory, { body: { name } });

const onlyStandby = { standby: 1, primary: 0 };
const onlyPrimary = { standby: 0, primary: 1 };

test('every read of a count is one of the primary', () => {
  const ofCounts = operations.filter(({ kind, path }) => kind === 'read' && path.startsWith('/store/counts'));
  expect(ofCounts.map((operation) => 'mustBeCurrent' in operation)).toEqual([true, true, true, true, true, true]);
});

describe.skipIf(!canStart())('reads on a standby', () => {
  startBeforeTests();

  test('operations, several of them, and snapshots are read there; changes, tokens and events on the primary', () =>
    withReadStore(
      async ({ shopOf, reads, standby, primary, state }) => {
        const shop = shopOf(1);
        expect(await names(shop)).toEqual(['Dogs']);
        expect(await shop.callEach(getPet, [{ petId: 1 }, { petId: 1 }])).toMatchObject([{ name: 'Rex' }, { name: 'Rex' }]);
        expect(await shop.snapshot(async (call) => (await call(getPet, { petId: 1 })).name)).toBe('Rex');
        expect(reads()).toEqual({ standby: 3, primary: 0 });
        const asked = (server: PostgresServer) =>
          runOn(server, 'postgres', "SELECT query FROM pg_stat_activity WHERE application_name = 'reader' AND backend_type = 'client backend'");
        expect(await asked(standby)).not.toEqual([]);
        expect(await asked(primary)).toEqual([]);
        await shop.call(newestEvent, {});
        await shop.call(eventsAfter, { after: { id: 0 } });
        expect(reads()).toEqual({ standby: 0, primary: 0 });
        // A line of a count adds no entry to the ledger, which would tell that the standby lacks it.
        await shop.call(listCounts, {});
        expect(reads()).toEqual({ standby: 0, primary: 0 });
        const { text, token } = await shop.tokens.create({ name: 'till', scopes: ['admin'] });
        // The standby would not have them yet.
        await pauseReplay(standby);
        expect(await shop.tokens.check(text)).toEqual(token);
        await shop.tokens.revoke('till');
        await expectRefusal('invalid_token', shop.tokens.check(text));
        await resumeReplay(standby);
        expect(await state()).toMatchObject({ state: 'used', lagEntries: 0, lagMs: 0 });
      },
      { addressOf: (standby, _, database) => `${standby.urlOf(database)}?application_name=reader` },
    ));

  test('a client sees its own changes, and never an earlier shop than before; other clients may', () =>
    withReadStore(async ({ shopOf, reads, standby, state }) => {
      const [one, other, nobody] = [shopOf(1), shopOf(2), shopOf(undefined)];
      for (const shop of [one, other, nobody]) await names(shop);
      reads();
      await pauseReplay(standby);
      await add(one, 'Cats');
      expect(await names(one)).toEqual(['Dogs', 'Cats']);
      expect(await one.snapshot((call) => call(listCategories, {}))).toMatchObject({ items: [{ name: 'Dogs' }, { name: 'Cats' }] });
      expect(reads()).toEqual({ standby: 0, primary: 2 });
      expect([await names(other), await names(nobody)]).toEqual([['Dogs'], ['Dogs']]);
      expect(reads()).toEqual({ standby: 2, primary: 0 });
      // A refusal shows what the primary has as well.
      await expectRefusal('category_exists', add(other, 'Cats'));
      expect(await names(other)).toEqual(['Dogs', 'Cats']);
      expect(await names(nobody)).toEqual(['Dogs']);
      expect(reads()).toEqual({ standby: 1, primary: 1 });
      await expect.poll(async () => (await state()).lagEntries, { timeout: 10_000 }).toBe(1);
      await resumeReplay(standby);
      await standby.caughtUp();
      for (const shop of [one, other, nobody]) expect(await names(shop)).toEqual(['Dogs', 'Cats']);
      expect(reads()).toEqual({ standby: 3, primary: 0 });
    }));

  test('a change that adds nothing to the ledger is waited for as well', () =>
    withReadStore(async ({ shopOf, reads, standby }) => {
      const shop = shopOf(1);
      await names(shop);
      reads();
      await pauseReplay(standby);
      await shop.call(releasePet, { petId: 1 });
      for (let turn = 0; turn < 3; turn += 1) await names(shop);
      expect(reads()).toEqual({ standby: 0, primary: 3 });
      await resumeReplay(standby);
      await standby.caughtUp();
      await names(shop);
      expect(reads()).toEqual(onlyStandby);
    }));

  test('who follows the ledger sees no shop that is older than an entry', () =>
    withReadStore(async ({ shopOf, reads, standby }) => {
      const [writer, follower] = [shopOf(1), shopOf(2)];
      await names(follower);
      await pauseReplay(standby);
      await add(writer, 'Cats');
      expect(await names(follower)).toEqual(['Dogs']);
      await follower.call(newestEvent, {});
      reads();
      // One poll serves all who follow.
      expect([await names(follower), await names(shopOf(3))]).toEqual([
        ['Dogs', 'Cats'],
        ['Dogs', 'Cats'],
      ]);
      expect(reads()).toEqual({ standby: 0, primary: 2 });
      await resumeReplay(standby);
    }));

  test('what the standby does not have yet is looked up on the primary before it is refused', () =>
    withReadStore(async ({ shopOf, standby }) => {
      const [writer, other] = [shopOf(1), shopOf(2)];
      await names(other);
      await pauseReplay(standby);
      await writer.call(createPet, { body: { name: 'Milo', categoryId: 1 } });
      expect(await other.call(getPet, { petId: 2 })).toMatchObject({ name: 'Milo' });
      await expectRefusal('pet_not_found', other.call(getPet, { petId: 3 }));
      await resumeReplay(standby);
    }));

  test('with fresh reads an answer has everything that was committed before', async () => {
    const database = await createShop();
    await withReads(database, {}, async ({ shopOf, standby }) => {
      await pauseReplay(standby);
      await add(shopOf(1), 'Cats');
      await withReads(database, { isFresh: true }, async (fresh) => {
        expect(await names(fresh.shopOf(undefined))).toEqual(['Dogs', 'Cats']);
        expect(fresh.reads()).toEqual(onlyPrimary);
      });
      await resumeReplay(standby);
      await standby.caughtUp();
    });
    await withReads(database, { isFresh: true }, async ({ shopOf, reads }) => {
      expect(await names(shopOf(undefined))).toEqual(['Dogs', 'Cats']);
      expect(reads()).toEqual(onlyStandby);
    });
  });

  test('a standby that is too far behind is not read until it has caught up', () => {
    let now = Date.now();
    return withReadStore(
      async ({ shopOf, reads, standby, become }) => {
        await names(shopOf(2));
        await pauseReplay(standby);
        await add(shopOf(1), 'Cats');
        now += 60_000;
        const behind = await become('lagging');
        expect(behind).toMatchObject({ lagEntries: 1, reason: 'it is too far behind' });
        expect(behind.lagMs).toBeGreaterThan(30_000);
        reads();
        expect(await names(shopOf(2))).toEqual(['Dogs', 'Cats']);
        expect(reads()).toEqual(onlyPrimary);
        await resumeReplay(standby);
        await become('used');
        await names(shopOf(3));
        expect(reads()).toEqual(onlyStandby);
      },
      { clock: () => now },
    );
  });

  test('a read that a recovery conflict cancels is done again; one that was used already is refused', () =>
    withReadStore(async ({ reads, reader, primary, database, state, shopOf }) => {
      await names(shopOf(undefined));
      reads();
      // Rows that the snapshot still sees are removed on the primary, which the standby cannot replay.
      const conflict = async (): Promise<void> => {
        await runOn(primary, database, 'CREATE TABLE IF NOT EXISTS waste (id INT)', 'INSERT INTO waste SELECT generate_series(1, 1000)');
        await runOn(primary, database, 'DELETE FROM waste', 'VACUUM waste');
      };
      let runs = 0;
      const slow = (isRepeatable: boolean) =>
        reader.read(
          async (queries) => {
            runs += 1;
            const answer = queries.get(sql`SELECT CAST(pg_sleep(${runs === 1 ? 30 : 0}) AS TEXT) AS slept, pg_is_in_recovery() AS "isStandby"`);
            answer.catch(() => undefined);
            if (runs === 1) await conflict();
            return answer;
          },
          { isRepeatable },
        );
      expect(await slow(true)).toMatchObject({ isStandby: true });
      expect([runs, reads()]).toEqual([2, onlyStandby]);
      runs = 0;
      await expectRefusal('store_busy', slow(false), /cancelled this read/);
      expect(runs).toBe(1);
      expect(await state()).toMatchObject({ state: 'used' });
    }));

  test('without the standby the primary answers; it is tried again after a while, and used when it is back', () =>
    withReadStore(async ({ shopOf, reads, standby, become, state }) => {
      await names(shopOf(1));
      reads();
      await standby.halt();
      expect(await names(shopOf(1))).toEqual(['Dogs']);
      expect(await state()).toMatchObject({ state: 'unreachable', reason: expect.stringMatching(/ECONNREFUSED|ECONNRESET|EPIPE|broke|shut down/) });
      const started = performance.now();
      for (let turn = 0; turn < 50; turn += 1) expect(await names(shopOf(2))).toEqual(['Dogs']);
      expect(performance.now() - started).toBeLessThan(2000);
      expect(reads()).toEqual({ standby: 0, primary: 51 });
      await standby.start();
      await become('used');
      await names(shopOf(1));
      expect(reads()).toEqual(onlyStandby);
    }));

  test('while the standby is frozen, reads go to the primary after two seconds, later ones at once', () =>
    withReadStore(async ({ shopOf, reads, standby, become }) => {
      await names(shopOf(1));
      reads();
      standby.freeze();
      try {
        expect(await names(shopOf(1))).toEqual(['Dogs']);
        const started = performance.now();
        for (let turn = 0; turn < 20; turn += 1) await names(shopOf(1));
        // Each would wait for two seconds.
        expect(performance.now() - started).toBeLessThan(4000);
        expect(reads()).toEqual({ standby: 0, primary: 21 });
      } finally {
        standby.thaw();
      }
      await become('used');
      await names(shopOf(1));
      expect(reads()).toEqual(onlyStandby);
    }));

  test('of several hosts the one that is a standby of the shop is used', () =>
    withReadStore(
      async ({ shopOf, reads }) => {
        expect(await names(shopOf(1))).toEqual(['Dogs']);
        expect(reads()).toEqual(onlyStandby);
      },
      { addressOf: (standby, { port }, database) => `postgres://petstore:${password}@127.0.0.1:1,127.0.0.1:${port},127.0.0.1:${standby.port}/${database}` },
    ));

  test('a standby of another shop, another database of the cluster, and an older schema are not used', async () => {
    const [database, other] = [await createShop(), await createShop()];
    await withReads(database, { addressOf: (standby) => standby.urlOf(other) }, async ({ shopOf, reads, state }) => {
      expect(await names(shopOf(1))).toEqual(['Dogs']);
      expect(reads()).toEqual(onlyPrimary);
      expect(await state()).toMatchObject({ state: 'refused', reason: expect.stringMatching(/has another database, not a copy of that of the shop$/) });
    });
    // With the same identity, as a copy of the files has it, the ledgers differ.
    await withReads(database, {}, async ({ primary, standby, shopOf, reads, state }) => {
      await runOn(standby, 'postgres', 'SELECT pg_wal_replay_pause()');
      await runOn(primary, database, "SET session_replication_role = replica; UPDATE ledger SET actor = 'nobody'");
      expect(await names(shopOf(1))).toEqual(['Dogs']);
      expect(reads()).toEqual(onlyPrimary);
      expect(await state()).toMatchObject({ state: 'refused', reason: 'its ledger is not that of the shop' });
      await resumeReplay(standby);
    });
    await withReads(other, {}, async ({ primary, standby, shopOf, reads, state }) => {
      await names(shopOf(1));
      reads();
      await runOn(primary, other, 'UPDATE shop SET schema_version = schema_version - 1');
      await standby.caughtUp();
      expect(await names(shopOf(1))).toEqual(['Dogs']);
      expect(reads()).toEqual(onlyPrimary);
      expect(await state()).toMatchObject({ state: 'refused', reason: expect.stringMatching(/it has schema \d+, not \d+/) });
    });
  });

  test('whatever the standby does, no client misses what it has added or seen', () =>
    withReadStore(async ({ shopOf, reads, standby }) => {
      const random = seededRandom(seed);
      let isOver = false;
      const problems: string[] = [];
      const work = [undefined, 1, 2, 3].map(async (token) => {
        const shop = shopOf(token);
        let known: readonly string[] = [];
        for (let turn = 0; !isOver; turn += 1) {
          const name = `${token ?? 'nobody'} ${turn}`;
          const isChange = random() < 0.2;
          if (isChange) await add(shop, name);
          const found = (await shop.call(listCategories, { limit: 500 })).items.map((one) => one.name);
          const missing = [...known, ...(isChange ? [name] : [])].filter((one) => !found.includes(one));
          if (missing.length > 0) problems.push(`${token ?? 'nobody'} misses ${missing.join(', ')}`);
          known = found;
          if (found.length > 400) return;
          await sleep(random() * 10);
        }
      });
      for (let turn = 0; turn < 12; turn += 1) {
        await (turn % 2 === 0 ? pauseReplay : resumeReplay)(standby);
        await sleep(random() * 300);
        if (turn === 7) await standby.kill();
      }
      isOver = true;
      await Promise.all(work);
      expect(problems).toEqual([]);
      const answered = reads();
      expect(Math.min(answered.standby, answered.primary)).toBeGreaterThan(10);
    }));

  test('a promoted standby is not read any more: it may accept changes of its own', () =>
    withReadStore(async ({ shopOf, reads, standby, database, become }) => {
      await names(shopOf(1));
      await standby.promote();
      await runOn(standby, database, "INSERT INTO categories (id, name, folded) VALUES (9, 'Lost', 'lost')");
      reads();
      expect(await names(shopOf(1))).toEqual(['Dogs']);
      expect(reads()).toEqual(onlyPrimary);
      expect(await become('refused')).toMatchObject({ reason: expect.stringMatching(/is not a standby/) });
    }));
});
