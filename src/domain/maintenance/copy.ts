/** A copied table. */
export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
  /** The SHA-256 of the rows, sorted by key; hexadecimal. */
  readonly sha256: string;
}

/** The input of a copy. */
export interface CopyRequest {
  /** The store to read: the path of a file, or the address of a database. */
  readonly from: string;
  readonly to: string;
  /** Reads and counts, and writes nothing. */
  readonly dryRun: boolean;
  /** Called now and then with the number of rows copied so far, and the total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The result of a copy. */
export interface CopyReport {
  /** Both store addresses for display, without passwords. */
  readonly from: string;
  readonly to: string;
  readonly tables: readonly CopiedTable[];
  /** Whether the rows written were compared with the rows read. */
  readonly verified: boolean;
}
