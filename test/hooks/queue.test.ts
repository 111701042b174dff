import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { StoreError } from '../../src/domain/errors.js';
import { getHook } from '../../src/domain/hooks/get-hook.js';
import { listHookDeliveries } from '../../src/domain/hooks/list-hook-deliveries.js';
import { keptDeliveries } from '../../src/domain/hooks/hook.js';
import { startSender, type HookSender, type SenderDependencies } from '../../src/hooks/sender.js';
import { hookQueue } from '../../src/storage/hook-queue.js';
import { brokenRules } from '../support/invariants.js';
import { testOnEveryEngine } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';
import { receiver } from './receiver.js';

/** Starts a sender of a shop for which the ledger never moves. */
function startIn({ engine, clock }: TestShop, dependencies: Partial<SenderDependencies>, once: boolean): HookSender {
  return startSender(
    {
      queue: hookQueue(engine, { clock: clock.now }),
      moved: () => sleep(5, false),
      requestEveryMs: 0,
      clock: clock.now,
      random: () => 0,
      holder: 'one',
      onSent: () => undefined,
      onError: (error) => {
        throw error;
      },
      ...dependencies,
    },
    { once },
  );
}

/** Sends what is due, and answers the ids of the hooks that were sent to. */
async function sendOnce(shop: TestShop): Promise<readonly number[]> {
  const sent: number[] = [];
  await startIn(shop, { onSent: ({ id }) => sent.push(id) }, true).ended;
  return sent.toSorted();
}

testOnEveryEngine('requests to hooks keep their distance while changes are made', async (shop) => {
  const pet = await shop.pet({ quantity: 5 });
  const { url, received, stop } = await receiver();
  for (const _ of [1, 2, 3]) await shop.shop.hooks.create({ url, rows: false, batch: 1, allowPrivate: true });
  let waits = 0;
  const moved = (): Promise<boolean> => sleep(5, (waits += 1) > 0);
  const sender = startIn(shop, { requestEveryMs: 20, moved }, false);
  await vi.waitFor(() => expect(waits).toBeGreaterThan(1), { timeout: 20_000 });
  const started = performance.now();
  for (let change = 0; change < 8; change += 1) await shop.adjust(pet, 1);
  await vi.waitFor(() => expect(received.length).toBe(24), { timeout: 20_000 });
  const took = performance.now() - started;
  sender.stop();
  await sender.ended;
  await stop();
  // Ten begin together, so that there are two pauses. A timer may end a millisecond early.
  expect(took).toBeGreaterThan(2 * 199);
});

testOnEveryEngine('a shop that fails after a request ends the sender of a command with its refusal, and a server reports it and goes on', async (shop) => {
  const pet = await shop.pet({ quantity: 5 });
  const { url, received, stop } = await receiver();
  await shop.shop.hooks.create({ url, rows: false, batch: 1, allowPrivate: true });
  const real = hookQueue(shop.engine, { clock: shop.clock.now });
  const busy = new StoreError('store_busy', 'The shop is busy.');
  // The first time finds the event to send, the second one looks for more.
  const failing = (): SenderDependencies['queue'] => {
    let times = 0;
    return { ...real, due: (hooks) => ((times += 1) === 2 ? Promise.reject(busy) : real.due(hooks)) };
  };
  await shop.adjust(pet, 1);
  await expect(startIn(shop, { queue: failing() }, true).ended).rejects.toBe(busy);
  await shop.adjust(pet, 1);
  const reported: unknown[] = [];
  const sender = startIn(shop, { queue: failing(), onError: (error) => reported.push(error) }, false);
  await expect.poll(() => reported).toEqual([busy]);
  await shop.adjust(pet, 1);
  await expect.poll(() => received.length).toBe(3);
  sender.stop();
  await sender.ended;
  await stop();
});

testOnEveryEngine('a hook that is caught up with keeps its connection for the next event, and an edited one connects again', async (shop) => {
  const pet = await shop.pet({ quantity: 5 });
  const { url, received, connections, stop } = await receiver();
  const { hook } = await shop.shop.hooks.create({ url, rows: false, batch: 1, allowPrivate: true });
  const sender = startIn(shop, {}, false);
  const waiting = async (): Promise<number> => (await shop.call(getHook, { hookId: hook.id })).waiting;
  const ports: (number | undefined)[] = [];
  for (const path of ['', '', 'edited']) {
    if (path !== '') await shop.shop.hooks.edit(hook.id, { url: `${url}${path}` });
    await shop.adjust(pet, 1);
    await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000 });
    ports.push(received.at(-1)?.from);
  }
  expect([received.length, new Set(ports).size, ports[0] === ports[1], connections()]).toEqual([3, 2, true, 1]);
  sender.stop();
  await sender.ended;
  await expect.poll(connections, { timeout: 20_000 }).toBe(0);
  await stop();
});

testOnEveryEngine('what is sent, left out and refused is stored for several hooks at once', async (shop) => {
  const pet = await shop.pet({ quantity: 5 });
  const answers = { '/': 204, '/broken': 500 } as const;
  const { url, received, stop } = await receiver((response) => void response.writeHead(answers[response.req.url as '/'] ?? 204).end());
  const draft = { rows: false, batch: 1, allowPrivate: true };
  await shop.shop.hooks.create({ ...draft, url });
  await shop.shop.hooks.create({ ...draft, url: `${url}broken` });
  await shop.shop.hooks.create({ ...draft, url, kinds: ['pet.held'] });
  for (const delta of [1, 2]) await shop.adjust(pet, delta);
  expect(await sendOnce(shop)).toEqual([1, 1, 2]);
  const first = (await shop.ledger()).length - 2;
  const stateOf = async (hookId: number) => {
    const { position, waiting, attempts } = await shop.call(getHook, { hookId });
    return { position, waiting, attempts };
  };
  expect(await stateOf(1)).toEqual({ position: first + 2, waiting: 0, attempts: 0 });
  expect(await stateOf(2)).toEqual({ position: first, waiting: 2, attempts: 1 });
  expect(await stateOf(3)).toEqual({ position: first + 2, waiting: 0, attempts: 0 });
  expect((await shop.call(listHookDeliveries, { hookId: 1 })).items.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 204],
    [1, 204],
  ]);
  // The second attempt is due after 5 seconds, and the tenth one is the last.
  for (let attempt = 2; attempt <= 10; attempt += 1) {
    expect(await sendOnce(shop)).toEqual([]);
    shop.clock.pass(24 * 60 * 60_000);
    expect(await sendOnce(shop)).toEqual([2]);
  }
  expect(await shop.call(getHook, { hookId: 2 })).toMatchObject({ state: 'paused', attempts: 10, lastError: 'The receiver answered 500.' });
  expect(received.length).toBe(12);
  await stop();
});

testOnEveryEngine('one sender holds a hook until it gives it up or its time is over', async ({ engine, shop, pet, clock, adjust }) => {
  const petId = await pet({ quantity: 5 });
  await shop.hooks.create({ url: 'https://hooks.example.com/', rows: false, batch: 1, allowPrivate: false });
  await adjust(petId, 1);
  const queue = hookQueue(engine, { clock: clock.now });
  const until = clock.now() + 1000;
  const [{ position } = { position: { id: 0 } }] = await queue.free();
  const taken = await Promise.all(['one', 'two'].map((one) => queue.take([1], one, until)));
  expect(taken).toEqual(expect.arrayContaining([[1], []]));
  expect(await queue.free()).toEqual([]);
  const [holder, other] = taken[0]?.length === 1 ? ['one', 'two'] : ['two', 'one'];
  const facts = { id: 1, from: position, position: { id: position.id + 1 }, attempts: 0, nextAttemptAt: 0, error: undefined, pauses: false };
  const progress = { ...facts, lastSentAt: clock.now(), heldUntil: 0, deliveries: [] };
  expect(await queue.store([progress], other)).toEqual([]);
  clock.pass(1001);
  expect(await queue.take([1], 'three', clock.now() + 1000)).toEqual([1]);
  // The first one comes back: it stores nothing any more.
  expect(await queue.store([progress], holder)).toEqual([]);
  // The owner has moved the hook meanwhile.
  await shop.hooks.resend(1, 1);
  expect(await queue.store([progress], 'three')).toEqual([]);
  expect((await queue.free())[0]).toMatchObject({ position: { id: 0 } });
});

testOnEveryEngine('the attempts of many hooks are stored, and none of a hook that was removed meanwhile', async (shop) => {
  const { hooks } = shop.shop;
  const many = Array.from({ length: 40 }, (_, index) => index + 1);
  for (const _ of many) await hooks.create({ url: 'https://hooks.example.com/', rows: false, batch: 1, allowPrivate: false });
  const queue = hookQueue(shop.engine, { clock: shop.clock.now });
  const until = shop.clock.now() + 1000;
  await queue.take(many, 'one', until);
  const from = (await queue.get(1))?.position ?? { id: 0 };
  const attempt = { at: '2026-11-20T09:00:00Z', event: '1', type: 'count', attempt: 1, milliseconds: 3, status: 204 } as const;
  const state = { from, position: from, attempts: 0, nextAttemptAt: 0, error: undefined, pauses: false, lastSentAt: shop.clock.now() };
  const deliveries = Array.from({ length: keptDeliveries }, () => attempt);
  await hooks.remove(40);
  const stored = await queue.store(
    many.map((id) => ({ ...state, id, heldUntil: until, deliveries })),
    'one',
  );
  expect(stored.toSorted((left, right) => left - right)).toEqual(many.slice(0, -1));
  expect((await shop.call(listHookDeliveries, { hookId: 39, limit: 500 })).items).toHaveLength(keptDeliveries);
  expect(await brokenRules(shop)).toEqual([]);
});
