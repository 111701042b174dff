import { seenNumber } from './follow-ledger.js';
import * as v from 'valibot';
import { ledgerEntry } from './ledger-entry.js';
import { performs } from '../operation.js';

/** The media type of server-sent events. */
export const eventStream = 'text/event-stream';

/** Follows the ledger as it grows: one event for each entry after `after`, or after now; the door performs it. */
export const streamEvents = performs({
  id: 'streamEvents',
  summary: 'Follow the ledger as it grows',
  tag: 'Store',
  stability: 'experimental',
  method: 'GET',
  path: '/store/events',
  status: 200,
  input: v.strictObject({ after: v.optional(seenNumber) }),
  output: ledgerEntry,
  answers: eventStream,
});
