import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../src/domain/errors.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import type { OrderRow } from '../../src/domain/orders/order.js';
import type { Shop } from '../../src/domain/shop.js';
import { remoteShop } from '../../src/http/client/remote-shop.js';
import { storedFile } from '../../src/formats/stored-file.js';

/** What became of one try to sell a unit. */
export interface SaleAttempt {
  /** The order that was placed and completed. */
  readonly sold?: number;
  /** The code of what refused to place it. */
  readonly refused?: string;
  /** Answers that nobody should see, each with what it said. */
  readonly unexpected: readonly string[];
  /** How often a request was asked again, because a server was gone. */
  readonly repeats: number;
  /** How long the slowest request took until it was answered, in ms. */
  readonly slowestMs: number;
}

const retryDelayMs = 20;
const longestWaitMs = 60_000;

/** Whether nobody answered, or the first try of a request is still under way. */
function isToRepeat({ code, message }: StoreError): boolean {
  return code === 'idempotency_in_progress' || (code === 'store_unreachable' && message.startsWith('The shop at'));
}

/** Asks servers in turn: a request that one of them does not answer is asked of the next, under the same key. */
function retryingClient(shops: readonly Shop[], first: number) {
  let turn = first;
  const seen = { unexpected: [] as string[], repeats: 0, slowestMs: 0 };
  const ask = async (request: (shop: Shop, key: string) => Promise<OrderRow>): Promise<OrderRow | StoreError> => {
    const [key, started] = [randomUUID(), performance.now()];
    for (;;) {
      const shop = shops[turn % shops.length];
      if (shop === undefined) throw new Error('There is no server to ask.');
      const answer = await request(shop, key).catch((error: unknown) => error as Error);
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - started);
      if (!(answer instanceof Error)) return answer;
      if (!(answer instanceof StoreError) || performance.now() - started > longestWaitMs) throw answer;
      const again = isToRepeat(answer);
      if (!again && answer.status < 500) return answer;
      if (!again) seen.unexpected.push(`${answer.status} ${answer.code}: ${answer.message}`);
      seen.repeats += 1;
      turn += 1;
      await sleep(retryDelayMs);
    }
  };
  return { ask, seen, next: () => void (turn += 1) };
}

/** Places an order of one unit of pet 1 and completes it, through the server whose turn it is. */
async function sell(shops: readonly Shop[], turn: number): Promise<SaleAttempt> {
  const { ask, seen, next } = retryingClient(shops, turn);
  const placed = await ask((shop, key) => shop.call(placeOrder, { body: { petId: 1, quantity: 1 } }, { key }));
  if (placed instanceof StoreError) return { refused: placed.code, ...seen };
  // Through the other server: what one of them did is there for both.
  next();
  const done = await ask((shop, key) => shop.call(updateOrder, { orderId: placed.id, body: { complete: true } }, { key }));
  if (done instanceof StoreError || !done.complete) seen.unexpected.push(`order ${placed.id} was not completed: ${String(done)}`);
  return { sold: placed.id, ...seen };
}

/** Tries to sell units, one after the other, and prints what became of each as a line of JSON. Its arguments are a number of its own, how often, and the servers. */
export async function sellRepeatedly([number = '', tries = '', ...addresses]: readonly string[]): Promise<void> {
  const actor = `till ${number}`;
  const shops = addresses.map((address) =>
    remoteShop({ address: new URL(address), token: undefined, actor, wait: 0, insecure: false, randomText: randomUUID, spool: storedFile }),
  );
  for (let turn = 0; turn < Number(tries); turn += 1) process.stdout.write(`${JSON.stringify(await sell(shops, turn + Number(number)))}\n`);
  for (const shop of shops) await shop.close();
}
