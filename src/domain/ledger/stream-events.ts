import { field, flag, optional, record } from '../values/schemas.js';
import { wholeNumber } from '../values/numbers.js';
import { exampleNamedEntry, namedEntry } from './named-entry.js';
import { eventIdOf, eventIdText, positionAfter } from './ledger-position.js';
import { customOperation } from '../operation.js';
import * as v from 'valibot';

/** The media type of server-sent events. */
export const eventStream = 'text/event-stream';

/** What a stream of notices sends instead of ledger entries. */
export const ledgerNotice = record('LedgerNotice', 'The newest entry of the ledger, and how many are new.', {
  newest: field(wholeNumber, 'ID of the newest ledger entry; 0 in an empty ledger.'),
  entries: field(wholeNumber, 'Number of entries written since the notice before.'),
});

/** The most notices that a stream sends in a second, however many entries are written. */
export const noticesPerSecond = 4;

/** Streams ledger entries as they are written: one event for each entry after `after`, or from now on. Performed by the HTTP server. */
export const streamEvents = customOperation({
  id: 'streamEvents',
  summary: 'Stream ledger entries as they are written',
  description: `Streams the ledger as server-sent events: \`id\` is the id of a ledger entry and a mark of its content, such as \`${eventIdOf(positionAfter(exampleNamedEntry))}\`, \`event\` its kind, and \`data\` the NamedLedgerEntry as JSON, with names only for a token with \`pets:read\`. The stream starts after the event given by \`after\` or \`Last-Event-ID\`, otherwise with the next new entry. When the shop goes back to an earlier state, because a failover lost its last changes or the database was recovered, ids of entries are used again. A stream whose last entry was lost then ends with the event \`expired\`, whose \`data\` is an Error, and a request with its id is refused with \`cursor_expired\`: read the shop again, and start a stream without an id. With \`notices=true\` it sends no entries but notices of the newest one, the first at once and then at most four a second, however many entries are written: \`event\` is \`notice\`, \`id\` the id of the newest entry, and \`data\` the LedgerNotice \`{"newest":1208,"entries":3}\`, with the number of entries since the notice before.`,
  tag: 'Store',
  stability: 'experimental',
  method: 'GET',
  path: '/store/events',
  status: 200,
  input: v.strictObject({
    after: optional(eventIdText, 'ID of the last event received; 0 for none.'),
    notices: flag('Send at most four notices a second instead of every entry.'),
  }),
  output: namedEntry,
  refuses: ['invalid_cursor', 'cursor_expired'],
  example: { answer: `id: ${eventIdOf(positionAfter(exampleNamedEntry))}\nevent: ${exampleNamedEntry.kind}\ndata: ${JSON.stringify(exampleNamedEntry)}\n\n` },
  cost: 'page',
  answers: eventStream,
});
