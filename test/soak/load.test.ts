import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seededRandom, isFullSize, seed } from '../support/seeded-random.js';
import { follow, type EventStreamReader } from '../support/event-stream.js';
import { withStore, storeProblems } from '../support/inspect-store.js';
import { stockedShop } from '../support/program.js';
import { ask } from '../support/server.js';
import { logLinesOf, startServer, type ServerProcess } from '../support/server-process.js';
import { commandLineClient, discrepancies, recordDelta, noChanges, percentiles, httpClient, type AcknowledgedChanges } from '../support/workload-clients.js';
import { testFolder } from '../support/files.js';

const minutes = isFullSize ? Number(process.env['PETSTORE_SOAK_MINUTES'] ?? '10') : 0.025;
const lengthMs = minutes * 60_000;
/** A sample every 10 s, and at least 30 samples. */
const sampleEveryMs = Math.min(10_000, lengthMs / 30);
/** Clients pause between requests, so one shop is enough for hours. */
const pauseMs = isFullSize ? 10 : 1;
const [pets, plenty, rowsInFile] = [2000, 50_000, 3000];
const megabyte = 1024 * 1024;

const folder = testFolder();

interface Sample {
  readonly rss: number;
  readonly heap: number;
  readonly file: number;
  readonly log: number;
  readonly descriptors: number;
  /** The id of the last ledger entry received. */
  readonly entries: number;
}

/** The memory, disk space and descriptors that a server uses. */
async function sampleOf({ address, child }: ServerProcess, store: string, entries: number): Promise<Sample> {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const metrics = await (await fetch(`${address}/metrics`)).text();
  return {
    rss: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024,
    heap: Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]),
    file: statSync(store).size,
    log: existsSync(`${store}-wal`) ? statSync(`${store}-wal`).size : 0,
    descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
    entries,
  };
}

/** A client that sends reads and invalid requests, with their expected statuses. */
function readingClient(address: string, unexpected: string[], waits: number[], random: () => number): () => Promise<void> {
  const anyPet = (): number => 1 + Math.floor(random() * pets);
  const get = async (path: string, expected: number, sent: { readonly headers?: Record<string, string> } = {}): Promise<Record<string, string | undefined>> => {
    const began = performance.now();
    const response = await fetch(`${address}${path}`, sent);
    await response.text();
    waits.push(performance.now() - began);
    if (response.status !== expected) unexpected.push(`GET ${path}: ${response.status}, not ${expected}`);
    return Object.fromEntries(response.headers);
  };
  const post = async (path: string, type: string, body: string, expected: number): Promise<void> => {
    const { status } = await ask(address, 'POST', path, { body, headers: { 'content-type': type } });
    if (status !== expected) unexpected.push(`POST ${path}: ${status}, not ${expected}`);
  };
  const json = 'application/json';
  const requests: readonly (() => Promise<unknown>)[] = [
    async () => {
      const { link = '' } = await get('/pets?limit=50', 200);
      const next = /<([^>]+)>; rel="next"/.exec(link)?.[1];
      return next === undefined ? unexpected.push(`no next page: ${link}`) : get(next, 200);
    },
    () => get(`/pets/${anyPet()}/details`, 200),
    () => get(`/pets?q=Guppy%20${anyPet()}`, 200),
    async () => {
      // Categories are not changed here, so the version stays the same.
      const { etag = '' } = await get('/categories/1', 200);
      return get('/categories/1', 304, { headers: { 'if-none-match': etag } });
    },
    () => get('/store/inventory?limit=100', 200),
    () => get('/store/orders?sort=-id&limit=20', 200),
    () => get('/store/ledger?limit=100', 200),
    () => get('/store/summary', 200),
    () => get('/store/reports/movements', 200),
    () => get(`/pets/${pets + 1}/details`, 404),
    () => get('/pets?limit=0', 400),
    () => get('/nowhere', 404),
    () => post('/store/orders', json, '{"petId":', 400),
    () => post('/store/orders', 'text/plain', 'an order', 415),
    () => post(`/store/inventory/${anyPet()}/adjustments`, json, '{"delta":"many"}', 422),
    () => post('/store/imports', 'text/csv', `petId,delta\n${pets + 1},1\n`, 422),
  ];
  return async () => void (await requests[Math.floor(random() * requests.length)]?.());
}

/** A client that imports files of a few thousand rows. */
function importer(address: string, changes: AcknowledgedChanges, random: () => number): () => Promise<void> {
  let turn = 0;
  return async () => {
    const key = `delivery ${(turn += 1)}`;
    const ids = Array.from({ length: rowsInFile }, () => 1 + Math.floor(random() * pets));
    const body = `petId,delta\n${ids.map((id) => `${id},1\n`).join('')}`;
    const { status, text } = await ask(address, 'POST', '/store/imports', { body, headers: { 'content-type': 'text/csv', 'idempotency-key': key } });
    if (status !== 200) return void changes.unexpected.push(`an import: ${status} ${text}`);
    changes.files.set(key, rowsInFile);
    for (const id of ids) recordDelta(changes, id, 1);
  };
}

/** Reads an event stream; returns the last id and errors in the order of events. */
function listener(stream: EventStreamReader): { readonly newest: () => number; readonly wrong: readonly string[]; readonly over: Promise<void> } {
  let newest = 0;
  const wrong: string[] = [];
  const listen = async (): Promise<void> => {
    for (;;) {
      const [event] = await stream.next(1);
      const id = Number(event?.entryId);
      if (newest > 0 && id !== newest + 1) wrong.push(`event ${id} after ${newest}`);
      newest = id;
    }
  };
  // The stream ends with the server.
  return { newest: () => newest, wrong, over: listen().catch(() => undefined) };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/**
 * What grew in the last third of a run compared with the second. Memory may grow by a fifth plus 16 MB, because garbage
 * collection varies; the WAL by a quarter plus 8 MB, or up to 192 MB, because checkpoints wait for readers of a growing
 * shop; the file may grow by half as much again for each ledger entry.
 */
function growth(samples: readonly Sample[]): readonly string[] {
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const perEntry = (part: readonly Sample[]): number => {
    const [from, to] = [part[0], part.at(-1)];
    return from && to && to.entries > from.entries ? (to.file - from.file) / (to.entries - from.entries) : 0;
  };
  const of = (part: readonly Sample[], what: keyof Sample): readonly number[] => part.map((sample) => sample[what]);
  const limits: readonly (readonly [what: string, before: number, after: number, limit: number])[] = [
    ['resident memory', median(of(middle, 'rss')), median(of(last, 'rss')), median(of(middle, 'rss')) * 1.2 + 16 * megabyte],
    ['heap', Math.min(...of(middle, 'heap')), Math.min(...of(last, 'heap')), Math.min(...of(middle, 'heap')) * 1.2 + 16 * megabyte],
    ['log', Math.max(...of(middle, 'log')), Math.max(...of(last, 'log')), Math.max(192 * megabyte, Math.max(...of(middle, 'log')) * 1.25 + 8 * megabyte)],
    ['descriptors', Math.max(...of(middle, 'descriptors')), Math.max(...of(last, 'descriptors')), Math.max(...of(middle, 'descriptors')) + 8],
    ['bytes for each entry', perEntry(middle), perEntry(last), perEntry(middle) * 1.5],
  ];
  return limits.filter(([, , after, limit]) => after > limit).map(([what, before, after]) => `${what}: ${Math.round(before)}, then ${Math.round(after)}`);
}

function figuresOf({ rss, heap, file, log, descriptors, entries }: Sample): string {
  const inMegabytes = (bytes: number): string => (bytes / megabyte).toFixed(1);
  return `${inMegabytes(rss)} MB resident, heap ${inMegabytes(heap)}, file ${inMegabytes(file)}, log ${inMegabytes(log)}, ${descriptors} descriptors, ${entries} entries`;
}

test(
  `a server under mixed load for ${minutes} minutes loses and repeats no change and keeps bounded memory and files`,
  { timeout: lengthMs + 180_000 },
  async () => {
    const store = join(folder, 'shop.db');
    await stockedShop(store, pets, plenty);
    const [changes, server] = [noChanges(), await startServer(store)];
    const { address } = server;
    const [unexpected, reads, samples]: [string[], number[], Sample[]] = [[], [], []];
    const streams = (await Promise.all([1, 2, 3].map(() => follow(address)))).map(listener);
    const clients = [
      ...[1, 2, 3, 4, 5, 6].map((index) => httpClient(async () => address, changes, `till ${index}`, pets, seededRandom(seed + index))),
      ...[7, 8, 9, 10].map((index) => readingClient(address, unexpected, reads, seededRandom(seed + index))),
      importer(address, changes, seededRandom(seed + 11)),
      commandLineClient(store, changes, 'line', pets, seededRandom(seed + 12)),
    ];
    let over = false;
    const working = clients.map(async (next) => {
      for (; !over; await sleep(pauseMs)) await next();
    });
    for (const end = performance.now() + lengthMs; performance.now() < end;) {
      await sleep(sampleEveryMs);
      samples.push(await sampleOf(server, store, Math.max(...streams.map(({ newest }) => newest()))));
      if (isFullSize && samples.length % 10 === 0) console.log(samples.slice(-1).map(figuresOf).join(''));
    }
    over = true;
    await Promise.all(working);
    const ended = await server.stop();
    await Promise.all(streams.map((stream) => stream.over));
    const busy = [...changes.refused.entries()]
      .filter(([code]) => code === 'store_busy' || code === 'idempotency_in_progress')
      .reduce((sum, [, count]) => sum + count, 0);
    console.log(
      `${changes.orders.size} orders, ${changes.notes.size} changes, ${changes.files.size} files, ${busy} refused as busy; writes: ${percentiles(changes.waitsMs)}; reads: ${percentiles(reads)} (seed ${seed})`,
    );
    for (const part of [1, 2, 3])
      console.log(
        `after ${part} thirds: ${samples
          .slice(Math.ceil((samples.length * part) / 3) - 1)
          .slice(0, 1)
          .map(figuresOf)
          .join('')}`,
      );
    expect([ended.exitCode, unexpected, streams.flatMap(({ wrong }) => wrong)]).toEqual([0, [], []]);
    expect(changes.repeats).toBe(busy);
    expect(logLinesOf(ended).filter(({ msg, status, code }) => msg === 'failure' || (Number(status ?? 0) >= 500 && code !== 'store_busy'))).toEqual([]);
    expect(await withStore(store, (found) => discrepancies(found, changes, plenty))).toEqual([]);
    expect(await storeProblems(store)).toEqual([]);
    if (isFullSize) expect(growth(samples)).toEqual([]);
  },
);
