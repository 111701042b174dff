import type { Conditions } from './conditions.js';
import type { Lines } from './values/pages.js';
import type { ListOperation, Operation } from './operation.js';

/** What a caller may say about one request besides its input. */
export interface CallOptions extends Conditions {
  /** Runs everything and keeps nothing. */
  readonly dryRun?: boolean | undefined;
  /** Repeats under the same key answer the first answer again and change nothing. */
  readonly key?: string | undefined;
  /** Goes into every ledger row of the request. */
  readonly note?: string | undefined;
  /** Told when the answer was replayed from an earlier request. */
  readonly onReplay?: () => void;
}

/** Asks one operation of a shop, wherever it lives. */
export type Call = <RawInput, Input, Output>(operation: Operation<RawInput, Input, Output>, input: RawInput, options?: CallOptions) => Promise<Output>;

/** Asks for a list as lines of TSV; undefined where the shop has no quicker way to them than its records. */
export type ListLines = <RawInput, Input, Item>(
  operation: ListOperation<RawInput, Input, Item>,
  input: RawInput,
  columns: readonly string[],
  limit: number,
) => AsyncIterable<Lines> | undefined;
