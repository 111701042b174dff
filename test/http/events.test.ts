import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { localShop } from '../../src/storage/shop.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { eventIdOf, positionAfter } from '../../src/domain/ledger/ledger-position.js';
import type { Scope } from '../../src/domain/tokens/token.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import { csv } from '../support/files.js';
import { follow, type StreamedEvent } from '../support/event-stream.js';
import { loseCategories } from '../support/lose-entries.js';
import { ask, testListening } from '../support/server.js';
import { rawRequest, openRawConnection } from '../support/raw-connection.js';

const ids = (events: readonly StreamedEvent[]): readonly number[] => events.map(({ entryId }) => entryId);
const kinds = (events: readonly { readonly event: string }[]): readonly string[] => events.map(({ event }) => event);

testListening('a stream sends every ledger entry written after it was opened', async ({ address, pet, category, call }) => {
  await pet();
  const stream = await follow(address);
  expect([stream.status, stream.headers.get('content-type'), stream.headers.get('cache-control')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    'no-store',
  ]);
  expect([stream.headers.get('petstore-stability'), stream.headers.get('api-version')]).toEqual(['experimental', '1.0.0']);
  await ask(address, 'POST', '/store/orders', { body: { petId: 1, complete: true } });
  await category('Cats');
  const events = await stream.next(3);
  expect(kinds(events)).toEqual(['order.placed', 'sale', 'category.created']);
  const written = (await call(listLedger, { names: true })).items.slice(-3);
  expect(events.map(({ id, data }) => [id, data])).toEqual(written.map((entry) => [eventIdOf(positionAfter(entry)), JSON.parse(JSON.stringify(entry))]));
});

testListening('a stream continues after Last-Event-ID', async ({ address, category, restart }) => {
  for (const name of ['A', 'B', 'C']) await category(name);
  const whole = await follow(address, '/store/events?after=0');
  const [first, second, third] = await whole.next(3);
  expect([first?.id, second?.id, third?.id]).toEqual([1, 2, 3].map((id) => expect.stringMatching(new RegExp(`^${id}-[0-9a-z]{1,7}$`))));
  expect(await (await follow(address, `/store/events?after=${second?.id}`)).next(1)).toEqual([third]);
  const resumed = await follow(address, '/store/events', { 'last-event-id': first?.id ?? '' });
  expect(await resumed.next(2)).toEqual([second, third]);
  // The id of an entry alone is accepted too.
  expect(await (await follow(address, '/store/events?after=2')).next(1)).toEqual([third]);
  // The Last-Event-ID header of a browser overrides the query parameter of the first request.
  const both = await follow(address, '/store/events?after=0', { 'last-event-id': second?.id ?? '' });
  expect(await both.next(1)).toEqual([third]);
  // Continues after a restart, with the entries written meanwhile.
  const restarted = restart();
  await category('D');
  const later = await follow(await restarted, '/store/events', { 'last-event-id': third?.id ?? '' });
  await category('E');
  expect((await later.next(2)).map(({ data }) => [data['id'], data['categoryId']])).toEqual([
    [4, 4],
    [5, 5],
  ]);
  // The stream from before the restart ended without missing an entry.
  expect(await whole.rest()).toEqual([]);
});

testListening('refuses a Last-Event-ID that is not an event id, or whose entry the ledger does not have', async ({ address, category }) => {
  await category();
  const [event] = await (await follow(address, '/store/events?after=0')).next(1);
  const resume = async (id: string): Promise<readonly unknown[]> => {
    const { status, code } = await ask(address, 'GET', '/store/events', { headers: { 'last-event-id': id } });
    return [id, status, code];
  };
  for (const id of ['x', '-1', '1.0', '01', '9007199254740993', '1,1', '0-abc', `${event?.id}-1`, `${event?.id.toUpperCase()}`])
    expect(await resume(id)).toEqual([id, 400, 'invalid_cursor']);
  for (const id of ['2', '2-abc', '1-abc', '9007199254740991']) expect(await resume(id)).toEqual([id, 410, 'cursor_expired']);
  expect((await ask(address, 'GET', '/store/events?after=2')).code).toBe('cursor_expired');
  expect((await ask(address, 'GET', '/store/events?after=x')).code).toBe('invalid_parameter');
});

testListening('a stream whose last entry is lost ends with the event expired', async ({ address, category, engine, clock }) => {
  for (const name of ['A', 'B', 'C']) await category(name);
  const entries = await follow(address, '/store/events?after=0');
  const notices = await follow(address, '/store/events?notices=true');
  const [first, , third] = await entries.next(3);
  await notices.next(1);
  await loseCategories(engine, 1);
  for (const stream of [entries, notices]) {
    const rest = await stream.rest();
    expect(rest).toEqual([
      {
        id: '',
        entryId: 0,
        event: 'expired',
        data: { code: 'cursor_expired', status: 410, message: expect.stringMatching(/entry 3 .* earlier state.*newest entry\.$/) },
      },
    ]);
  }
  clock.pass(1000);
  for (const name of ['D', 'E', 'F']) await category(name);
  const refused = await ask(address, 'GET', '/store/events', { headers: { 'last-event-id': third?.id ?? '' } });
  expect([refused.status, refused.code]).toEqual([410, 'cursor_expired']);
  const resumed = await follow(address, '/store/events', { 'last-event-id': first?.id ?? '' });
  expect(ids(await resumed.next(3))).toEqual([2, 3, 4]);
});

testListening('a stream that waits while the ledger becomes shorter reads it only ten times a second', async ({ address, category, engine, clock }) => {
  for (const name of ['A', 'B', 'C']) await category(name);
  const newest = await follow(address, '/store/events?after=0');
  await newest.next(3);
  await loseCategories(engine, 1);
  await newest.rest();
  const resumed = await follow(address, '/store/events?after=1');
  const [read, started] = [vi.spyOn(engine, 'read'), performance.now()];
  await sleep(1000);
  expect(read.mock.calls.length).toBeLessThan(10 + (performance.now() - started) / 50);
  read.mockRestore();
  clock.pass(1000);
  await category('D');
  expect(ids(await resumed.next(1))).toEqual([2]);
});

testListening('while the shop does not change, a stream reads nothing', async ({ address, category, engine }) => {
  await category('A');
  const stream = await follow(address, '/store/events?after=0');
  await stream.next(1);
  const read = vi.spyOn(engine, 'read');
  await expect
    .poll(async () => {
      const before = read.mock.calls.length;
      await sleep(400);
      return read.mock.calls.length - before;
    })
    .toBe(0);
});

testListening('a stream also sends entries written by other processes', async ({ address, store, category }) => {
  await category('A');
  const stream = await follow(address);
  const engine = await openSqlite(store, { waitSeconds: 5 });
  const cli = localShop(engine, { actor: 'ana', source: 'cli', clock: () => Date.parse('2026-11-20T10:00:00Z') }, store);
  await cli.call(createCategory, { body: { name: 'B' } });
  await cli.close();
  const [event] = await stream.next(1);
  expect(event).toMatchObject({ event: 'category.created', data: { id: 2, actor: 'ana', source: 'cli', at: '2026-11-20T10:00:00.000Z' } });
});

testListening('many streams receive every entry exactly once during fast writes', async ({ address, pet }) => {
  await pet({ quantity: 1 });
  const streams = await Promise.all(Array.from({ length: 12 }, () => follow(address)));
  const turns = 150;
  await Promise.all(Array.from({ length: turns }, () => ask(address, 'POST', '/store/inventory/1/adjustments', { body: { delta: 1 } })));
  const seen = await Promise.all(streams.map((stream) => stream.next(turns)));
  const written = Array.from({ length: turns }, (_, index) => index + 3);
  for (const events of seen) expect(ids(events)).toEqual(written);
});

/** A delivery whose entries take 2 KB each, so that a few thousand are more than the buffers of a connection. */
const longNotes = (rows: number) => csv('petId,delta,note', ...Array.from({ length: rows }, () => `1,1,${'\u{1f420}'.repeat(500)}`));

testListening('a client that does not read does not delay other clients', async ({ address, port, pet, shop }) => {
  await pet({ quantity: 1 });
  const slow = await openRawConnection(port);
  slow.socket.pause();
  slow.send(rawRequest('GET /store/events?after=0'));
  const quick = await follow(address);
  await shop.importStock(longNotes(3000), { mode: 'atomic' });
  expect((await quick.next(3000)).at(-1)?.data).toMatchObject({ quantityAfter: 3001 });
  expect((await ask(address, 'GET', '/livez')).status).toBe(200);
});

testListening('closed streams are removed, and open ones are counted', async ({ address }) => {
  const open = async (): Promise<string> => /^petstore_event_streams (\d+)$/m.exec((await ask(address, 'GET', '/metrics')).text)?.[1] ?? '';
  const streams = await Promise.all([follow(address), follow(address), follow(address)]);
  expect(await open()).toBe('3');
  for (const stream of streams) stream.close();
  await expect.poll(open).toBe('0');
});

testListening(
  'a server stops although one client reconnects at once and another does not read',
  async ({ address, port, pet, shop, stop }) => {
    await pet();
    const slow = await openRawConnection(port);
    slow.socket.pause();
    slow.send(rawRequest('GET /store/events?after=0'));
    const stream = await follow(address);
    await shop.importStock(longNotes(5000), { mode: 'atomic' });
    await stream.next(1);
    const stopped = stop();
    await stream.rest();
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await ask(address, 'GET', '/store/events').catch(() => undefined);
      if (answer !== undefined) expect([answer.status, answer.code]).toEqual([503, 'shutting_down']);
    }
    await stopped;
  },
  { timeouts: { stopMs: 250_000 } },
);

testListening('events name pets and categories to a token that may read them, and to no other', async ({ address, dependencies, pet }) => {
  await pet();
  const dataFor = async (name: string, scopes: readonly Scope[]) => {
    const { text } = await dependencies.tokens.create({ name, scopes });
    const stream = await follow(address, '/store/events?after=0', { authorization: `Bearer ${text}` });
    return (await stream.next(2)).map(({ data }) => [data['kind'], data['petName'] ?? data['categoryName']]);
  };
  expect(await dataFor('wall', ['store:read'])).toEqual([
    ['category.created', undefined],
    ['opening', undefined],
  ]);
  expect(await dataFor('counter', ['store:read', 'pets:read'])).toEqual([
    ['category.created', 'Dogs'],
    ['opening', 'Rex'],
  ]);
});

testListening(
  'a client may open 50 of the 200 event streams; others are not affected',
  async ({ address, dependencies }) => {
    const streams = await Promise.all(Array.from({ length: 50 }, () => follow(address)));
    const { status, code, headers } = await ask(address, 'GET', '/store/events');
    expect([status, code, headers['retry-after']]).toEqual([503, 'overloaded', '1']);
    const { text } = await dependencies.tokens.create({ name: 'till', scopes: ['store:read'] });
    const authorization = { authorization: `Bearer ${text}` };
    expect((await follow(address, '/store/events', authorization)).status).toBe(200);
    streams[0]?.close();
    await expect.poll(async () => (await follow(address)).status).toBe(200);
  },
  { auth: 'off' },
);
