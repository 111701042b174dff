import { expect, test } from 'vitest';
import type { Client, Shop } from '../../src/domain/shop.js';
import { maximumWaiting, threadPool, type ThreadPool } from '../../src/http/server/worker-pool/thread-pool.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { Worker } from 'node:worker_threads';
import { StoreError } from '../../src/domain/errors.js';
import { pooledShop } from '../../src/http/server/served-shop.js';
import { workerThread } from '../../src/http/server/worker-pool/worker-thread.js';
import { file } from '../support/files.js';

const connectedClient = (key: string): Client => ({ key, isGone: () => false });

/** A pool of this many threads; the jobs of these tests use none. */
const poolOf = (threads: number): ThreadPool => threadPool(() => ({ run: () => Promise.reject(new Error('unused')), close: async () => undefined }), threads);

/** Jobs that end on request, and their names in starting order. */
function createJobs(): { readonly job: (name: string) => () => Promise<string>; readonly begun: readonly string[]; readonly end: () => void } {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    job: (name) => () => {
      begun.push(name);
      return new Promise((resolve) => ends.push(() => resolve(name)));
    },
    begun,
    end: () => ends.shift()?.(),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('clients take turns with any number of jobs', async () => {
  const [pool, { job, begun, end }] = [poolOf(1), createJobs()];
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
  const answers = names.map((name) => pool.run(connectedClient(name.charAt(0)), job(name)));
  for (const _ of names) {
    await settled();
    end();
  }
  expect(await Promise.all(answers)).toEqual(names);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('runs at most the given number of jobs at a time, and a failed job frees its slot', async () => {
  const [pool, { job, begun, end }] = [poolOf(2), createJobs()];
  const failing = pool.run(connectedClient('a'), () => Promise.reject(new Error('no')));
  const answers = ['a1', 'a2', 'a3'].map((name) => pool.run(connectedClient('a'), job(name)));
  await expect(failing).rejects.toThrow('no');
  await settled();
  expect(begun).toEqual(['a1', 'a2']);
  end();
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  end();
  end();
  await Promise.all(answers);
});

test('refuses a client with too many waiting jobs, and no other', async () => {
  const [pool, { job, begun, end }] = [poolOf(1), createJobs()];
  const answers = Array.from({ length: maximumWaiting + 1 }, (_, index) => pool.run(connectedClient('a'), job(`a${index}`)));
  const { status } = await expectRefusal('overloaded', pool.run(connectedClient('a'), job('one more')));
  expect(status).toBe(503);
  answers.push(pool.run(connectedClient('b'), job('b')));
  for (const _ of answers) {
    await settled();
    end();
  }
  await Promise.all(answers);
  expect(begun.slice(0, 3)).toEqual(['a0', 'a1', 'b']);
  expect(begun).not.toContain('one more');
});

test('the jobs of a disconnected client are removed from the queue and not run', async () => {
  const [pool, { job, begun, end }] = [poolOf(1), createJobs()];
  let isGone = false;
  const leaving: Client = { key: 'a', isGone: () => isGone };
  const first = pool.run(connectedClient('b'), job('b'));
  const left = Array.from({ length: maximumWaiting }, () => expectRefusal('cancelled', pool.run(leaving, job('left'))));
  isGone = true;
  const last = pool.run(connectedClient('a'), job('a'));
  await Promise.all(left);
  end();
  await first;
  await settled();
  end();
  expect([await last, begun]).toEqual(['a', ['b', 'a']]);
});

test('a job of a thread that cannot start fails with its error; the next job starts a new thread', async () => {
  let begun = 0;
  const thread = workerThread(() => new Worker(`throw new TypeError('surprise ${++begun}')`, { eval: true }));
  const ask = () => thread.run({ actor: 'ana', source: 'http' }, { task: 'calls', operation: 'listPets', inputs: [{}], options: {} });
  await expect(ask()).rejects.toThrow('surprise 1');
  await expect(ask()).rejects.toThrow('surprise 2');
  await thread.close();
});

/** A thread that answers every import after a moment, and crashes for the file "deadly". */
const importer = `const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ job }) => {
  if (job.file.name === 'deadly') setTimeout(() => { throw new RangeError('out of memory'); }, 50);
  else setTimeout(() => parentPort.postMessage({ value: { batch: 1 }, replayed: false }), 150);
});`;

test('a thread that ends during an import fails no other import and is replaced', async () => {
  const thread = () => workerThread(() => new Worker(importer, { eval: true }));
  const threads = { writes: threadPool(thread), reads: threadPool(thread), imports: threadPool(thread, 2) };
  const shop = pooledShop({} as Shop, { actor: 'ana', source: 'http' }, threads);
  const send = (name: string) => shop.importStock(file('petId,delta\n1,1\n', { name }), { mode: 'atomic' }).then(() => 'done', String);
  const sent = await Promise.all(['fine', 'deadly', 'next', 'deadly', 'last'].map(send));
  expect(sent).toEqual(['done', 'RangeError: out of memory', 'done', 'RangeError: out of memory', 'done']);
  expect(await send('after')).toBe('done');
  await threads.imports.close();
});

/** A thread that calls a callback and fails when the callback fails. */
const callbackWorker = `const { parentPort } = require('node:worker_threads');
parentPort.on('message', (message) => {
  if ('failed' in message) parentPort.postMessage(message.failed ? { failure: 'a callback failed' } : { value: 'done' });
  else parentPort.postMessage({ calls: [['onRow', [{ line: 1 }]]] });
});`;

test('a job whose callback fails ends with the error of the callback', async () => {
  const thread = workerThread(() => new Worker(callbackWorker, { eval: true }));
  const ask = (onRow: () => void) => thread.run({ actor: 'ana', source: 'http' }, { task: 'undoBatch', batchId: 1, options: {} }, { onRow });
  expect((await ask(() => undefined)).value).toBe('done');
  const gone = new StoreError('cancelled', 'The client has gone.');
  await expectRefusal(
    'cancelled',
    ask(() => {
      throw gone;
    }),
  );
  await thread.close();
});
