/** The key of the version of a second record in the same output. Used for the ETag only; as a symbol, it is not written to JSON. */
export const shownVersion = Symbol('shownVersion');

/** A record with its version for ETag and If-Match: the id of its last ledger row. */
export interface Versioned {
  readonly version?: number;
  readonly [shownVersion]?: number;
}
