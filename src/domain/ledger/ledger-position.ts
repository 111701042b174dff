import * as v from 'valibot';
import { StoreError } from '../errors.js';
import { shortHash } from '../values/short-hash.js';
import type { LedgerEntry } from './ledger-entry.js';

/**
 * A position in the ledger: after the entry `id`, or before all entries with the id 0. A failover to a standby that had not
 * received the last entries, or a recovery to an earlier time, removes entries, and later entries get their ids. `mark` tells
 * an entry from another one with the same id; undefined in the positions of clients that send an id only.
 */
export const ledgerPosition = v.object({ id: v.pipe(v.number(), v.safeInteger(), v.minValue(0)), mark: v.optional(v.string()) });

/** A position in the ledger. */
export type LedgerPosition = v.InferOutput<typeof ledgerPosition>;

/** The id of an event: that of its entry and its mark, such as `1208-16z9kqj`; 0 is before the first entry. */
export const eventIdPattern = /^(0|[1-9][0-9]{0,15}(-[0-9a-z]{1,7})?)$/;

/** The id of an event in a request. */
export const eventIdText = v.pipe(v.string(), v.regex(eventIdPattern, 'must be the id of an event'));

/** The mark of an entry: a hash of what never changes in it. */
export function markOf({ at, actor, kind, petId, orderId, categoryId, delta, quantityAfter, batchId, line, reverses }: LedgerEntry): string {
  return shortHash(JSON.stringify([at, actor, kind, petId, orderId, categoryId, delta, quantityAfter, batchId, line, reverses]));
}

/** The position after an entry; before all entries for undefined. */
export function positionAfter(entry: LedgerEntry | undefined): LedgerPosition {
  return entry === undefined ? { id: 0 } : { id: entry.id, mark: markOf(entry) };
}

/** The id of an event, which is the position after it. */
export function eventIdOf({ id, mark }: LedgerPosition): string {
  return mark === undefined ? String(id) : `${id}-${mark}`;
}

/** The position that an event id names; undefined for a text that is none. */
export function positionIn(eventId: string): LedgerPosition | undefined {
  if (!eventIdPattern.test(eventId)) return undefined;
  const [digits = '', mark] = eventId.split('-');
  const id = Number(digits);
  return Number.isSafeInteger(id) ? { id, mark } : undefined;
}

/**
 * Whether the ledger still has what a position was read from. `found` is the entry with its id, if there is one. Ids
 * without an entry lie before a `shop.restored` entry, which follows them in the ledger.
 */
export function isInLedger({ id, mark }: LedgerPosition, found: LedgerEntry | undefined, newestId: number): boolean {
  if (found === undefined || mark === undefined) return id <= newestId;
  return markOf(found) === mark;
}

/** The refusal of a position that the ledger no longer has. */
export function positionExpired({ id }: LedgerPosition): StoreError {
  return new StoreError(
    'cursor_expired',
    `The ledger no longer has entry ${id} as you received it: the shop went back to an earlier state. Start again from the newest entry.`,
  );
}
