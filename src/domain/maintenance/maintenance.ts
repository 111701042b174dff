/** The input of a backup. */
export interface BackupRequest {
  /** The file to write. */
  readonly file: string;
  /** Whether an existing file is replaced. */
  readonly force: boolean;
}

/** The state of a shop, described by the last entry of its ledger. */
export interface ShopState {
  /** Live pets. */
  readonly pets: number;
  /** The id of the newest ledger entry; 0 without entries. */
  readonly newestEntry: number;
  /** When that entry was written: RFC 3339, UTC. */
  readonly newestAt: string | undefined;
  readonly schemaVersion: number;
}

/** A backup that was written. */
export interface BackupReport extends ShopState {
  readonly file: string;
  readonly bytes: number;
  /** The SHA-256 of the file, hexadecimal. */
  readonly sha256: string;
  /** The names of the consistency checks that failed. */
  readonly unsound: readonly string[];
}

/** What a restore would replace, and with what. */
export interface RestorePlan {
  readonly store: string;
  readonly file: string;
  /** The state in the backup. */
  readonly backup: ShopState;
  /** The present state of the shop; `missing` also for an empty one, `damaged` where it cannot be read. */
  readonly present: ShopState | 'missing' | 'damaged';
  /** Whether the backup has a SHA-256 file, and it was compared. */
  readonly checked: boolean;
}

/** The input of a restore. */
export interface RestoreRequest {
  readonly file: string;
  readonly dryRun: boolean;
  /** Asks the user before anything is replaced; throws to stop. */
  readonly confirm: (plan: RestorePlan) => Promise<void>;
}

/** The result of a restore. */
export interface RestoreReport extends RestorePlan {
  readonly restored: boolean;
  /** The file with the shop as it was before. */
  readonly safety: string | undefined;
  /** The id of the ledger entry that records the restore. */
  readonly entry: number | undefined;
  /** The tokens that were revoked, because the present shop could not show whether they are still valid. */
  readonly revoked: readonly string[];
}

/** The result of one check. */
export interface Check {
  readonly name: string;
  readonly status: 'pass' | 'warn' | 'fail';
  readonly message: string;
}

/** The input of `doctor`. */
export interface DoctorRequest {
  readonly repair: boolean;
  readonly dryRun: boolean;
  /** Asks the user before anything is repaired; throws to stop. */
  readonly confirm: (repairs: readonly string[]) => Promise<void>;
}

/** The result of `doctor`. */
export interface DoctorReport {
  /** Whether no check failed. */
  readonly ok: boolean;
  readonly checks: readonly Check[];
  /** What was repaired, or would be in a dry run. */
  readonly repaired?: readonly string[];
}
