import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { beside } from '../../src/storage/apart/thread.js';
import { refuses } from '../support/refuses.js';

test('a thread that cannot begin refuses with what it met, status and all; the next job has a thread of its own', async () => {
  let begun = 0;
  const refusal = `throw Object.assign(new Error('It cannot be reached.'), { name: 'StoreError', code: 'store_unreachable', hint: 'Look.' })`;
  const thread = beside(() => new Worker(begun++ < 2 ? refusal : `throw new TypeError('surprise')`, { eval: true }));
  const ask = () => thread.ask({ actor: 'ana', source: 'http' }, { task: 'calls', operation: 'listPets', inputs: [{}], options: {} });
  for (const _ of [1, 2]) {
    const { status, exitCode, hint } = await refuses('store_unreachable', ask(), /^It cannot be reached\.$/);
    expect([status, exitCode, hint]).toEqual([503, 7, 'Look.']);
  }
  await expect(ask()).rejects.toThrow('surprise');
  expect(begun).toBe(3);
  await thread.close();
});
