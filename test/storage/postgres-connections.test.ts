import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Work } from '../../src/storage/queries.js';
import { sql } from '../../src/storage/sql.js';
import { canStart, startPostgres } from '../support/postgres-server.js';
import { addressOf, asAdmin, openShop } from '../support/postgres.js';
import { startProxy } from '../support/proxy.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { inDatabase, withEnginesAt, addCategory, categoryNames, terminateOwnConnection } from '../support/postgres-engines.js';

describe.skipIf(addressOf('') === undefined)('PostgreSQL whose connections are lost', () => {
  test('a transaction whose connection is lost is repeated and takes effect once', () =>
    inDatabase((address) =>
      withEnginesAt(1, address, async ([engine]) => {
        let tries = 0;
        const answer = await engine?.write(async (queries) => {
          tries += 1;
          await queries.run(addCategory(`try ${tries}`));
          if (tries < 3) await queries.get(terminateOwnConnection);
          return tries;
        });
        expect([answer, engine && (await categoryNames(engine))]).toEqual([3, ['try 3']]);
      }),
    ));

  test('a read whose connection is lost is repeated if it has returned nothing yet, and fails otherwise', () =>
    inDatabase((address) =>
      withEnginesAt(1, address, async ([engine]) => {
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
      withEnginesAt(1, address, async ([engine]) => {
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
      }),
    ));

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
    inDatabase(async (address) => {
      const proxy = await startProxy(Number(new URL(address).port));
      const url = new URL(address);
      url.port = String(proxy.port);
      await withEnginesAt(
        1,
        url.href,
        async ([engine]) => {
          const lost = engine?.write(async (queries) => {
            await queries.run(addCategory('perhaps'));
            proxy.breakAt('; COMMIT', 'for good');
          });
          await expectRefusal('store_unreachable', lost ?? Promise.resolve(), /unknown whether it was saved/);
        },
        0.3,
      );
      await proxy.close();
    }));

  for (const when of ['before', 'after'] as const) {
    test(`a connection lost at the commit, ${when} the server received it: the change is made once and acknowledged`, () =>
      inDatabase(async (address) => {
        const proxy = await startProxy(Number(new URL(address).port));
        const url = new URL(address);
        url.port = String(proxy.port);
        await withEnginesAt(1, url.href, async ([engine]) => {
          let tries = 0;
          proxy.breakAt('; COMMIT', when);
          const answer = await engine?.write(async (queries) => {
            tries += 1;
            await queries.run(addCategory('once'));
            return 'done';
          });
          expect([answer, tries, engine && (await categoryNames(engine))]).toEqual(['done', when === 'before' ? 2 : 1, ['once']]);
        });
        await proxy.close();
      }));
  }
});

// At the same time, because they mostly wait.
describe.concurrent('PostgreSQL that stops or does not answer', () => {
  test.skipIf(addressOf('') === undefined)('a writer that becomes idle with the write lock is disconnected and repeated, and others continue', () =>
    inDatabase((address) =>
      withEnginesAt(2, address, async ([silent, other]) => {
        let wake = (): void => undefined;
        const woken = new Promise<void>((resolve) => (wake = resolve));
        let tries = 0;
        const late = silent?.write(async (queries) => {
          await queries.run(addCategory(`silent ${(tries += 1)}`));
          await woken;
          await queries.run(addCategory('awake'));
        });
        await sleep(100);
        await other?.write((queries) => queries.run(addCategory('other')));
        wake();
        await late;
        expect([tries, other && (await categoryNames(other))]).toEqual([2, ['other', 'silent 2', 'awake']]);
      }),
    ),
  );

  test.skipIf(!canStart())('a server that crashes under load loses no acknowledged change, and no client has to repeat a request', async () => {
    const server = await startPostgres(true);
    try {
      const address = server.urlOf('postgres');
      await (await openShop(address, { create: true })).close();
      await withEnginesAt(3, address, async (engines) => {
        let stop = false;
        const told: string[] = [];
        const work = engines.map(async (engine, index) => {
          for (let turn = 0; !stop; turn += 1) {
            const name = `${index}.${turn}`;
            await engine.write((queries) => queries.run(addCategory(name)));
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
        expect(first && (await categoryNames(first)).toSorted()).toEqual(told.toSorted());
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
