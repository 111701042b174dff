import { StoreError } from '../../src/domain/errors.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { releasePet } from '../../src/domain/pets/release-pet.js';
import type { Shop } from '../../src/domain/shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { localShop } from '../../src/storage/shop.js';
import { sql } from '../../src/storage/sql.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';

/** The number of pets that the clients change. The quantity of the first is set repeatedly, so its result is not predictable. */
export const contestedPets = 50;

/** The result that a client prints at its end. */
export interface ClientResult {
  readonly role: string;
  readonly turns: number;
  /** Refusals by a rule, which are expected. */
  readonly refused: number;
  /** Errors that must not occur. */
  readonly unexpected: readonly string[];
  /** The duration of its slowest turn, in ms. */
  readonly slowestMs: number;
  /** The acknowledged change of the stock of all pets but the first. */
  readonly stockDelta: number;
}

async function* fileOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}

type Turn = (shop: Shop, turn: number, engine: Engine) => Promise<number>;

const anyPet = (turn: number): number => 2 + ((turn * 7) % (contestedPets - 1));
const delivery = Array.from({ length: contestedPets - 1 }, (_, index) => `${index + 2},1\n`).join('');

/** What each role does in a turn; returns the change of the stock. A reader fails if two reads of a snapshot differ. */
export const roles: Readonly<Record<string, Turn>> = {
  sells: async ({ call }, turn) => (await call(placeOrder, { body: { petId: anyPet(turn), quantity: 1, complete: true } }), -1),
  reservations: async ({ call }, turn) => {
    const { id } = await call(placeOrder, { body: { petId: anyPet(turn), quantity: 2 } });
    await call(cancelOrder, { orderId: id });
    return 0;
  },
  counts: async ({ call }, turn) => (await call(setInventory, { petId: 1, body: { quantity: turn % 5 } }), 0),
  adjusts: async ({ call }, turn) => (await call(adjustInventory, { petId: anyPet(turn), body: { delta: 3 } }), 3),
  holds: async ({ call }, turn) => (await call(turn % 2 === 0 ? holdPet : releasePet, { petId: 3 }), 0),
  delivers: async (shop, turn) => {
    await shop.importStock({ bytes: fileOf(`petId,delta\n${delivery}`), map: new Map() }, { mode: 'atomic', key: `delivery ${turn}` });
    return contestedPets - 1;
  },
  reads: async (_shop, _turn, engine) =>
    engine.read(async ({ get }) => {
      const before = await get<{ readonly units: number }>(sql`SELECT sum(quantity) AS units FROM stock`);
      await new Promise((resolve) => setImmediate(resolve));
      const after = await get<{ readonly units: number }>(sql`SELECT sum(delta) AS units FROM ledger`);
      if (before?.units !== after?.units) throw new Error(`${before?.units} on hand, and the ledger says ${after?.units}`);
      return 0;
    }),
};

const rules = new Set(['insufficient_stock', 'out_of_stock', 'stock_reserved', 'pet_on_hold']);

/** Works on a shop in one role for some seconds, as fast as possible, and prints the result. */
export async function runClient([path = '', role = '', seconds = '']: readonly string[]): Promise<void> {
  const engine = await openSqlite(path, { waitSeconds: 30 });
  const shop = localShop(engine, { actor: 'ana', source: 'cli', clock: () => Date.now() }, path);
  const unexpected: string[] = [];
  let [turns, refused, slowestMs, stockDelta] = [0, 0, 0, 0];
  for (const end = performance.now() + Number(seconds) * 1000; performance.now() < end; turns += 1) {
    const began = performance.now();
    try {
      stockDelta += (await roles[role]?.(shop, turns, engine)) ?? 0;
    } catch (error) {
      if (error instanceof StoreError && rules.has(error.code)) refused += 1;
      else unexpected.push(String(error));
    }
    slowestMs = Math.max(slowestMs, performance.now() - began);
  }
  await shop.close();
  const told: ClientResult = { role, turns, refused, unexpected: unexpected.slice(0, 20), slowestMs: Math.round(slowestMs), stockDelta };
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
