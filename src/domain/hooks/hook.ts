import * as v from 'valibot';
import { ledgerKind } from '../ledger/ledger-entry.js';
import { idNumber, pathId } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { field, optional, record, trueOrFalse } from '../values/schemas.js';
import { dateTimeText } from '../values/time.js';

/** The most hooks of a shop. */
export const maximumHooks = 1000;
/** The most events of one request. */
export const maximumBatch = 100;
/** The most kinds, and the most pets, that a hook names. */
export const maximumFilterValues = 100;
/** How long the former secret of a hook signs too, after a new one was made: 24 hours. */
export const rotationMs = 24 * 60 * 60 * 1000;

/** Whether a hook sends events. */
export const hookState = v.picklist(['active', 'paused'], 'must be active or paused');

/** A webhook without its secret, as the contract shows it. */
export const hook = record('Hook', 'A webhook: an address that the shop sends its events to.', {
  id: field(idNumber, 'Identifier of the hook.'),
  url: field(v.string(), 'Where the events are sent.'),
  kinds: optional(v.pipe(v.array(ledgerKind), v.readonly()), 'Only events of these kinds.'),
  petId: optional(v.pipe(v.array(idNumber), v.readonly()), 'Only events of these pets.'),
  categoryId: optional(idNumber, 'Only events of this category and of the pets that are in it now.'),
  rows: field(trueOrFalse, 'Whether each row of an import, an undo or a closed count is an event; otherwise these are one event with their batch.'),
  batch: field(wholeNumber, 'The most events of one request.'),
  allowPrivate: field(trueOrFalse, 'Whether it may send over http, and to private, loopback and link-local addresses.'),
  state: field(hookState, 'Whether it sends events; a paused hook keeps its position.'),
  position: field(wholeNumber, 'ID of the last ledger entry that was sent or did not match; the next event is after it.'),
  waiting: field(wholeNumber, 'Number of ledger entries after the position.'),
  attempts: field(wholeNumber, 'Number of failed attempts to send the next event; 0 while nothing fails.'),
  nextAttemptAt: optional(dateTimeText, 'When the next event is tried again, in UTC.'),
  lastError: optional(v.string(), 'Why the last attempt failed.'),
  lastSentAt: optional(dateTimeText, 'When an event was last received, in UTC.'),
  createdAt: field(dateTimeText, 'When the hook was created, in UTC.'),
});

/** A webhook without its secret. */
export type Hook = v.InferOutput<typeof hook>;

/** Which ledger entries a hook sends. */
export type HookFilter = Pick<Hook, 'kinds' | 'petId' | 'categoryId' | 'rows'>;

/** The hook in the examples of the OpenAPI document. */
export const exampleHook: Hook = {
  id: 3,
  url: 'https://hooks.example.com/petstore',
  kinds: ['sale', 'inventory.low'],
  rows: false,
  batch: 1,
  allowPrivate: false,
  state: 'active',
  position: 1208,
  waiting: 0,
  attempts: 0,
  lastSentAt: '2026-11-20T09:30:00.000Z',
  createdAt: '2026-11-01T08:00:00.000Z',
};

/** One attempt to send events. */
export const hookDelivery = record('HookDelivery', 'One attempt to send events to a hook.', {
  id: field(idNumber, 'Identifier of the attempt.'),
  at: field(dateTimeText, 'When it ended, in UTC.'),
  event: field(v.string(), 'The `webhook-id` of the request.'),
  type: field(v.string(), 'The type of the event, or `events` for several in one request.'),
  attempt: field(wholeNumber, 'The number of the attempt, counted from 1.'),
  milliseconds: field(wholeNumber, 'How long it took.'),
  status: optional(wholeNumber, 'The HTTP status of the answer; absent without one.'),
  error: optional(v.string(), 'Why it failed; absent for an event that was received.'),
});

/** One attempt to send events. */
export type HookDelivery = v.InferOutput<typeof hookDelivery>;

/** The attempt in the examples of the OpenAPI document. */
export const exampleDelivery: HookDelivery = {
  id: 77,
  at: '2026-11-20T09:30:01.000Z',
  event: 'evt_5f0c2ab91d3e_1208',
  type: 'adjust',
  attempt: 1,
  milliseconds: 41,
  status: 204,
};

/** The number of attempts that are kept for each hook. */
export const keptDeliveries = 100;

/** The id of a hook in a path. */
export const hookIdParameter = pathId('hook', 3);
