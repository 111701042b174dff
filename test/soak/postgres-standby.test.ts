import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/storage/engine.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { openShop } from '../support/postgres.js';
import { canStart, password, type PostgresServer } from '../support/postgres-server.js';
import { withStandby } from '../support/standby.js';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { listOrders } from '../../src/domain/orders/list-orders.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { StoreError } from '../../src/domain/errors.js';
import type { Shop } from '../../src/domain/shop.js';
import { localShop } from '../../src/storage/shop.js';
import { serve } from '../../src/http/server/server.js';
import type { LogEntry } from '../../src/http/server/server-options.js';
import { csv } from '../support/files.js';
import { storeProblems } from '../support/inspect-store.js';
import { ask, options, serverDependencies } from '../support/server.js';
import { addCategory, categoryNames } from '../support/postgres-engines.js';

const write = (engine: Engine, name: string): Promise<void> => engine.write((queries) => queries.run(addCategory(name)));

/** The address of several servers. */
function addressOfAll(servers: readonly PostgresServer[], parameters = ''): string {
  return `postgres://petstore:${password}@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres${parameters}`;
}

// Beside each other, because they mostly wait.
describe.skipIf(!canStart())('PostgreSQL with a standby', { concurrent: true }, () => {
  test('the server that can be written to is found, in any order of the hosts', () =>
    withStandby(async (primary, standby) => {
      const [shop, replica] = [
        await openShop(addressOfAll([standby, primary])),
        await openShop(addressOfAll([primary, standby], '?target_session_attrs=standby')),
      ];
      await write(shop, 'Dogs');
      await standby.caughtUp();
      expect(await categoryNames(replica)).toEqual(['Dogs']);
      await primary.halt();
      await expectRefusal(
        'store_read_only',
        openShop(addressOfAll([primary, standby]), { waitSeconds: 0 }),
        new RegExp(`cannot be written to: 127\\.0\\.0\\.1:${primary.port}: ECONNREFUSED; 127\\.0\\.0\\.1:${standby.port} is a standby\\.`),
      );
      const preferring = await openShop(addressOfAll([primary, standby], '?target_session_attrs=prefer-standby'), { waitSeconds: 0 });
      expect(await categoryNames(preferring)).toEqual(['Dogs']);
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
      expect(await categoryNames(patient)).toEqual([]);
      const says = new RegExp(`cannot be written to: 127\\.0\\.0\\.1:${standby.port} is a standby\\.`);
      await expectRefusal('store_read_only', write(hasty, 'never'), says);
      await expectRefusal('store_read_only', hasty.checkWritable(), says);
      const waiting = write(patient, 'Dogs');
      await sleep(300);
      await primary.halt();
      await standby.promote();
      await waiting;
      expect(await categoryNames(patient)).toEqual(['Dogs']);
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

const waitSeconds = 3;
// A loaded machine, and the last statement of a lookup; what is not refused in time waits for minutes.
const slackMs = 30_000;

function shopOf(engine: Engine, actor = 'ana'): Shop {
  return localShop(engine, { actor, source: 'http', clock: () => Date.now() }, '');
}

async function names(shop: Shop): Promise<readonly string[]> {
  return (await shop.call(listCategories, {})).items.map(({ name }) => name);
}

const order = (shop: Shop): Promise<unknown> => shop.call(placeOrder, { body: { petId: 1 } });
const orders = async (shop: Shop): Promise<number> => (await shop.call(listOrders, {})).items.length;

interface Refused {
  readonly code: string;
  readonly text: string;
  readonly milliseconds: number;
}

/** The refusal of work, and after which time. */
async function refusal(work: Promise<unknown>): Promise<Refused> {
  const started = performance.now();
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StoreError)) throw error ?? new Error('The work was not refused.');
  return { code: error.code, text: error.message, milliseconds: performance.now() - started };
}

const saved = /^The change was saved in \S+, but no synchronous standby has confirmed it yet; a failover could lose it\.$/;
const locked = /is locked by another process; waited 3 s\.$/;

// Beside each other, because they mostly wait.
describe.skipIf(!canStart())('commits without their synchronous standby', { concurrent: true }, () => {
  test('changes of one group are refused as saved and not confirmed, the next one because of them; each is there once when the standby is back', () =>
    withStandby(async (primary, standby) => {
      const engines = await Promise.all([1, 2].map(() => openShop(primary.urlOf('postgres'), { waitSeconds })));
      const [first, second] = engines.map((engine) => shopOf(engine)) as [Shop, Shop];
      await first.call(createCategory, { body: { name: 'Dogs' } });
      await first.call(createPet, { quantity: 9, body: { name: 'Rex', categoryId: 1 } });
      await standby.halt();
      // Without keys, so that an order that is placed again would be another one.
      const outcomes = await Promise.all([1, 2, 3].map(() => refusal(order(first))));
      outcomes.push(await refusal(order(second)), await refusal(order(first)));
      const isSaved = ({ text }: Refused): boolean => saved.test(text);
      // On a busy machine a group may end before its last writes.
      const savedCount = outcomes.filter(isSaved).length;
      expect(outcomes.slice(0, 3).some(isSaved)).toBe(true);
      for (const one of outcomes) {
        expect([one.code, one.text]).toEqual(isSaved(one) ? ['store_unreachable', one.text] : ['store_busy', expect.stringMatching(locked)]);
        expect(one.milliseconds).toBeLessThan(waitSeconds * 1000 + slackMs);
      }
      expect([await orders(first), await orders(second)]).toEqual([0, 0]);
      const waiting = order(second);
      await standby.start();
      await waiting;
      expect([await orders(first), await orders(second)]).toEqual([savedCount + 1, savedCount + 1]);
      await order(first);
      expect(await orders(second)).toBe(savedCount + 2);
      await Promise.all(engines.map((engine) => engine.close()));
      expect(await storeProblems(primary.urlOf('postgres'))).toEqual([]);
    }));

  test('a request is answered with 503, and with its first answer when it is repeated after the standby is back', () =>
    withStandby(async (primary, standby) => {
      const engine = await openShop(primary.urlOf('postgres'), { waitSeconds });
      await standby.halt();
      const log: LogEntry[] = [];
      const clock = (): number => Date.now();
      const server = await serve(
        serverDependencies((actor) => shopOf(engine, actor), clock, log),
        options({ auth: 'off' }),
      );
      const post = () => ask(server.address, 'POST', '/categories', { body: { name: 'Dogs' }, headers: { 'idempotency-key': 'once' } });
      try {
        const first = await post();
        expect([first.status, first.code, first.headers['retry-after']]).toEqual([503, 'store_unreachable', '1']);
        expect(first.json<{ readonly message: string }>().message).toMatch(saved);
        const again = await post();
        expect([again.status, again.code]).toEqual([503, 'store_busy']);
        expect((await ask(server.address, 'GET', '/categories')).json()).toEqual([]);
        await standby.start();
        const last = await post();
        expect([last.status, last.headers['idempotency-replayed'], last.json()]).toMatchObject([201, 'true', { id: 1, name: 'Dogs' }]);
        expect(await names(shopOf(engine))).toEqual(['Dogs']);
        expect(log.filter(({ msg }) => msg === 'failure')).toEqual([]);
      } finally {
        await server.stop();
        await engine.close();
      }
    }));

  test('an import does not wait for the standby before its commit, which is refused as not confirmed', () =>
    withStandby(async (primary, standby) => {
      const engine = await openShop(primary.urlOf('postgres'), { waitSeconds });
      const shop = shopOf(engine);
      await standby.halt();
      const importPets = () => shop.importPets(csv('name,category', 'Tom,Cats'), { mode: 'atomic', createCategories: true });
      const { code, text, milliseconds } = await refusal(importPets());
      expect([code, text]).toEqual(['store_unreachable', expect.stringMatching(saved)]);
      expect(milliseconds).toBeLessThan(waitSeconds * 1000 + slackMs);
      await standby.start();
      expect(await importPets()).toMatchObject({ alreadyApplied: 1 });
      await engine.close();
    }));
});
