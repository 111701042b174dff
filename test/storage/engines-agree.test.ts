import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Engine } from '../../src/storage/engine.js';
import { localShop } from '../../src/storage/shop.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { inDirectory } from '../support/stores.js';
import { runSampleOperations } from '../support/sample-operations.js';
import { addressOf, freshDatabase, openShop } from '../support/postgres.js';
import { createTestShop } from '../support/test-shop.js';

let now = 0;
const clock = { now: () => (now += 1000), set: () => undefined, pass: () => undefined };

async function recorded(engine: Engine): Promise<unknown> {
  now = Date.parse('2026-11-20T09:00:00Z');
  const shopOf = (actor: string) => localShop(engine, { actor, source: 'cli', clock: clock.now }, 'here');
  const answers = await runSampleOperations(shopOf('ana'));
  const tables = await createTestShop({ shopOf, engine, openAgain: async () => engine, stop: engine.close }, clock).allRows();
  // The secret of a token is random.
  const tokens = (tables['tokens'] ?? []).map((row) => ({ ...(row as object), digest: '' }));
  // Only PostgreSQL has marker columns for low and sold out pets.
  const stock = (tables['stock'] ?? []).map((row) => ({ ...(row as object), at_level: 0, shortage: 0 }));
  await engine.close();
  return { answers, ...tables, tokens, stock };
}

test.skipIf(addressOf('') === undefined)('the same operations return the same answers and store the same rows on every engine', async () => {
  const { address, drop } = await freshDatabase();
  const inPostgres = await recorded(await openShop(address));
  await drop();
  await inDirectory(async (directory) => {
    const inSqlite = await recorded(await openSqlite(join(directory, 'shop.db'), { create: true, waitSeconds: 5 }));
    expect(inPostgres).toEqual(inSqlite);
    expect(JSON.stringify(inSqlite)).toContain('große Vögel');
  });
});
