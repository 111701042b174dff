import { optional } from '../values/schemas.js';
import { exampleEntry, ledgerEntry } from './ledger-entry.js';
import { seenNumber } from './follow-ledger.js';
import { customOperation } from '../operation.js';
import * as v from 'valibot';

/** The media type of server-sent events. */
export const eventStream = 'text/event-stream';

/** Streams ledger entries as they are written: one event for each entry after `after`, or from now on. Performed by the HTTP server. */
export const streamEvents = customOperation({
  id: 'streamEvents',
  summary: 'Stream ledger entries as they are written',
  description:
    'Streams the ledger as server-sent events: `id` is the id of a ledger entry, `event` its kind, and `data` the LedgerEntry as JSON. The stream starts after the entry given by `after` or `Last-Event-ID`, otherwise with the next new entry.',
  tag: 'Store',
  stability: 'experimental',
  method: 'GET',
  path: '/store/events',
  status: 200,
  input: v.strictObject({ after: optional(seenNumber, 'ID of the last ledger entry received; 0 for none.') }),
  output: ledgerEntry,
  refuses: ['invalid_cursor'],
  example: { answer: `id: ${exampleEntry.id}\nevent: ${exampleEntry.kind}\ndata: ${JSON.stringify(exampleEntry)}\n\n` },
  cost: 'page',
  answers: eventStream,
});
