import { exampleEntry, ledgerEntry } from './ledger-entry.js';
import { readOperation } from '../operation.js';
import * as v from 'valibot';

/** The most entries that one read returns. */
export const eventsPerRead = 100;

/** The id of the last ledger entry that a client received, or 0 for none. */
export const seenNumber = v.pipe(v.number('must be an integer'), v.safeInteger('must be an integer'), v.minValue(0, 'must not be negative'));

// Steps of `streamEvents`: not in the contract, so no description is needed.
const step = {
  tag: 'Store',
  path: '/store/events',
  summary: 'A step of streamEvents',
  description: 'A step of streamEvents.',
  refuses: [],
  example: { answer: exampleEntry },
} as const;

/** Reads the ledger entries after one, oldest first, at most `eventsPerRead`. A step of `streamEvents`. */
export const eventsAfter = readOperation({
  ...step,
  id: 'eventsAfter',
  input: v.strictObject({ after: seenNumber }),
  output: v.array(ledgerEntry),
  cost: 'page',
  run: (tx, { after }) => tx.ledger.list({}, { sort: 'id', descending: false, from: { key: after, id: after }, limit: eventsPerRead }),
});

/** Reads the id of the newest ledger entry, 0 in an empty shop: where a new stream starts. */
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
