import { setTimeout as sleep } from 'node:timers/promises';
import { eventsAfter, newestEvent } from '../domain/ledger/follow-ledger.js';
import type { LedgerEntry } from '../domain/ledger/ledger-entry.js';
import type { LedgerPosition } from '../domain/ledger/ledger-position.js';
import type { Call } from '../domain/call.js';

const pollIntervalMs = 200;

/**
 * Yields new ledger entries as they are written, in groups; from the newest one when `after` is not given. Polls, because
 * other processes do not notify this one. Refuses with `cursor_expired` when the ledger no longer has the last entry.
 */
export async function* followLedger(call: Call, after: LedgerPosition | undefined): AsyncGenerator<readonly LedgerEntry[], void> {
  let position = after ?? (await call(newestEvent, {})).newest;
  for (;;) {
    const { entries, last } = await call(eventsAfter, { after: position });
    position = last;
    if (entries.length === 0) await sleep(pollIntervalMs);
    else yield entries;
  }
}
