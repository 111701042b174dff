import { rowError, type RowError } from './row-error.js';
import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { dateTimeText } from '../values/time.js';
import * as v from 'valibot';

/** Whether one bad row refuses the whole file, or only itself. */
export const importMode = v.picklist(['atomic', 'keep-going'], 'must be atomic or keep-going');

/** Whether one bad row refuses the whole file, or only itself. */
export type ImportMode = v.InferOutput<typeof importMode>;

/** One bulk import, as it is kept. */
export const batch = v.object({
  id: idNumber,
  kind: v.picklist(['stock', 'pets']),
  state: v.picklist(['applied', 'partial', 'refused', 'undone']),
  key: v.string(),
  sha256: v.string(),
  actor: v.string(),
  at: dateTimeText,
  mode: importMode,
  note: v.optional(v.string()),
  total: wholeNumber,
  applied: wholeNumber,
  unchanged: wholeNumber,
  rejected: wholeNumber,
});

/** One bulk import, as it is kept. */
export type Batch = v.InferOutput<typeof batch>;

/** A bulk import with the errors of its rows, the first 1,000. */
export const batchDetails = v.object({ ...batch.entries, errors: v.array(rowError) });

/** A bulk import with the errors of its rows, the first 1,000. */
export interface BatchDetails extends Batch {
  readonly errors: readonly RowError[];
}

/** What became of a batch that brought in `done` rows (applied, or as they should be already) and refused some. */
export function batchState(done: number, rejected: number): 'applied' | 'partial' | 'refused' {
  if (rejected === 0) return 'applied';
  return done > 0 ? 'partial' : 'refused';
}
