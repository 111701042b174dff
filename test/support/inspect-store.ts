import { isDatabaseAddress } from '../../src/domain/values/address-kind.js';
import { localShop } from '../../src/storage/shop.js';
import { openEngine } from '../../src/storage/engines.js';
import { sql } from '../../src/storage/sql.js';
import { brokenInvariants } from './invariants.js';
import { createTestShop, type TestShop } from './test-shop.js';

/** Opens the shop in a file or a database like the program, and runs `look` on it. */
export async function withStore<T>(store: string, look: (found: TestShop) => Promise<T>): Promise<T> {
  const open = () => openEngine({ store, where: store, waitSeconds: 5, nativeBinding: undefined });
  const engine = await open();
  const clock = { now: () => Date.now(), set: () => undefined, pass: () => undefined };
  const shopOf = (actor: string) => localShop(engine, { actor, source: 'cli', clock: clock.now }, store);
  try {
    return await look(createTestShop({ shopOf, engine, openAgain: open, stop: () => engine.close() }, clock));
  } finally {
    await engine.close();
  }
}

/** The problems of a shop: every broken invariant, and the errors that SQLite finds in a file. */
export function storeProblems(store: string): Promise<readonly string[]> {
  return withStore(store, async (found) => {
    if (isDatabaseAddress(store)) return brokenInvariants(found);
    const checks = await found.rows<{ readonly integrity_check: string }>(sql`PRAGMA integrity_check`);
    return [...checks.map(({ integrity_check: said }) => said).filter((said) => said !== 'ok'), ...(await brokenInvariants(found))];
  });
}
