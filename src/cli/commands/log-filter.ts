import { completeRecords } from '../completion/completers.js';
import { ledgerKind, type LedgerEntry } from '../../domain/ledger/ledger-entry.js';
import { findPets } from '../../domain/pets/find-pet.js';
import type { Call } from '../../domain/call.js';
import { repeatedChoice, repeatedFlag, timeFlag, type FlagValues } from '../flags.js';
import { idOf, petText } from '../readers.js';

/** The flags of the filter of the ledger. */
export const logFilterFlags = {
  pet: repeatedFlag({
    long: 'pet',
    value: 'pet',
    summary: 'only entries of this pet, by id or name; may be repeated',
    read: petText,
    complete: completeRecords('pet'),
  }),
  order: repeatedFlag({
    long: 'order',
    value: 'id',
    summary: 'only entries of this order; may be repeated',
    read: idOf('order'),
    complete: completeRecords('order'),
  }),
  batch: repeatedFlag({
    long: 'batch',
    value: 'id',
    summary: 'only entries of this bulk import; may be repeated',
    read: idOf('batch'),
    complete: completeRecords('batch'),
  }),
  kind: repeatedChoice({ long: 'kind', value: 'kind', summary: 'only entries of this kind, such as sale; may be repeated', choices: ledgerKind.options }),
  since: timeFlag('start', { long: 'since', summary: 'only entries at or after this day or time' }),
  until: timeFlag('end', { long: 'until', summary: 'only entries at or before this day or time' }),
};

/** The values of these flags. */
export type LogFlags = FlagValues<typeof logFilterFlags>;

/** The filter that these flags mean. */
export async function filterOf({ pet, order, batch, kind, since, until }: LogFlags, actor: string | undefined, call: Call) {
  const petId = pet && (await findPets(call, pet));
  return { petId, orderId: order && [...order], batchId: batch && [...batch], actor, kind: kind && [...kind], since, until };
}

/** A filter of the ledger. */
export type Filter = Awaited<ReturnType<typeof filterOf>>;

function allows<T>(wanted: readonly T[] | undefined, found: T | undefined): boolean {
  return wanted === undefined || (found !== undefined && wanted.includes(found));
}

/** Whether a new entry matches the filter. Times are not compared: a new entry is later than --since, and --until is refused. */
export function matcherOf({ petId, orderId, batchId, actor, kind }: Filter): (entry: LedgerEntry) => boolean {
  return (entry) =>
    allows(petId, entry.petId) &&
    allows(orderId, entry.orderId) &&
    allows(batchId, entry.batchId) &&
    allows(actor === undefined ? undefined : [actor], entry.actor) &&
    allows(kind, entry.kind);
}
