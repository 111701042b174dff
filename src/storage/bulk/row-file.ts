import { closeSync, readSync } from 'node:fs';
import { appendAll, openTempFile } from '../../formats/temp-file.js';
import type { Cell } from '../queries.js';

/** Rows in a temporary file, to keep any number of them in constant memory. */
export interface RowFile {
  readonly add: (rows: readonly (readonly Cell[])[]) => void;
  /** How many rows were added. */
  readonly size: () => number;
  /** The rows in blocks, as they were added. */
  readonly blocks: () => Generator<readonly (readonly Cell[])[], void>;
  readonly close: () => void;
}

/** A store for rows; its file is created with the first ones. */
export function rowFile(): RowFile {
  const lengths: number[] = [];
  let file: number | undefined;
  let size = 0;
  return {
    add: (rows) => {
      if (rows.length === 0) return;
      const bytes = Buffer.from(JSON.stringify(rows));
      file ??= openTempFile();
      appendAll(file, bytes);
      lengths.push(bytes.length);
      size += rows.length;
    },
    size: () => size,
    blocks: function* blocks() {
      let start = 0;
      for (const length of lengths) {
        const bytes = Buffer.allocUnsafe(length);
        if (file !== undefined) readSync(file, bytes, 0, length, start);
        start += length;
        yield JSON.parse(bytes.toString()) as readonly (readonly Cell[])[];
      }
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}
