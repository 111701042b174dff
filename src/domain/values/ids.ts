import { withNotes, field, type SchemaNotes, requestRecord } from './schemas.js';
import { wholeNumber } from './numbers.js';
import { StoreError } from '../errors.js';
import * as v from 'valibot';

const idPattern = /^[1-9][0-9]{0,18}$/;

const maximumInt64 = 2n ** 63n - 1n;

/** The nouns an id can name. */
export type IdNoun = 'pet' | 'category' | 'order' | 'batch' | 'entry';

/** Whether a text is an id of the contract: a positive int64 in plain decimal digits. */
export function isIdText(text: string): boolean {
  return idPattern.test(text) && BigInt(text) <= maximumInt64;
}

/**
 * The number of an id given as text. Call `isIdText` first; an id above 2^53 − 1 was never assigned and is
 * refused as not found rather than rounded to a neighbour.
 */
export function idFromText(noun: IdNoun, text: string): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw notFound(noun, text);
  return id;
}

const nounNames: Record<IdNoun, string> = { pet: 'Pet', category: 'Category', order: 'Order', batch: 'Batch', entry: 'Ledger entry' };

/** The refusal of an id that names nothing (404). */
export function notFound(noun: IdNoun, id: number | string): StoreError {
  return new StoreError(`${noun}_not_found`, `${nounNames[noun]} ${id} was not found.`);
}

/** An int64 id as the contract has it. One above 2^53 − 1 passes, rounded: it was never assigned and so is not found. */
export const idNumber = v.pipe(
  wholeNumber,
  v.minValue(1, 'must be at least 1'),
  v.maxValue(2 ** 63, 'must be an integer of 64 bits'),
  // No double is the largest int64; the format says the bound.
  v.metadata({ jsonSchema: { format: 'int64', maximum: undefined } }),
);

/** An id in the path of an operation; `example` is the id that the examples of the document show. */
export function pathId(noun: string, example: number) {
  return withNotes(field(idNumber, `ID of the ${noun}.`), { example });
}

/**
 * A record as the body of a request whose path names it: `id` may repeat the id of the path (see `checkBodyId`), so that what
 * was read can be sent back.
 */
export function withPathId<Entries extends v.ObjectEntries, Record extends { readonly entries: Entries } & v.GenericSchema>(record: Record) {
  const { record: name = '' } = v.getMetadata(record) as SchemaNotes;
  const description = v.getDescription(record) ?? '';
  const entries = record.entries as Record['entries'];
  return withNotes(requestRecord(name, description, { ...entries, id: v.optional(idNumber) }), { record: name, repeatsPathId: true });
}

/** Refuses an id in a body that is not the one of the path. */
export function checkBodyId(bodyId: number | undefined, id: number): void {
  if (bodyId === undefined || bodyId === id) return;
  throw new StoreError('validation_failed', `id: must be ${id}, the id of the path, not ${bodyId}.`);
}
