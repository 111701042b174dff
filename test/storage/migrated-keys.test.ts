import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import type { Engine } from '../../src/storage/engine.js';
import { digestOf } from '../../src/storage/replay.js';
import { localShop } from '../../src/storage/shop.js';
import { sql } from '../../src/storage/sql.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { inDirectory } from '../support/stores.js';
import { csv } from '../support/files.js';
import { createOldStore, oldSchemaRows } from '../support/old-schema.js';
import { addressOf, backToSchema4, freshDatabase, openShop } from '../support/postgres.js';
import { expectRefusal } from '../support/expect-refusal.js';

const hourMs = 60 * 60 * 1000;
const lines = ['petId,delta', '1,5'];
const sha256 = createHash('sha256')
  .update(`${lines.join('\n')}\n`)
  .digest('hex');

/** A file of deltas that "ana" sent with a key, one that "ben" sent without, and an order without an actor. */
async function oldKeys(): Promise<string> {
  const digest = await digestOf(['placeOrder', [{ body: { petId: 1, quantity: 1 } }]]);
  const unkeyed = createHash('sha256').update(`${sha256} []`).digest('hex');
  const batch = (id: number, key: string, actor: string): string =>
    `INSERT INTO batches (id, kind, state, key, sha256, actor, source, at, mode, total, applied, unchanged, rejected, first_entry)
     VALUES (${id}, 'stock', 'applied', '${key}', '${sha256}', '${actor}', 'import', 0, 'atomic', 1, 1, 0, 0, 3);`;
  return `${batch(1, 'monday', 'ana')} ${batch(2, unkeyed, 'ben')}
    INSERT INTO replays (key, digest, answer, at) VALUES ('web-1', '${digest}', '[{"id":1,"petId":1,"quantity":1,"complete":false}]', 0);`;
}

/** Expects that keys stored before senders were recorded still belong to their requests. */
async function expectKeysWork(engine: Engine): Promise<void> {
  let now = hourMs;
  const shopOf = (actor: string, tokenId?: number) => localShop(engine, { actor, tokenId, source: 'cli', clock: () => now }, '');
  const send = (key: string | undefined, actor: string, tokenId?: number) => shopOf(actor, tokenId).importStock(csv(...lines), { mode: 'atomic', key });
  const order = (actor: string, quantity = 1) => shopOf(actor).call(placeOrder, { body: { petId: 1, quantity } }, { key: 'web-1' });
  expect(await send('monday', 'ana')).toMatchObject({ batch: 1, alreadyApplied: 1, earlier: { actor: 'ana' } });
  // The ledger recorded the name of the token as the actor.
  expect(await send('monday', 'ana', 7)).toMatchObject({ batch: 1, alreadyApplied: 1 });
  await expectRefusal('idempotency_key_reused', shopOf('ana').call(adjustInventory, { petId: 1, body: { delta: 1 } }, { key: 'monday' }), /"monday"/);
  expect(await send(undefined, 'cem')).toMatchObject({ batch: 2, alreadyApplied: 1, earlier: { actor: 'ben' } });
  expect(await send('monday', 'cem')).toMatchObject({ batch: 3, applied: 1 });
  // The same request is replayed; another request with the key could come from another sender, so it is accepted.
  expect(await order('ana')).toMatchObject({ id: 1 });
  expect(await order('ben', 2)).toMatchObject({ id: 2 });
  expect(await order('ben', 2)).toMatchObject({ id: 2 });
  expect(await order('ana')).toMatchObject({ id: 1 });
  now = 24 * hourMs;
  expect(await order('ana')).toMatchObject({ id: 3 });
  // An answer that expired is deleted with those of a later write.
  expect(await engine.read((queries) => queries.all(sql`SELECT key, sender FROM replays ORDER BY at`))).toEqual([
    { key: 'web-1', sender: '' },
    { key: 'web-1', sender: 'actor ben' },
    { key: 'web-1', sender: 'actor ana' },
  ]);
}

test('idempotency keys stored before senders were recorded still work (SQLite)', () =>
  inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    createOldStore(path, 4, `${oldSchemaRows} ${await oldKeys()}`);
    const engine = await openSqlite(path, { waitSeconds: 5 });
    await expectKeysWork(engine);
    await engine.close();
  }));

test.skipIf(addressOf('') === undefined)('idempotency keys stored before senders were recorded still work (PostgreSQL)', async () => {
  const { address, drop } = await freshDatabase();
  const made = await openShop(address);
  const withIds = oldSchemaRows.replaceAll(/INTO (categories|pets|orders) \((.*?)\) VALUES \(/g, 'INTO $1 (id, $2) VALUES (1, ');
  let entries = 0;
  const numbered = withIds.replaceAll(/INTO ledger \((.*?)\) VALUES \(/g, (_, columns: string) => `INTO ledger (id, ${columns}) VALUES (${(entries += 1)}, `);
  const statements = [...backToSchema4, ...`${numbered} ${await oldKeys()}`.split(';').filter((text) => text.trim() !== '')];
  await made.write(async (queries) => {
    for (const text of statements) await queries.run({ text, values: [] });
  });
  await made.close();
  const engine = await openShop(address);
  await expectKeysWork(engine);
  await engine.close();
  await drop();
});
