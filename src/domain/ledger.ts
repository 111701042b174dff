import * as v from 'valibot';
import { checkConditions } from './conditions.js';
import { StoreError } from './errors.js';
import { idNumber, wholeNumber } from './numbers.js';
import { lists, type Page } from './operation.js';
import { fewOf, page, pageParameters, type Slice } from './page.js';
import { nameText, noteProblem, noteText, tidy } from './text.js';
import type { Writing } from './transaction.js';
import { checkRange, dateTimeText, rangeEndText, rangeStartText } from './time.js';

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
  /** Set where the row leaves fewer units on hand than are promised, which somebody allowed. */
  readonly shortage?: boolean;
}

/** The record a version belongs to. */
export type LedgerSubject = { readonly petId: number } | { readonly orderId: number } | { readonly categoryId: number };

/** Which ledger rows are asked for. */
export interface LedgerFilter {
  readonly petId?: readonly number[] | undefined;
  readonly orderId?: readonly number[] | undefined;
  readonly batchId?: readonly number[] | undefined;
  readonly kind?: readonly LedgerKind[] | undefined;
  readonly actor?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The ledger, for reading. */
export interface LedgerReader {
  list(filter: LedgerFilter, slice: Slice<'id'>): Promise<readonly LedgerEntry[]>;
  count(filter: LedgerFilter, bound?: number): Promise<number>;
  get(id: number): Promise<LedgerEntry | undefined>;
  /** The row that took a row back. */
  undoneBy(id: number): Promise<number | undefined>;
  /** The id of a record's last row: the record's version. */
  version(subject: LedgerSubject): Promise<number>;
  /** When a record's first and last rows were written. */
  lifetime(subject: LedgerSubject): Promise<{ readonly createdAt: string; readonly updatedAt: string }>;
  /** The last row that moved units of a pet. */
  lastMovement(petId: number): Promise<LedgerEntry | undefined>;
}

/** The ledger. */
export interface LedgerWriter extends LedgerReader {
  append(draft: LedgerDraft): Promise<void>;
  /** Writes the row of every pet without a level of its own that crosses the store's low level as that changes. */
  appendCrossings(before: number | null, after: number | null): Promise<void>;
}

/** A note as the ledger keeps it, whichever door it came through; refuses one that is too long or could harm a terminal. */
export function checkedNote(text: string): string {
  const note = tidy(text);
  const problem = noteProblem(note);
  if (problem !== undefined) throw new StoreError('validation_failed', `note: ${problem}.`);
  return note;
}

/** Refuses to change a record that is not at the version the caller last saw. */
export async function checkVersion(tx: Writing, name: string, subject: LedgerSubject): Promise<void> {
  if (tx.ifMatch === undefined && tx.ifNoneMatch === undefined) return;
  checkConditions(tx, name, await tx.ledger.version(subject));
}

/** Lists ledger entries, oldest first unless asked otherwise. Refuses a range that ends before it starts with `invalid_parameter`. */
export const listLedger = lists({
  id: 'listLedger',
  summary: 'List ledger entries',
  tag: 'Store',
  stability: 'beta',
  path: '/store/ledger',
  input: v.strictObject({
    ...pageParameters(['id']),
    petId: v.optional(fewOf(idNumber)),
    orderId: v.optional(fewOf(idNumber)),
    batchId: v.optional(fewOf(idNumber)),
    kind: v.optional(fewOf(ledgerKind)),
    actor: v.optional(nameText),
    since: v.optional(rangeStartText),
    until: v.optional(rangeEndText),
  }),
  output: ledgerEntry,
  run: async (tx, { limit, cursor, sort, count, ...filter }): Promise<Page<LedgerEntry>> => {
    checkRange('since', filter.since, 'until', filter.until);
    return page('ledger', { limit, cursor, sort, count }, filter, {
      keys: { id: 'id' },
      list: (slice: Slice<'id'>) => tx.ledger.list(filter, slice),
      position: ({ id }) => ({ key: id, id }),
      total: () => tx.ledger.count(filter),
    });
  },
});
