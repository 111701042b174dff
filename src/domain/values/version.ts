/** The key of the version of a second record in the same output. Used for the ETag only; as a symbol, it is not written to JSON. */
export const shownVersion = Symbol('shownVersion');

/** A record with its version for ETag and If-Match: the id of its last ledger row. */
export interface Versioned {
  readonly version?: number;
  readonly [shownVersion]?: number;
  /** Set in the answer to a write that has left the record as it was. */
  readonly unchanged?: true;
}

/** A record after a write, marked if the write has left it as it was before. */
export function afterWrite<Row extends Versioned>({ version }: Versioned, after: Row): Row {
  return after.version === version ? { ...after, unchanged: true } : after;
}
