import { expect } from 'vitest';
import { StoreError } from '../../src/domain/errors.js';
import type { LogEntry } from '../../src/http/server/server-options.js';
import { withServer, serverDependencies, testServed } from '../support/server.js';

testServed('readyz reports a shop that does not answer within its time limit', async ({ dependencies, clock }) => {
  const silent = (actor: string) => ({ ...dependencies.shopOf(actor, 'http'), call: () => new Promise<never>(() => undefined) });
  await withServer(serverDependencies(silent, clock.now, []), {}, async ({ http }) => {
    const started = performance.now();
    const { status, code, headers } = await http('GET', '/readyz');
    expect([status, code, headers['retry-after'], performance.now() - started < 30_000]).toEqual([503, 'store_unreachable', '1', true]);
    expect((await http('GET', '/livez')).status).toBe(200);
  });
});

testServed('readyz asks on request whether the shop can be written to', async ({ dependencies, clock }) => {
  const readOnly = { checkWritable: () => Promise.reject(new StoreError('store_read_only', 'db is a standby.')) };
  const log: LogEntry[] = [];
  const given = { ...serverDependencies((actor) => dependencies.shopOf(actor, 'http'), clock.now, log), ...readOnly };
  await withServer(given, {}, async ({ http }) => {
    const statuses = ['', '?write=false', '?write=true', '?write=1'].map(async (query) => (await http('GET', `/readyz${query}`)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 503, 400]);
    const { code, headers, text } = await http('GET', '/readyz?write=true');
    expect([code, headers['retry-after'], text.includes('db')]).toEqual(['store_read_only', '1', false]);
    expect(log.at(-1)).toMatchObject({ cause: 'db is a standby.' });
  });
});
