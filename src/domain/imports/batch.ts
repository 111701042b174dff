import type { Sender } from '../sender.js';
import { rowError, type RowError } from './row-error.js';
import { idNumber, pathId } from '../values/ids.js';
import { record, field, optional } from '../values/schemas.js';
import { wholeNumber } from '../values/numbers.js';
import { dateTimeText } from '../values/time.js';
import * as v from 'valibot';

/** Whether an invalid row refuses the whole file, or only itself. */
export const importMode = v.pipe(
  v.picklist(['atomic', 'keep-going'], 'must be atomic or keep-going'),
  v.metadata({ record: 'ImportMode' }),
  v.description('Whether an invalid row refuses the whole file (`atomic`), or only itself (`keep-going`).'),
);

/** Whether an invalid row refuses the whole file, or only itself. */
export type ImportMode = v.InferOutput<typeof importMode>;

/** One bulk import, as stored. */
export const batch = record('Batch', 'One bulk import.', {
  id: field(idNumber, 'Identifier of the import.'),
  kind: field(v.picklist(['stock', 'pets', 'codes', 'count']), 'What was imported; `count` for the changes that closing a count made.'),
  state: field(v.picklist(['applied', 'partial', 'refused', 'undone']), 'The result of the import.'),
  key: field(v.string(), 'The idempotency key of the request, or the digest of the file.'),
  sha256: field(v.string(), 'SHA-256 of the file, hexadecimal.'),
  actor: field(v.string(), 'Who imported the file: the name of a token, or of a user of the command line.'),
  at: field(dateTimeText, 'When it happened, in UTC.'),
  mode: importMode,
  countId: optional(idNumber, 'ID of the count whose close made these changes.'),
  note: optional(v.string(), 'A note for the ledger.'),
  fileName: optional(v.string(), 'The name of the file without its folder, if the client gave one.'),
  total: field(wholeNumber, 'Number of rows.'),
  applied: field(wholeNumber, 'Number of rows that changed the shop.'),
  unchanged: field(wholeNumber, 'Number of rows that changed nothing.'),
  rejected: field(wholeNumber, 'Number of rows that were refused.'),
});

/** One bulk import, as stored. */
export type Batch = v.InferOutput<typeof batch>;

/** The bulk import in the examples of the OpenAPI document. */
export const exampleBatch: Batch = {
  id: 41,
  kind: 'stock',
  state: 'applied',
  key: 'invoice 4711',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  actor: 'ana',
  at: '2026-11-20T09:30:00.000Z',
  mode: 'atomic',
  fileName: 'delivery.csv',
  total: 2,
  applied: 2,
  unchanged: 0,
  rejected: 0,
};

/** The id of a bulk import in a path. */
export const batchIdParameter = pathId('batch', 41, 'bulk import');

/** A bulk import with the errors of its rows, the first 1,000. */
export const batchDetails = record('BatchDetails', 'One bulk import with the errors of its rows, the first 1,000.', {
  ...batch.entries,
  errors: field(v.array(rowError), 'The errors of the rows, the first 1,000.'),
});

/** A bulk import with the errors of its rows, the first 1,000. */
export interface BatchDetails extends Batch {
  readonly errors: readonly RowError[];
}

/** How a repeated import is recognised. */
export interface BatchKey extends Pick<Batch, 'kind' | 'key'> {
  /** The sender who chose the key; undefined for the digest of the file, which is the same for all senders. */
  readonly sender: Sender | undefined;
}

/** The state of a batch with `done` rows that were applied or changed nothing, and `rejected` rows. */
export function batchState(done: number, rejected: number): 'applied' | 'partial' | 'refused' {
  if (rejected === 0) return 'applied';
  return done > 0 ? 'partial' : 'refused';
}
