import * as v from 'valibot';
import { StoreError } from '../errors.js';
import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { nameText, noteProblem, noteText, tidy } from '../values/text.js';
import { dateTimeText } from '../values/time.js';

/** Ledger kinds that move units. */
export const movementKinds = ['opening', 'count', 'adjust', 'sale', 'return', 'undo'] as const;

const factKinds = [
  'pet.updated',
  'pet.held',
  'pet.released',
  'pet.archived',
  'category.created',
  'category.updated',
  'category.archived',
  'order.placed',
  'order.updated',
  'order.cancelled',
  'inventory.low',
  'inventory.restocked',
  'shop.restored',
] as const;

/** What a ledger row can record. */
export const ledgerKind = v.picklist([...movementKinds, ...factKinds], 'must be a kind of ledger entry');

/** What a ledger row can record. */
export type LedgerKind = v.InferOutput<typeof ledgerKind>;

/** Which door a change came through. */
export const ledgerSource = v.picklist(['cli', 'http', 'import']);

/** Which door a change came through. */
export type LedgerSource = v.InferOutput<typeof ledgerSource>;

/** One row of the append-only ledger, as the contract shows it; `at` is an RFC 3339 instant in UTC. */
export const ledgerEntry = v.object({
  id: idNumber,
  at: dateTimeText,
  actor: nameText,
  source: ledgerSource,
  kind: ledgerKind,
  petId: v.optional(idNumber),
  orderId: v.optional(idNumber),
  categoryId: v.optional(idNumber),
  delta: v.optional(wholeNumber),
  quantityAfter: v.optional(wholeNumber),
  batchId: v.optional(idNumber),
  line: v.optional(wholeNumber),
  reverses: v.optional(idNumber),
  note: v.optional(noteText),
});

/** One row of the append-only ledger. */
export type LedgerEntry = v.InferOutput<typeof ledgerEntry>;

/** A ledger row about to be written; id, time, actor and source come from the transaction. */
export interface LedgerDraft extends Partial<Omit<LedgerEntry, 'id' | 'at' | 'actor' | 'source' | 'kind'>> {
  readonly kind: LedgerKind;
  /** Set where the row leaves fewer units on hand than are reserved, which somebody allowed. */
  readonly shortage?: boolean;
}

/** The record a version belongs to. */
export type LedgerSubject = { readonly petId: number } | { readonly orderId: number } | { readonly categoryId: number };

/** A note as the ledger keeps it, whichever door it came through; refuses one that is too long or could harm a terminal. */
export function checkedNote(text: string): string {
  const note = tidy(text);
  const problem = noteProblem(note);
  if (problem !== undefined) throw new StoreError('validation_failed', `note: ${problem}.`);
  return note;
}
