import Database from 'better-sqlite3';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { isFullSize } from '../support/seeded-random.js';
import { storeProblems } from '../support/inspect-store.js';
import { stockedShop } from '../support/program.js';
import { ask } from '../support/server.js';
import { startServer } from '../support/server-process.js';
import { percentiles } from '../support/workload-clients.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();

/** The maximum event loop lag of a server since the last call, in ms. */
async function eventLoopLagMs(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]) * 1000;
}

/** Holds the write lock of a shop for some time, and until reads were answered, while one client reads and eight write; returns their answers. */
async function requestsDuringLock(store: string, address: string, milliseconds: number) {
  const holder = new Database(store);
  onTestFinished(() => void holder.close());
  await eventLoopLagMs(address);
  holder.exec('BEGIN IMMEDIATE');
  let held = true;
  const [gets, waits]: [number[], number[]] = [[], []];
  const reading = (async () => {
    for (const paths = ['/pets/1/details', '/store/inventory?limit=20', '/store/orders']; held; await sleep(1)) {
      const began = performance.now();
      gets.push((await ask(address, 'GET', paths[gets.length % paths.length] ?? '')).status);
      waits.push(performance.now() - began);
    }
  })();
  const writing = Array.from({ length: 8 }, async (_, index) => {
    const { status, code, headers } = await ask(address, 'POST', `/store/inventory/${index + 1}/adjustments`, { body: { delta: 1 } });
    return { status, code, retryAfter: headers['retry-after'] !== undefined, early: held };
  });
  await sleep(milliseconds);
  while (gets.length < 3) await sleep(20);
  const refused = milliseconds > 10_000 ? await Promise.all(writing) : [];
  held = false;
  holder.exec('ROLLBACK');
  await reading;
  return { gets, waits, refused, writes: await Promise.all(writing), stall: await eventLoopLagMs(address) };
}

test('a process that holds the write lock delays writers but not readers', { timeout: 120_000 }, async () => {
  const store = join(folder, 'held.db');
  await stockedShop(store, 8, 100);
  const server = await startServer(store, ...(isFullSize ? [] : ['--wait', '60']));
  for (const time of isFullSize ? [1500, 1500, 1500, 12_000] : [700]) {
    const { gets, waits, writes, stall } = await requestsDuringLock(store, server.address, time);
    console.log(`locked for ${time} ms: GETs ${percentiles(waits)}, event loop lag at most ${stall.toFixed(0)} ms`);
    expect(new Set(gets)).toEqual(new Set([200]));
    const expected = time < 10_000 ? { status: 200, early: false } : { status: 503, code: 'store_busy', retryAfter: true, early: true };
    expect(writes).toEqual(writes.map(() => expect.objectContaining(expected) as unknown));
  }
  expect((await server.stop()).exitCode).toBe(0);
  expect(await storeProblems(store)).toEqual([]);
});
