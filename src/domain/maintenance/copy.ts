/** A table of a shop as it was copied. */
export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
  /** The SHA-256 of its rows in the order of their key, in hexadecimal digits. */
  readonly sha256: string;
}

/** What a copy is asked for. */
export interface CopyRequest {
  /** Where the shop lives: the path of a file, or the address of a database. */
  readonly from: string;
  readonly to: string;
  /** Reads and counts, and writes nothing. */
  readonly dryRun: boolean;
  /** Told now and then how many rows were handled, of how many. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What a copy came to. */
export interface CopyReport {
  /** Both places as people may read them. */
  readonly from: string;
  readonly to: string;
  readonly tables: readonly CopiedTable[];
  /** Whether what arrived was compared with what was read. */
  readonly verified: boolean;
}
