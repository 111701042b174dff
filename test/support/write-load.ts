import { writeSync } from 'node:fs';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import type { Shop } from '../../src/domain/shop.js';
import { localShop } from '../../src/storage/shop.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { sql } from '../../src/storage/sql.js';
import type { TestShop } from './test-shop.js';

/** The number of pets of the shop under load. */
export const busyPets = 100;
const together = 4;

/** Prints an acknowledgement with one synchronous system call. */
function acknowledge(what: string): void {
  writeSync(1, `${what}\n`);
}

async function* fileOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}

async function adjust(shop: Shop, number: number): Promise<void> {
  const note = `move ${number}`;
  await shop.call(adjustInventory, { petId: ((number * 37) % busyPets) + 1, body: { delta: 1, note } });
  acknowledge(note);
}

/** Sells the unit that an adjustment has added. */
async function sell(shop: Shop, number: number): Promise<void> {
  const body = { petId: ((number * 37) % busyPets) + 1, quantity: 1 };
  const { id } = await shop.call(placeOrder, { body }, { note: `order ${number}` });
  acknowledge(`order ${number}`);
  await shop.call(updateOrder, { orderId: id, body: { complete: true } }, { note: `sale ${number}` });
  acknowledge(`sale ${number}`);
}

async function deliver(shop: Shop, number: number): Promise<void> {
  const rows = Array.from({ length: busyPets }, (_, index) => `${index + 1},1\n`).join('');
  const key = `delivery ${number}`;
  await shop.importStock({ bytes: fileOf(`petId,delta\n${rows}`), map: new Map() }, { mode: 'atomic', key });
  acknowledge(key);
}

/**
 * Writes to a shop in a file and prints every acknowledgement: "move 7" for an adjustment of one pet, "order 7" for a
 * placed order and "sale 7" for its completion, each the note of a ledger row, and "delivery 3" for a file that adds one
 * to every pet, the key of a batch.
 */
export async function keepBusy([path = '', rounds = '', first = '0']: readonly string[]): Promise<void> {
  const engine = await openSqlite(path, { waitSeconds: 5 });
  const shop = localShop(engine, { actor: 'ana', source: 'cli', clock: () => Date.now() }, path);
  for (let round = Number(first); round < Number(first) + Number(rounds); round += 1) {
    await Promise.all(Array.from({ length: together }, (_, index) => adjust(shop, round * together + index)));
    await sell(shop, round * together);
    if (round % 8 === 7) await deliver(shop, round);
  }
  await shop.close();
}

/** The acknowledged changes that are stored in the shop. */
export async function acknowledgedIn({ rows }: TestShop): Promise<ReadonlySet<string>> {
  const found = await rows<{ readonly name: string }>(
    sql`SELECT note AS name FROM ledger WHERE (kind = 'adjust' AND note LIKE 'move %') OR (kind = 'order.placed' AND note LIKE 'order %')
      OR (kind = 'sale' AND note LIKE 'sale %') UNION SELECT key FROM batches WHERE key LIKE 'delivery %' AND state = 'applied'`,
  );
  return new Set(found.map(({ name }) => name));
}
