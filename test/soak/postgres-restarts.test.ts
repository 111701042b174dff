import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { canStart, startPostgres } from '../support/postgres-server.js';
import { addressOf, openShop } from '../support/postgres.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { inDatabase, withEnginesAt, addCategory, categoryNames } from '../support/postgres-engines.js';

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
