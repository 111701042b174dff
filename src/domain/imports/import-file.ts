/** A file to import: its bytes, and what to know to read them. */
export interface ImportFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The file's name; undefined is standard input. */
  readonly name?: string | undefined;
  readonly format?: 'csv' | 'tsv' | 'ndjson' | 'json' | undefined;
  readonly delimiter?: string | undefined;
  /** What each of their headers is called here. */
  readonly map: ReadonlyMap<string, string>;
  /** The most bytes it may have, unpacked; `maximumFileBytes` unless told otherwise. */
  readonly maximumBytes?: number | undefined;
}

/** A row as the file had it: its cells under the file's header, or a JSON record. */
export interface OriginalRow {
  readonly format: 'csv' | 'tsv' | 'ndjson' | 'json';
  readonly header: readonly string[];
  readonly original: readonly string[] | Readonly<Record<string, unknown>>;
}
