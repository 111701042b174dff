import { setTimeout as sleep } from 'node:timers/promises';
import { eventsAfter, newestEvent } from '../domain/ledger/follow-ledger.js';
import type { LedgerEntry } from '../domain/ledger/ledger-entry.js';
import type { Call } from '../domain/call.js';

const pollIntervalMs = 200;

/** Yields new ledger entries as they are written, in groups; from the newest one when `after` is not given. Polls, because other processes do not notify this one. */
export async function* followLedger(call: Call, after: number | undefined): AsyncGenerator<readonly LedgerEntry[], void> {
  let lastId = after ?? (await call(newestEvent, {})).id;
  for (;;) {
    const entries = await call(eventsAfter, { after: lastId });
    const last = entries.at(-1);
    if (last === undefined) await sleep(pollIntervalMs);
    else {
      yield entries;
      lastId = last.id;
    }
  }
}
