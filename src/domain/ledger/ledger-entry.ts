import { categoryFields } from '../categories/category.js';
import { codeFields } from '../codes/code.js';
import { orderFields } from '../orders/order.js';
import { petFields } from '../pets/pet.js';
import { shopFields } from '../shop-settings.js';
import { patchFields } from '../values/fields.js';
import { record, field, nullish, optional } from '../values/schemas.js';
import { pathId, idNumber } from '../values/ids.js';
import { invalidField } from '../errors.js';
import { orderedNumber, quantityNumber, wholeNumber } from '../values/numbers.js';
import { nameText, noteProblem, noteText, normalizeText } from '../values/text.js';
import { dateTimeText } from '../values/time.js';
import * as v from 'valibot';

/** Ledger kinds that move units. */
export const movementKinds = ['opening', 'count', 'adjust', 'sale', 'return', 'undo'] as const;

const kindsWithoutUnits = [
  'pet.updated',
  'pet.held',
  'pet.released',
  'pet.archived',
  'pet.restored',
  'code.added',
  'code.removed',
  'category.created',
  'category.updated',
  'category.archived',
  'category.restored',
  'order.placed',
  'order.updated',
  'order.cancelled',
  'order.restored',
  'inventory.low',
  'inventory.restocked',
  'count.started',
  'count.closed',
  'count.cancelled',
  'shop.updated',
  'shop.restored',
] as const;

/** The names of the kinds of ledger entries. */
export const ledgerKinds = [...movementKinds, ...kindsWithoutUnits] as const;

/** The kinds of entries of imports that move units. */
export const batchMovementKinds: readonly LedgerKind[] = ['opening', 'count', 'adjust'];

/** The kinds of entries of imports that move none. */
export const batchKindsWithoutUnits: readonly LedgerKind[] = ['pet.held', 'code.added', 'category.created', 'inventory.low', 'inventory.restocked'];

/** The kinds of the entries of a batch that have an actor of their own: those of its undo, and the codes of new pets. */
export const batchUndoKinds: readonly LedgerKind[] = ['undo', 'code.added', 'code.removed', 'inventory.low', 'inventory.restocked'];

/** The kinds of ledger entries. */
export const ledgerKind = v.pipe(
  v.picklist(ledgerKinds, 'must be a kind of ledger entry'),
  v.metadata({ record: 'LedgerKind' }),
  v.description('What a ledger entry records. The first six move units; the others do not.'),
);

/** A kind of ledger entry. */
export type LedgerKind = v.InferOutput<typeof ledgerKind>;

/** The interface through which a change was made. */
export const ledgerSource = v.picklist(['cli', 'http', 'import']);

/** The interface through which a change was made. */
export type LedgerSource = v.InferOutput<typeof ledgerSource>;

const changedFields = {
  ...patchFields({ ...categoryFields, ...petFields, ...orderFields, ...shopFields, ...codeFields }),
  returned: nullish(orderedNumber, 'Units of the order that were returned so far; null for none.'),
  name: optional(nameText, 'Name of the pet or of the category.'),
  lowAt: nullish(quantityNumber, "Low-stock level of the pet, or of the shop; null where a pet has the shop's level."),
};

/** The former values of the fields that an entry changed. */
export const previousValues = record(
  'PreviousValues',
  'The former values of the fields that an entry changed, or of a record that it deleted; null for a field that had none.',
  changedFields,
);

/** The values that an entry set. */
export const currentValues = record('CurrentValues', 'The new values of the fields that an entry changed; null for a field that has none now.', changedFields);

/** The values that an entry set. */
export type CurrentValues = v.InferOutput<typeof currentValues>;

/** The former values of the fields that an entry changed; null for a field that had none. */
export type PreviousValues = v.InferOutput<typeof previousValues>;

/** One row of the append-only ledger, as the contract shows it; `at` is an RFC 3339 instant in UTC. */
export const ledgerEntry = record('LedgerEntry', 'One entry of the ledger. Entries are never changed or removed; an undo writes a new entry.', {
  id: field(idNumber, 'Identifier of the entry; a later entry has a greater one.'),
  at: field(dateTimeText, 'When it happened, in UTC.'),
  actor: field(nameText, 'Who made the change: the name of a token, or of a user of the command line.'),
  source: field(ledgerSource, 'The interface through which the change was made.'),
  kind: ledgerKind,
  petId: optional(idNumber, 'ID of the animal.'),
  orderId: optional(idNumber, 'ID of the order it belongs to.'),
  categoryId: optional(idNumber, 'ID of the category that was changed.'),
  delta: optional(wholeNumber, 'Units added; negative for units removed.'),
  quantityAfter: optional(wholeNumber, 'Units on hand after this entry.'),
  batchId: optional(idNumber, 'ID of the bulk import it belongs to.'),
  countId: optional(idNumber, 'ID of the count that was started, closed or cancelled.'),
  line: optional(wholeNumber, 'Line of the file, counted from 1.'),
  reverses: optional(idNumber, 'ID of the entry that this one undoes.'),
  undoneBy: optional(idNumber, 'ID of the entry that undoes this one.'),
  previous: v.optional(previousValues),
  current: v.optional(currentValues),
  note: optional(noteText, 'A note for the ledger.'),
});

/** One row of the append-only ledger. */
export type LedgerEntry = v.InferOutput<typeof ledgerEntry>;

/** The ledger entry in the examples of the OpenAPI document. */
export const exampleEntry: LedgerEntry = {
  id: 1208,
  at: '2026-11-20T09:30:00.000Z',
  actor: 'ana',
  source: 'http',
  kind: 'adjust',
  petId: 7,
  delta: 2,
  quantityAfter: 5,
  note: 'delivery 4711',
};

/** The id of a ledger entry in a path. */
export const entryIdParameter = pathId('entry', 1208, 'ledger entry');

/** A ledger row to be written; id, time, actor and source come from the transaction. */
export interface LedgerDraft extends Partial<Omit<LedgerEntry, 'id' | 'at' | 'actor' | 'source' | 'kind' | 'undoneBy'>> {
  readonly kind: LedgerKind;
  /** Set where fewer units are on hand than reserved after this row, which a user allowed. */
  readonly shortage?: boolean;
}

/** What a change that is part of an undo passes on to its ledger entry. */
export interface Undoing {
  /** The ledger entry that the change undoes. */
  readonly reverses?: number;
}

/** The fields that name the record of an entry. */
export const subjectFields = ['petId', 'orderId', 'categoryId'] as const satisfies readonly (keyof LedgerEntry)[];

/** A field that names the record of an entry. */
export type SubjectField = (typeof subjectFields)[number];

/** The record a version belongs to. */
export type LedgerSubject = { readonly [Field in SubjectField]: Readonly<Record<Field, number>> }[SubjectField];

/** A note as the ledger stores it. Refuses with `validation_failed` one that is too long or contains control characters. */
export function checkedNote(text: string): string {
  const note = normalizeText(text);
  const problem = noteProblem(note);
  if (problem !== undefined) throw invalidField('note', problem);
  return note;
}
