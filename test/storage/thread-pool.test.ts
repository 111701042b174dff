import { expect, test } from 'vitest';
import type { Client } from '../../src/domain/shop.js';
import { maximumWaiting, threadPool, type ThreadPool } from '../../src/http/server/worker-pool/thread-pool.js';
import { expectRefusal } from '../support/expect-refusal.js';

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
