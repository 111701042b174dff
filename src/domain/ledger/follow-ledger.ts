import * as v from 'valibot';
import { ledgerEntry } from './ledger-entry.js';
import { reads } from '../operation.js';

/** The most entries read from the ledger at once. */
export const eventsPerRead = 500;

/** The id of a ledger entry somebody has seen, or 0 for none of them. */
export const seenNumber = v.pipe(v.number('must be an integer'), v.safeInteger('must be an integer'), v.minValue(0, 'must not be negative'));

const part = { tag: 'Store', path: '/store/events', summary: 'A step of streamEvents' } as const;

/** The ledger entries that follow one, oldest first, at most `eventsPerRead`: a step of `streamEvents`. */
export const eventsAfter = reads({
  ...part,
  id: 'eventsAfter',
  input: v.strictObject({ after: seenNumber }),
  output: v.array(ledgerEntry),
  run: (tx, { after }) => tx.ledger.list({}, { sort: 'id', descending: false, from: { key: after, id: after }, limit: eventsPerRead }),
});

/** The id of the newest ledger entry, 0 in an empty shop: where a stream that starts now begins. */
export const newestEvent = reads({
  ...part,
  id: 'newestEvent',
  input: v.strictObject({}),
  output: v.object({ id: seenNumber }),
  run: async (tx) => {
    const [newest] = await tx.ledger.list({}, { sort: 'id', descending: true, from: undefined, limit: 1 });
    return { id: newest?.id ?? 0 };
  },
});
