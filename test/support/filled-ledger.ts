import { updateOrder } from '../../src/domain/orders/update-order.js';
import { undoEntry } from '../../src/domain/ledger/undo-entry.js';
import type { Shop } from '../../src/domain/shop.js';
import { localShop } from '../../src/storage/shop.js';
import { openEngine } from '../../src/storage/engines.js';
import { isFullSize } from './seeded-random.js';
import { csv } from './files.js';
import { createTestShop } from './test-shop.js';

let now = Date.parse('2026-11-20T09:00:00Z');
export const clock = () => (now += 1000);
const rounds = isFullSize ? 6 : 1;

/** Fills a ledger with every kind of row: openings, counts, a sale and its return, an undone entry, and two imports, one of them undone. */
export async function fillLedger(shop: Shop, around: ReturnType<typeof createTestShop>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const pets = [await around.pet({ quantity: 5, hold: true }), await around.pet({ quantity: 9, reserved: 2 })] as const;
    await around.adjust(pets[1], 4);
    await shop.call(undoEntry, { entryId: (await around.ledger({ petId: pets[1] })).at(-1)?.id ?? 0 });
    const order = await around.order(pets[1], 1);
    for (const complete of [true, false, true]) await shop.call(updateOrder, { orderId: order, body: { complete } });
    for (const delta of [1, 2]) await shop.importStock(csv('petId,delta', `${pets[0]},${delta}`, `${pets[1]},${delta}`), { mode: 'atomic', note: 'by van' });
    await shop.undoBatch(2 * round + 2, {});
  }
}

export async function createFilledStore(store: string, create = false): Promise<void> {
  const engine = await openEngine({ store, where: store, create, waitSeconds: 5, nativeBinding: undefined });
  const shopOf = (actor: string) => localShop(engine, { actor, source: 'cli', clock }, store);
  const time = { now: clock, set: () => undefined, pass: () => undefined };
  await fillLedger(
    shopOf('ana'),
    createTestShop({ shopOf, engine, openAgain: () => Promise.reject(new Error('One is enough.')), stop: () => engine.close() }, time),
  );
  await engine.close();
}
