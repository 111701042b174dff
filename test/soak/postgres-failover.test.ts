import { expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { localShop } from '../../src/storage/shop.js';
import { serve } from '../../src/http/server/server.js';
import type { LogEntry } from '../../src/http/server/server-options.js';
import { follow } from '../support/event-stream.js';
import { openShop } from '../support/postgres.js';
import { canStart, startPostgres } from '../support/postgres-server.js';
import { startProxy } from '../support/proxy.js';
import { ask, options, serverDependencies } from '../support/server.js';
import { startStandby } from '../support/standby.js';

test.skipIf(!canStart())('followers are told when a failover loses the last entries', async () => {
  const primary = await startPostgres();
  const standby = await startStandby(primary);
  const proxy = await startProxy(primary.port);
  const address = new URL(primary.urlOf('postgres'));
  address.port = String(proxy.port);
  let now = Date.parse('2026-11-20T09:00:00Z');
  const engine = await openShop(address.href, { create: true, waitSeconds: 30 });
  const shopOf = (actor: string) => localShop(engine, { actor, source: 'cli', clock: () => now }, '');
  const log: LogEntry[] = [];
  const server = await serve(
    serverDependencies(shopOf, () => now, log, ''),
    options({ auth: 'off' }),
  );
  const create = async (name: string): Promise<void> => {
    now += 1000;
    await shopOf('ana').call(createCategory, { body: { name } });
  };
  try {
    await create('Kept');
    await standby.caughtUp();
    await standby.halt();
    for (const name of ['Lost', 'Lost too']) await create(name);
    const entries = await follow(server.address, '/store/events?after=0');
    const notices = await follow(server.address, '/store/events?notices=true');
    const [first, , third] = await entries.next(3);
    expect((await notices.next(1))[0]).toMatchObject({ entryId: 3 });
    await primary.halt();
    await standby.start();
    await standby.promote();
    proxy.leadTo(standby.port);
    for (const stream of [entries, notices]) expect(await stream.rest()).toMatchObject([{ event: 'expired', data: { code: 'cursor_expired' } }]);
    for (const name of ['New', 'New too', 'Newest']) await create(name);
    const refused = await ask(server.address, 'GET', '/store/events', { headers: { 'last-event-id': third?.id ?? '' } });
    expect([refused.status, refused.code]).toEqual([410, 'cursor_expired']);
    // An entry that the standby had is still a position.
    const resumed = await follow(server.address, '/store/events', { 'last-event-id': first?.id ?? '' });
    expect((await resumed.next(3)).map(({ entryId, data }) => [entryId, data['categoryId']])).toEqual([
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
    expect(log.filter(({ msg }) => msg === 'failure')).toEqual([]);
  } finally {
    await server.stop();
    await engine.close();
    await proxy.close();
    await Promise.all([standby.stop(), primary.stop()]);
  }
});
