import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Queries } from '../../src/storage/queries.js';
import { nothingLocked, sideBySide } from '../../src/storage/postgres/side-by-side.js';
import { declared, sql } from '../../src/storage/sql.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const queries: Queries = {
  all: async () => [],
  rows: async () => [],
  get: async () => undefined,
  run: async () => 1,
  containsAnyOf: (text) => text,
  jsonRecord: undefined,
};

/** Runs one write, which is stopped when its reads are predicted, and returns a reference to its result. */
async function runOnce(): Promise<WeakRef<object>> {
  const result = {};
  const plan = await sideBySide(
    [
      async (given) => {
        await given.run(declared(sql`UPDATE 1`, ['pet 1']));
        await given.get(declared(sql`SELECT 2`, ['pet 2']));
        return result;
      },
    ],
    queries,
    () => nothingLocked,
  );
  plan.begin();
  const { outcomes, sent } = await plan.perform();
  await sent;
  expect(outcomes).toEqual([{ value: {} }]);
  return new WeakRef(result);
}

test('a write that ran side by side with others is not kept in memory', async () => {
  const written = await runOnce();
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(written.deref()).toBeUndefined();
});
