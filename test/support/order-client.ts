import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../src/domain/errors.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import type { OrderRow } from '../../src/domain/orders/order.js';
import type { Shop } from '../../src/domain/shop.js';
import { remoteShop } from '../../src/http/client/remote-shop.js';

/** The result of one attempt to sell a unit. */
export interface SaleAttempt {
  /** The order that was placed and completed. */
  readonly sold?: number;
  /** The error code if it was refused. */
  readonly refused?: string;
  /** Unexpected answers. */
  readonly unexpected: readonly string[];
  /** How often a request was repeated because a server was gone. */
  readonly repeats: number;
  /** The time until the slowest request was answered, in ms. */
  readonly slowestMs: number;
}

const retryDelayMs = 20;
const longestWaitMs = 60_000;

/** Whether there was no answer, or the first attempt is still running. */
function isToRepeat({ code, message }: StoreError): boolean {
  return code === 'idempotency_in_progress' || (code === 'store_unreachable' && message.startsWith('The shop at'));
}

/** Sends requests to servers in turn: a request without an answer is sent to the next one with the same key. */
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

/** Places an order for one unit of pet 1 through the server whose turn it is, and completes it. */
async function sell(shops: readonly Shop[], turn: number): Promise<SaleAttempt> {
  const { ask, seen, next } = retryingClient(shops, turn);
  const placed = await ask((shop, key) => shop.call(placeOrder, { body: { petId: 1, quantity: 1 } }, { key }));
  if (placed instanceof StoreError) return { refused: placed.code, ...seen };
  // Through the other server, which must see the order.
  next();
  const done = await ask((shop, key) => shop.call(updateOrder, { orderId: placed.id, body: { complete: true } }, { key }));
  if (done instanceof StoreError || !done.complete) seen.unexpected.push(`order ${placed.id} was not completed: ${String(done)}`);
  return { sold: placed.id, ...seen };
}

/** Tries to sell units, one after the other, and prints each result as a line of JSON. Its arguments are its number, the number of attempts, and the servers. */
export async function sellRepeatedly([number = '', tries = '', ...addresses]: readonly string[]): Promise<void> {
  const actor = `till ${number}`;
  const shops = addresses.map((address) =>
    remoteShop({ address: new URL(address), token: undefined, actor, waitSeconds: 0, insecure: false, randomText: randomUUID }),
  );
  for (let turn = 0; turn < Number(tries); turn += 1) process.stdout.write(`${JSON.stringify(await sell(shops, turn + Number(number)))}\n`);
  for (const shop of shops) await shop.close();
}
