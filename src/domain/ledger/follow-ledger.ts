import { exampleEntry, ledgerEntry } from './ledger-entry.js';
import { readOperation } from '../operation.js';
import * as v from 'valibot';

/** The most entries read from the ledger at once. */
export const eventsPerRead = 100;

/** The id of a ledger entry somebody has seen, or 0 for none of them. */
export const seenNumber = v.pipe(v.number('must be an integer'), v.safeInteger('must be an integer'), v.minValue(0, 'must not be negative'));

// Steps of `streamEvents`: not in the contract, and so without a description of their own.
const step = {
  tag: 'Store',
  path: '/store/events',
  summary: 'A step of streamEvents',
  description: 'A step of streamEvents.',
  refuses: [],
  example: { answer: exampleEntry },
} as const;

/** The ledger entries that follow one, oldest first, at most `eventsPerRead`: a step of `streamEvents`. */
export const eventsAfter = readOperation({
  ...step,
  id: 'eventsAfter',
  input: v.strictObject({ after: seenNumber }),
  output: v.array(ledgerEntry),
  cost: 'page',
  run: (tx, { after }) => tx.ledger.list({}, { sort: 'id', descending: false, from: { key: after, id: after }, limit: eventsPerRead }),
});

/** The id of the newest ledger entry, 0 in an empty shop: where a stream that starts now begins. */
export const newestEvent = readOperation({
  ...step,
  id: 'newestEvent',
  input: v.strictObject({}),
  output: v.object({ id: seenNumber }),
  cost: 'row',
  run: async (tx) => {
    const [newest] = await tx.ledger.list({}, { sort: 'id', descending: true, from: undefined, limit: 1 });
    return { id: newest?.id ?? 0 };
  },
});
