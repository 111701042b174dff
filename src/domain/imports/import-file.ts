/** The most rows of one file. */
export const maximumRows = 20_000_000;

/** The most bytes of one file, after decompression. */
export const maximumFileBytes = 4 * 1024 * 1024 * 1024;

/** A file to import, and how to read it. */
export interface ImportFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The file name; undefined for standard input. */
  readonly name?: string | undefined;
  readonly format?: 'csv' | 'tsv' | 'ndjson' | 'json' | undefined;
  readonly delimiter?: string | undefined;
  /** Renamed columns: from the header in the file to the name of the column here. */
  readonly map: ReadonlyMap<string, string>;
  /** The most bytes after decompression. Default: `maximumFileBytes`. */
  readonly maximumBytes?: number | undefined;
}

/** A row as in the file: its cells and the header, or a JSON record. */
export interface OriginalRow {
  readonly format: 'csv' | 'tsv' | 'ndjson' | 'json';
  readonly header: readonly string[];
  readonly original: readonly string[] | Readonly<Record<string, unknown>>;
}
