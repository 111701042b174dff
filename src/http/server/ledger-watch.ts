import { EventEmitter, once } from 'node:events';
import { newestEvent } from '../../domain/ledger/follow-ledger.js';
import type { LedgerPosition } from '../../domain/ledger/ledger-position.js';
import type { Shop } from '../../domain/shop.js';

/** The time between two polls. */
export const pollIntervalMs = 100;

/** Watches the ledger for all streams with one poll. */
export interface LedgerWatch {
  /** Starts polling from the newest entry, unless it runs; it stops when no stream is open. */
  readonly start: (shop: Shop, newest: LedgerPosition) => void;
  /** Resolves when there are entries after an id, when entries were lost after a number of losses, or when the stream ended. */
  readonly changed: (after: number, losses: number, ended: AbortSignal) => Promise<void>;
  /** The newest entry that was seen. */
  readonly newest: () => LedgerPosition;
  /** How often the ledger had lost entries that were seen. */
  readonly losses: () => number;
  readonly stop: () => void;
}

/** Watches a ledger while `isNeeded`; it does not poll before `start`. */
export function watchLedger(isNeeded: () => boolean): LedgerWatch {
  const changes = new EventEmitter().setMaxListeners(0);
  let timer: NodeJS.Timeout | undefined;
  let polling = false;
  let newest: LedgerPosition = { id: 0 };
  let losses = 0;
  let mark: number | undefined;
  /** Reads the newest entry, if the shop has changed since it was read. */
  const look = async (shop: Shop): Promise<{ readonly newest: LedgerPosition; readonly hasSeen: boolean }> => {
    const present = shop.changeMark();
    if (present !== undefined && present === mark) return { newest, hasSeen: true };
    const found = await shop.call(newestEvent, { seen: newest });
    mark = present;
    return found;
  };
  const poll = async (shop: Shop): Promise<void> => {
    const found = await look(shop).catch(() => ({ newest, hasSeen: true }));
    const isChanged = found.newest.id > newest.id || !found.hasSeen;
    newest = found.newest;
    if (!found.hasSeen) losses += 1;
    if (isChanged) changes.emit('changed');
    polling = isNeeded();
    timer = polling ? setTimeout(() => void poll(shop), pollIntervalMs) : undefined;
  };
  return {
    start: (shop, from) => {
      if (polling) return;
      polling = true;
      newest = from;
      mark = undefined;
      void poll(shop);
    },
    changed: async (after, known, ended) => {
      if (newest.id > after || losses > known) return;
      await once(changes, 'changed', { signal: ended }).catch(() => undefined);
    },
    newest: () => newest,
    losses: () => losses,
    stop: () => clearTimeout(timer),
  };
}
