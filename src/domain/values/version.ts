/** Under this key an output holds the version of another record that it shows as well; it is for the ETag only, and not written as JSON. */
export const shownVersion = Symbol('shownVersion');

/** A record that says which of its ledger rows was the last: its version, for ETag and If-Match. */
export interface Versioned {
  readonly version?: number;
  readonly [shownVersion]?: number;
}
