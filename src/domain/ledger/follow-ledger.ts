import { exampleNamedEntry, namedEntry } from './named-entry.js';
import { isInLedger, ledgerPosition, positionAfter, positionExpired } from './ledger-position.js';
import { withNames } from './names-of-entries.js';
import { readOperation } from '../operation.js';
import { newestRows } from '../values/pages.js';
import * as v from 'valibot';

/** The most entries that one read returns. */
export const eventsPerRead = 100;

// Steps of `streamEvents`: not in the contract, so no description is needed.
const step = {
  tag: 'Store',
  path: '/store/events',
  summary: 'A step of streamEvents',
  description: 'A step of streamEvents.',
  example: { answer: exampleNamedEntry },
} as const;

/**
 * Reads the ledger entries after a position, oldest first, at most `eventsPerRead`, and the position after them. Refuses a
 * position that the ledger no longer has with `cursor_expired`. A step of `streamEvents`.
 */
export const eventsAfter = readOperation({
  ...step,
  id: 'eventsAfter',
  refuses: ['cursor_expired'],
  input: v.strictObject({ after: ledgerPosition }),
  output: v.object({ entries: v.array(namedEntry), last: ledgerPosition }),
  cost: 'page',
  run: async (tx, { after }) => {
    // The entry of the position as well, which shows whether it is still the same.
    const from = after.id === 0 ? undefined : { key: after.id - 1, id: after.id - 1 };
    const rows = await tx.ledger.list({}, { sort: 'id', descending: false, from, limit: eventsPerRead + 1 });
    const seen = rows[0]?.id === after.id ? rows[0] : undefined;
    if (!isInLedger(after, seen, rows.at(-1)?.id ?? 0)) throw positionExpired(after);
    const entries = seen === undefined ? rows.slice(0, eventsPerRead) : rows.slice(1);
    const last = entries.at(-1) ?? seen;
    return { entries: await withNames(tx, entries), last: last === undefined ? after : positionAfter(last) };
  },
});

/** Reads the position after the newest ledger entry, where a new stream starts, and whether the ledger still has `seen`. A step of `streamEvents`. */
export const newestEvent = readOperation({
  ...step,
  id: 'newestEvent',
  refuses: [],
  input: v.strictObject({ seen: v.optional(ledgerPosition) }),
  output: v.object({ newest: ledgerPosition, hasSeen: v.boolean() }),
  cost: 'row',
  run: async (tx, { seen }) => {
    const [newest] = await tx.ledger.list({}, newestRows(1));
    const found = seen === undefined || seen.id === newest?.id ? newest : await tx.ledger.get(seen.id);
    return { newest: positionAfter(newest), hasSeen: seen === undefined || isInLedger(seen, found, newest?.id ?? 0) };
  },
});
