import { setTimeout as sleep } from 'node:timers/promises';
import { eventsAfter, newestEvent } from '../domain/ledger/follow-ledger.js';
import type { LedgerEntry } from '../domain/ledger/ledger-entry.js';
import type { Call } from '../domain/call.js';

const pollIntervalMs = 200;

/** Follows the ledger by polling: other processes write without notifying this one. */
export async function* followLedger(call: Call, after: number | undefined): AsyncGenerator<readonly LedgerEntry[], void> {
  let seen = after ?? (await call(newestEvent, {})).id;
  for (;;) {
    const entries = await call(eventsAfter, { after: seen });
    const last = entries.at(-1);
    if (last === undefined) await sleep(pollIntervalMs);
    else {
      yield entries;
      seen = last.id;
    }
  }
}
