import { wholeNumber } from './numbers.js';
import { optional } from './schemas.js';
import * as v from 'valibot';

/** The key of the version of a second record in the same output. Used for the ETag only; as a symbol, it is not written to JSON. */
export const shownVersion = Symbol('shownVersion');

/** The fields of complete records that say which version they are. */
export const versionFields = {
  version: optional(wholeNumber, 'Version of the record, the same as in its ETag.'),
  unchanged: optional(v.literal(true), 'Set in the response to a change that has left the record as it was.'),
};

/** A record with its version for ETag and If-Match: the id of its last ledger row. */
export interface Versioned {
  readonly version?: number | undefined;
  readonly [shownVersion]?: number;
  /** Set in the answer to a write that has left the record as it was. */
  readonly unchanged?: true | undefined;
}

/** A record after a write, marked if the write has left it as it was before. */
export function afterWrite<Row extends Versioned>({ version }: Versioned, after: Row): Row {
  return after.version === version ? { ...after, unchanged: true } : after;
}
