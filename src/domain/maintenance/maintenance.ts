/** What a backup is asked for. */
export interface BackupRequest {
  /** The file to write. */
  readonly file: string;
  /** Whether a file that stands there is replaced. */
  readonly force: boolean;
}

/** A state of a shop: how far its ledger goes. */
export interface ShopState {
  /** Live pets. */
  readonly pets: number;
  /** The newest entry of the ledger, 0 without any. */
  readonly newestEntry: number;
  /** When that was written; an RFC 3339 instant in UTC. */
  readonly newestAt: string | undefined;
  readonly schemaVersion: number;
}

/** A backup that was written. */
export interface BackupReport extends ShopState {
  readonly file: string;
  readonly bytes: number;
  /** The SHA-256 of its bytes, in hexadecimal digits. */
  readonly sha256: string;
  /** The checks of the shop's own numbers that did not pass. */
  readonly unsound: readonly string[];
}

/** What becomes of a shop that is restored. */
export interface RestorePlan {
  readonly store: string;
  readonly file: string;
  /** What the shop is to be again. */
  readonly backup: ShopState;
  /** What it is now; a shop that is missing or empty loses nothing, a damaged one cannot be read. */
  readonly present: ShopState | 'missing' | 'damaged';
  /** Whether the SHA-256 beside the backup was compared; there may be none. */
  readonly checked: boolean;
}

/** What a restore is asked for. */
export interface RestoreRequest {
  readonly file: string;
  readonly dryRun: boolean;
  /** Asks before anything is replaced. */
  readonly confirm: (plan: RestorePlan) => Promise<void>;
}

/** What a restore came to. */
export interface RestoreReport extends RestorePlan {
  readonly restored: boolean;
  /** Where the shop as it was before is kept. */
  readonly safety: string | undefined;
  /** The ledger entry that tells of the restore. */
  readonly entry: number | undefined;
  /** The names of the tokens that were revoked, because the present shop could not tell whether they still held. */
  readonly revoked: readonly string[];
}

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly status: 'pass' | 'warn' | 'fail';
  readonly message: string;
}

/** What a check-up is asked for. */
export interface DoctorRequest {
  readonly repair: boolean;
  readonly dryRun: boolean;
  /** Asks before anything is mended. */
  readonly confirm: (mends: readonly string[]) => Promise<void>;
}

/** What a check-up found. */
export interface DoctorReport {
  /** Whether no check failed. */
  readonly ok: boolean;
  readonly checks: readonly Check[];
  /** What was mended, or would be. */
  readonly repaired?: readonly string[];
}
