import { localShop } from '../../src/storage/local.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { sql } from '../../src/storage/sql.js';
import { brokenInvariants } from './invariants.js';
import { scene, type Scene } from './scene.js';

/** Opens the shop in a file as the program would, and lets somebody look at it. */
export async function judged<T>(store: string, look: (found: Scene) => Promise<T>): Promise<T> {
  const engine = await openSqlite(store, { wait: 5 });
  const clock = { now: () => Date.now(), set: () => undefined, pass: () => undefined };
  const shopOf = (actor: string) => localShop(engine, { actor, source: 'cli', clock: clock.now }, store);
  try {
    return await look(scene({ shopOf, engine, another: () => openSqlite(store, { wait: 5 }), stop: () => engine.close() }, clock));
  } finally {
    await engine.close();
  }
}

/** What is wrong with the shop in a file: every invariant that does not hold, and what SQLite finds. */
export function wrongWith(store: string): Promise<readonly string[]> {
  return judged(store, async (found) => {
    const checks = await found.rows<{ readonly integrity_check: string }>(sql`PRAGMA integrity_check`);
    return [...checks.map(({ integrity_check: said }) => said).filter((said) => said !== 'ok'), ...(await brokenInvariants(found))];
  });
}
