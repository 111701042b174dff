import { withNotes, field, notesOf, requestRecord, type IdNoun } from './schemas.js';
import { wholeNumber } from './numbers.js';
import { invalidField, isErrorCode, StoreError } from '../errors.js';
import * as v from 'valibot';

const idPattern = /^[1-9][0-9]{0,18}$/;

const maximumInt64 = 2n ** 63n - 1n;

/** Whether a text is an id of the contract: a positive int64 in plain decimal digits. */
export function isIdText(text: string): boolean {
  return idPattern.test(text) && BigInt(text) <= maximumInt64;
}

/** The id in a text; undefined for another text, and above 2^53 − 1: such ids are never assigned. */
export function idIn(text: string): number | undefined {
  return isIdText(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

/**
 * Converts the text of an id to a number; check it with `isIdText` first. Refuses with `…_not_found` an id above
 * 2^53 − 1: such ids are never assigned, and a number cannot hold them exactly.
 */
export function idFromText(noun: IdNoun, text: string): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw notFound(noun, text);
  return id;
}

const nounNames: Record<IdNoun, string> = {
  pet: 'Pet',
  category: 'Category',
  order: 'Order',
  batch: 'Batch',
  entry: 'Ledger entry',
  count: 'Count',
  line: 'Line',
  hook: 'Hook',
};

/** The refusal of an unknown id (404). */
export function notFound(noun: IdNoun, id: number | string): StoreError {
  return new StoreError(`${noun}_not_found`, `${nounNames[noun]} ${id} was not found.`);
}

/** What was found under an id. Refuses with `…_not_found` where nothing was. */
export function requireRecord<Found>(noun: IdNoun, id: number, found: Found | undefined): Found {
  if (found === undefined) throw notFound(noun, id);
  return found;
}

/** The refusal of an unknown id in a body or a query (422), or as `notFound` for a noun that has no such code. */
export function unknownRecord(noun: IdNoun, id: number | string): StoreError {
  const code = `unknown_${noun}`;
  return isErrorCode(code) ? new StoreError(code, `There is no ${noun} ${id}.`) : notFound(noun, id);
}

/** An int64 id of the contract. An id above 2^53 − 1 is accepted but rounded: it was never assigned, so it is not found. */
export const idNumber = v.pipe(
  wholeNumber,
  v.minValue(1, 'must be at least 1'),
  v.maxValue(2 ** 63, 'must be an integer of 64 bits'),
  // The maximum is left out, because no JavaScript number equals 2^63 − 1; `int64` implies it.
  v.metadata({ jsonSchema: { format: 'int64', maximum: undefined } }),
);

/** An id in a request that must name a record. */
export function idOf(noun: IdNoun) {
  return withNotes(idNumber, { names: noun });
}

/** An id in the path of an operation; `example` is its value in the examples of the OpenAPI document, and `described` what that calls the record. */
export function pathId(noun: IdNoun, example: number, described: string = noun) {
  return withNotes(field(idOf(noun), `ID of the ${described}.`), { example });
}

/**
 * A record as the body of a request with its id in the path. The body may repeat the id (see `checkBodyId`), so that a
 * record can be sent back as it was read.
 */
export function withPathId<Entries extends v.ObjectEntries, Record extends { readonly entries: Entries } & v.GenericSchema>(record: Record) {
  const { record: name = '' } = notesOf(record);
  const description = v.getDescription(record) ?? '';
  const entries = record.entries as Record['entries'];
  return withNotes(requestRecord(name, description, { ...entries, id: v.optional(idNumber) }), { record: name, repeatsPathId: true });
}

/** Refuses with `validation_failed` an id in the body that differs from the one in the path. */
export function checkBodyId(bodyId: number | undefined, id: number): void {
  if (bodyId === undefined || bodyId === id) return;
  throw invalidField('id', `must be ${id}, as in the path, not ${bodyId}`);
}
