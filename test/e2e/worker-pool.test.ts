import { join } from 'node:path';
import { Worker as Thread } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { StoreError } from '../../src/domain/errors.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import type { LogEntry } from '../../src/http/server/server-options.js';
import { localShop } from '../../src/storage/shop.js';
import { pooledShop } from '../../src/http/server/served-shop.js';
import { threadPool } from '../../src/http/server/worker-pool/thread-pool.js';
import { workerThread, type WorkerThread } from '../../src/http/server/worker-pool/worker-thread.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { nativeBinding } from '../../src/app/native-binding.js';
import type { WorkerOptions } from '../../src/app/worker.js';
import { root } from '../support/documents.js';
import { builtFolder, prepare } from '../support/program.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { withServer, serverDependencies, type ServedShop } from '../support/server.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
/** The start parameters of a thread that works on a file. */
const optionsFor = (store: string, waitSeconds: number): WorkerOptions => ({
  purpose: 'jobs',
  store,
  where: store,
  nativeBinding: nativeBinding(root),
  waitSeconds,
});
// Times differ between the two shops.
const instants = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

interface Sides {
  /** The server whose large requests run on worker threads of the built program. */
  readonly far: ServedShop['http'];
  /** The server without worker threads. */
  readonly near: ServedShop['http'];
  /** The operations that ran on worker threads since the last call. */
  readonly asked: () => readonly string[];
  readonly shop: ReturnType<typeof localShop>;
  readonly here: ReturnType<typeof localShop>;
}

/** Two equal shops, one of them with worker threads of the built program. */
async function testBothServers(name: string, work: (sides: Sides) => Promise<void>): Promise<void> {
  const log: LogEntry[] = [];
  const jobs: string[] = [];
  const open = async (store: string) => {
    await prepare(store, ['init', '--sample']);
    const engine = await openSqlite(store, { waitSeconds: 10 });
    onTestFinished(() => engine.close());
    return (actor: string) => localShop(engine, { actor, source: 'http', clock: Date.now }, store);
  };
  const [farStore, nearStore] = [join(folder, `${name}-far.db`), join(folder, `${name}-near.db`)];
  const [farOf, nearOf] = [await open(farStore), await open(nearStore)];
  const thread = (): WorkerThread => {
    const { run, close } = workerThread(() => new Thread(join(builtFolder(), 'worker.cjs'), { workerData: optionsFor(farStore, 10) }));
    onTestFinished(close);
    return {
      run: (caller, job, callbacks) => {
        jobs.push('operation' in job ? job.operation : job.task);
        return run(caller, job, callbacks);
      },
      close,
    };
  };
  const threads = { writes: threadPool(thread), reads: threadPool(thread), imports: threadPool(thread, 2) };
  const pooledOf = (actor: string) => pooledShop(farOf(actor), { actor, source: 'http' }, threads);
  await withServer(serverDependencies(pooledOf, Date.now, log), {}, ({ http: far }) =>
    withServer(serverDependencies(nearOf, Date.now, log), {}, ({ http: near }) =>
      work({ far, near, asked: () => jobs.splice(0), shop: pooledOf('ana'), here: nearOf('ana') }),
    ),
  );
  expect(log.filter(({ msg }) => msg === 'failure')).toEqual([]);
}

type Request = readonly [operation: string, method: string, url: string, body?: unknown, headers?: Readonly<Record<string, string>>];

/** Expects the same answer of both servers, from a worker thread in one of them. */
async function expectSameAnswers({ far, near, asked }: Sides, [operation, method, url, body, headers]: Request): Promise<number> {
  asked();
  const sent = { body, headers: { 'x-request-id': 'both', ...headers } };
  const [one, other] = [await far(method, url, sent), await near(method, url, sent)];
  const seen = ({ status, headers: got, text }: typeof one): unknown => {
    const { date: _, ...rest } = got;
    // The cursor of a ledger page has a digest of its last entry, and so of the time of that entry.
    const link = method === 'GET' && url.startsWith('/store/ledger') ? got['link']?.toString().replaceAll(/cursor=[^>&]+/g, 'cursor') : got['link'];
    return { status, headers: { ...rest, link, 'content-length': undefined }, text: text.replaceAll(instants, 'now') };
  };
  expect([method, url, seen(one)]).toEqual([method, url, seen(other)]);
  expect([method, url, asked()]).toEqual([method, url, operation === '' ? [] : [operation]]);
  return one.status;
}

const inputs = (count: number, petOf: (index: number) => number): readonly unknown[] =>
  Array.from({ length: count }, (_, index) => ({ petId: petOf(index), body: { delta: 1 } }));

const reads: readonly Request[] = [
  ['listPets', 'GET', '/pets?count=true&limit=3'],
  ['listPets', 'GET', '/pets?q=a&limit=5'],
  ['listPets', 'GET', '/pets?q=zzz'],
  ['listOrders', 'GET', '/store/orders?count=true'],
  ['listInventory', 'GET', '/store/inventory?count=true&low=true'],
  ['listLedger', 'GET', '/store/ledger?kind=sale&count=true'],
  ['listLedger', 'GET', '/store/ledger?actor=nobody&count=true'],
  ['listInventory', 'GET', '/store/inventory?at=2100-01-01T00:00:00Z&limit=4'],
  ['listInventory', 'GET', '/store/inventory?at=2001-01-01'],
  ['listInventory', 'GET', '/store/inventory?at=tomorrow'],
  ['', 'GET', '/pets?limit=3'],
  ['', 'GET', '/pets/1'],
];

const writes: readonly Request[] = [
  ['deleteCategory', 'DELETE', '/categories/1?moveTo=999'],
  ['deleteCategory', 'DELETE', '/categories/1?moveTo=2', undefined, { 'petstore-dry-run': 'true' }],
  ['deleteCategory', 'DELETE', '/categories/1?moveTo=2', undefined, { 'if-match': '"999999"' }],
  ['deleteCategory', 'DELETE', '/categories/1?moveTo=2', undefined, { 'petstore-note': 'no%20more' }],
  ['listCategories', 'GET', '/categories'],
  ['setLowDefault', 'PUT', '/store/low-at', { lowAt: 4 }],
  ['setLowDefault', 'PUT', '/store/low-at', { lowAt: -4 }],
  ['', 'POST', '/store/calls', { operation: 'adjustInventory', inputs: inputs(20, () => 1) }],
  ['adjustInventory', 'POST', '/store/calls', { operation: 'adjustInventory', inputs: inputs(21, () => 1) }],
  ['adjustInventory', 'POST', '/store/calls', { operation: 'adjustInventory', inputs: inputs(300, (index) => (index < 299 ? 1 : 999_999)) }],
  ['adjustInventory', 'POST', '/store/calls', { operation: 'adjustInventory', inputs: inputs(30, () => 2) }, { 'idempotency-key': 'once' }],
  ['adjustInventory', 'POST', '/store/calls', { operation: 'adjustInventory', inputs: inputs(30, () => 2) }, { 'idempotency-key': 'once' }],
  ['adjustInventory', 'POST', '/store/calls', { operation: 'adjustInventory', inputs: inputs(31, () => 2) }, { 'idempotency-key': 'once' }],
  ['', 'GET', '/store/inventory/1'],
  ['', 'GET', '/store/inventory/2'],
  ['', 'GET', '/store/ledger?limit=100'],
];

test('a worker thread answers long lists the same', () =>
  testBothServers('reads', async (sides) => {
    const statuses = [];
    for (const request of reads) statuses.push(await expectSameAnswers(sides, request));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 400, 200, 200]);
  }));

test('a worker thread answers large changes the same and leaves the same shop', () =>
  testBothServers('writes', async (sides) => {
    const statuses = [];
    for (const request of writes) statuses.push(await expectSameAnswers(sides, request));
    expect(statuses).toEqual([422, 204, 412, 204, 200, 200, 422, 200, 200, 404, 200, 200, 422, 200, 200, 200]);
  }));

test('a worker thread reports replays and refusals of a large call the same', () =>
  testBothServers('calls', async ({ shop, here, asked }) => {
    const many = Array.from({ length: 25 }, (_, index) => ({ petId: 1, body: { quantity: index } }));
    const told = async (one: typeof shop): Promise<unknown> => {
      const heard: string[] = [];
      const said = { key: 'twice', onReplay: () => void heard.push('replayed') };
      for (let turn = 0; turn < 2; turn += 1) heard.push(String((await one.callEach(setInventory, many, said)).length));
      heard.push(
        await one
          .callEach(setInventory, [...many, { petId: 999_999, body: { quantity: 1 } }])
          .then(String, ({ code, message, details, advice }: StoreError) => JSON.stringify([code, message, details, advice])),
      );
      return heard;
    };
    const [far, near] = [await told(shop), await told(here)];
    expect([far, asked()]).toEqual([near, ['setInventory', 'setInventory', 'setInventory']]);
    expect(near).toEqual(['25', 'replayed', '25', expect.stringContaining('pet_not_found')]);
  }));

test('refuses an input deeper than 64 levels in a call with any number of inputs', () =>
  testBothServers('deep', async ({ far, near }) => {
    const deep = `${'['.repeat(150_000)}${']'.repeat(150_000)}`;
    for (const before of [0, 25]) {
      const body = `{"operation":"holdPet","inputs":[${'{"petId":1},'.repeat(before)}{"petId":${deep}}]}`;
      for (const side of [far, near]) {
        const { status, code } = await side('POST', '/store/calls', { body, headers: { 'content-type': 'application/json' } });
        expect([before, status, code]).toEqual([before, 400, 'invalid_request']);
      }
    }
  }));

test('an import stops when its client disconnects, and changes nothing', () =>
  testBothServers('stopped', async ({ shop }) => {
    for (const task of ['importStock', 'importPets'] as const) {
      const gone = new AbortController();
      // Only blank lines: the import is stopped only because its client disconnects.
      const lines = Buffer.alloc(1 << 20, '\n');
      const bytes = async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from(task === 'importStock' ? 'petId,delta\n1,1\n' : 'name,category\nRex,1\n');
        for (let sent = 0; sent < 40; sent += 1) yield lines;
        // The thread has started by then.
        setTimeout(() => gone.abort(new StoreError('cancelled', 'The client is gone.')), 300);
      };
      const before = await shop.call(getInventoryItem, { petId: 1 });
      await expectRefusal('cancelled', shop[task]({ bytes: bytes(), map: new Map() }, { mode: 'atomic', signal: gone.signal }));
      expect(await shop.call(getInventoryItem, { petId: 1 })).toEqual(before);
    }
  }));

test('a worker thread that cannot open the shop refuses with the reason', async () => {
  const store = join(folder, 'missing.db');
  const { run, close } = workerThread(() => new Thread(join(builtFolder(), 'worker.cjs'), { workerData: optionsFor(store, 1) }));
  onTestFinished(close);
  await expectRefusal('store_missing', run({ actor: 'ana', source: 'http' }, { task: 'calls', operation: 'getSummary', inputs: [{}], options: {} }));
});
