import { expect, test } from 'vitest';
import type { Client } from '../../src/domain/shop.js';
import { fairQueue, maximumWaiting } from '../../src/http/server/worker-pool/fair-queue.js';
import { expectRefusal } from '../support/expect-refusal.js';

const connectedClient = (key: string): Client => ({ key, isGone: () => false });

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
  const [queue, { job, begun, end }] = [fairQueue(1), createJobs()];
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
  const answers = names.map((name) => queue.run(connectedClient(name.charAt(0)), job(name)));
  for (const _ of names) {
    await settled();
    end();
  }
  expect(await Promise.all(answers)).toEqual(names);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('runs at most the given number of jobs at a time, and a failed job frees its slot', async () => {
  const [queue, { job, begun, end }] = [fairQueue(2), createJobs()];
  const failing = queue.run(connectedClient('a'), () => Promise.reject(new Error('no')));
  const answers = ['a1', 'a2', 'a3'].map((name) => queue.run(connectedClient('a'), job(name)));
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
  const [queue, { job, begun, end }] = [fairQueue(1), createJobs()];
  const answers = Array.from({ length: maximumWaiting + 1 }, (_, index) => queue.run(connectedClient('a'), job(`a${index}`)));
  const { status } = await expectRefusal('overloaded', queue.run(connectedClient('a'), job('one more')));
  expect(status).toBe(503);
  answers.push(queue.run(connectedClient('b'), job('b')));
  for (const _ of answers) {
    await settled();
    end();
  }
  await Promise.all(answers);
  expect(begun.slice(0, 3)).toEqual(['a0', 'a1', 'b']);
  expect(begun).not.toContain('one more');
});

test('the jobs of a disconnected client are removed from the queue and not run', async () => {
  const [queue, { job, begun, end }] = [fairQueue(1), createJobs()];
  let isGone = false;
  const leaving: Client = { key: 'a', isGone: () => isGone };
  const first = queue.run(connectedClient('b'), job('b'));
  const left = Array.from({ length: maximumWaiting }, () => expectRefusal('cancelled', queue.run(leaving, job('left'))));
  isGone = true;
  const last = queue.run(connectedClient('a'), job('a'));
  await Promise.all(left);
  end();
  await first;
  await settled();
  end();
  expect([await last, begun]).toEqual(['a', ['b', 'a']]);
});
