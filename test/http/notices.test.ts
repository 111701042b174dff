import { expect } from 'vitest';
import { serve } from '../../src/http/server/server.js';
import { follow, type EventStreamReader } from '../support/event-stream.js';
import { file } from '../support/files.js';
import { ask, options, serverDependencies, testListening } from '../support/server.js';
import { testOnEveryEngine } from '../support/stores.js';

const path = '/store/events?notices=true';

/** Reads notices until one names an entry or a later one. */
async function noticesTo(stream: EventStreamReader, newest: number): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const seen: Readonly<Record<string, unknown>>[] = [];
  while (Number(seen.at(-1)?.['newest'] ?? -1) < newest) {
    const [notice] = await stream.next(1);
    expect(notice).toMatchObject({ event: 'notice', entryId: notice?.data['newest'] });
    if (notice !== undefined) seen.push(notice.data);
  }
  return seen;
}

const units = (notices: readonly Readonly<Record<string, unknown>>[]): number => notices.reduce((sum, { entries }) => sum + Number(entries), 0);

testOnEveryEngine('a stream of notices names the newest entry at most four times a second', async ({ shop, shopOf, clock, category, pet, ledger }) => {
  const server = await serve(serverDependencies(shopOf, clock.now, []), options({ auth: 'off' }));
  try {
    await pet({ quantity: 1 });
    const first = (await ledger()).length;
    const stream = await follow(server.address, path);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await noticesTo(stream, first)).toEqual([{ newest: first, entries: 0 }]);
    const started = performance.now();
    const rows = 5000;
    await shop.importStock(file(`petId,delta\n${'1,1\n'.repeat(rows)}`, { format: 'csv' }, 65_536), { mode: 'atomic' });
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']) await category(name);
    const newest = first + rows + 8;
    const notices = await noticesTo(stream, newest);
    expect(units(notices)).toBe(rows + 8);
    expect(notices.at(-1)).toMatchObject({ newest });
    expect(notices.length).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - started) / 250));
    // A client that was away learns at once how much it missed.
    const resumed = await follow(server.address, path, { 'last-event-id': String(first) });
    expect((await resumed.next(1))[0]?.data).toEqual({ newest, entries: rows + 8 });
  } finally {
    await server.stop();
  }
});

testListening('a stream of notices refuses a position that is not in the ledger, and ends with the token', async ({ address, category, dependencies }) => {
  await category();
  expect((await ask(address, 'GET', `${path}&after=2`)).code).toBe('cursor_expired');
  expect((await ask(address, 'GET', path, { headers: { 'last-event-id': 'x' } })).code).toBe('invalid_cursor');
  expect((await ask(address, 'GET', '/store/events?notices=1')).code).toBe('invalid_parameter');
  const { text } = await dependencies.tokens.create({ name: 'board', scopes: ['store:read'] });
  const stream = await follow(address, `${path}&after=0`, { authorization: `Bearer ${text}` });
  expect((await stream.next(1)).map(({ data }) => data)).toEqual([{ newest: 1, entries: 1 }]);
  await dependencies.tokens.revoke('board');
  await category('Cats');
  expect(await stream.rest()).toEqual([]);
});

testListening('streams of entries and of notices go on beside each other, and notices end with the server', async ({ address, category, stop }) => {
  const [entries, notices] = [await follow(address), await follow(address, path)];
  await category('A');
  await category('B');
  expect((await entries.next(2)).map(({ event }) => event)).toEqual(['category.created', 'category.created']);
  expect(units(await noticesTo(notices, 2))).toBe(2);
  await stop();
  expect(await notices.rest()).toEqual([]);
});
