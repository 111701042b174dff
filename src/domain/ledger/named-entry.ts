import { ledgerEntry, exampleEntry } from './ledger-entry.js';
import { optional, record } from '../values/schemas.js';
import { nameText } from '../values/text.js';
import type * as v from 'valibot';

/** An entry of the ledger with the names of its pet and its category. */
export const namedEntry = record('NamedLedgerEntry', 'An entry of the ledger with the names of its pet and its category.', {
  ...ledgerEntry.entries,
  petName: optional(nameText, 'Name that the pet has now; absent for a token without `pets:read`.'),
  categoryName: optional(nameText, 'Name that the category has now; absent for a deleted one, and for a token without `pets:read`.'),
});

/** An entry of the ledger with the names of its pet and its category. */
export type NamedEntry = v.InferOutput<typeof namedEntry>;

/** The entry in the examples of the OpenAPI document. */
export const exampleNamedEntry: NamedEntry = { ...exampleEntry, petName: 'Rex' };
