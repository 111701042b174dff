import { setTimeout as sleep } from 'node:timers/promises';
import { newestEvent } from '../domain/ledger/follow-ledger.js';
import type { Shop } from '../domain/shop.js';

const pollIntervalMs = 100;

/** Waits until the ledger of a shop has moved since the last call, or for a time in ms; answers whether it has. */
export function ledgerMoves(shop: Shop): (withinMs: number) => Promise<boolean> {
  let seen: number | undefined;
  // A shop that cannot be read now is asked again.
  const newestId = (): Promise<number | undefined> =>
    shop.call(newestEvent, {}).then(
      ({ newest }) => newest.id,
      () => seen,
    );
  return async (withinMs) => {
    const until = performance.now() + withinMs;
    for (;;) {
      const newest = await newestId();
      if (newest !== seen) {
        seen = newest;
        return true;
      }
      const leftMs = until - performance.now();
      if (leftMs <= 0) return false;
      await sleep(Math.min(leftMs, pollIntervalMs));
    }
  };
}
