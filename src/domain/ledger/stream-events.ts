import { optional } from '../values/schemas.js';
import { exampleEntry, ledgerEntry } from './ledger-entry.js';
import { seenNumber } from './follow-ledger.js';
import { customOperation } from '../operation.js';
import * as v from 'valibot';

/** The media type of server-sent events. */
export const eventStream = 'text/event-stream';

/** Follows the ledger as it grows: one event for each entry after `after`, or after now; the door performs it. */
export const streamEvents = customOperation({
  id: 'streamEvents',
  summary: 'Follow the ledger as it grows',
  description:
    'Follows the ledger as server-sent events: `id` is the id of a ledger entry, `event` its kind, and `data` the LedgerEntry as JSON. The stream starts now, after the entry that `after` names, or after the one of `Last-Event-ID`.',
  tag: 'Store',
  stability: 'experimental',
  method: 'GET',
  path: '/store/events',
  status: 200,
  input: v.strictObject({ after: optional(seenNumber, 'ID of the last ledger entry that was seen; 0 for none.') }),
  output: ledgerEntry,
  refuses: ['invalid_cursor'],
  example: { answer: `id: ${exampleEntry.id}\nevent: ${exampleEntry.kind}\ndata: ${JSON.stringify(exampleEntry)}\n\n` },
  cost: 'page',
  answers: eventStream,
});
