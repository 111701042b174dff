import { closeSync, readSync } from 'node:fs';
import { appendAll, openTempFile } from '../../formats/temp-file.js';

/** Rows in a temporary file, to keep any number of them in constant memory. */
export interface RowFile<Row> {
  readonly add: (rows: readonly Row[]) => void;
  /** The rows in blocks, as they were added. */
  readonly blocks: () => Generator<readonly Row[], void>;
  readonly close: () => void;
}

/** A store for rows that JSON can hold; its file is created with the first ones. */
export function rowFile<Row>(): RowFile<Row> {
  const lengths: number[] = [];
  let file: number | undefined;
  return {
    add: (rows) => {
      if (rows.length === 0) return;
      const bytes = Buffer.from(JSON.stringify(rows));
      file ??= openTempFile();
      appendAll(file, bytes);
      lengths.push(bytes.length);
    },
    blocks: function* blocks() {
      let start = 0;
      for (const length of lengths) {
        const bytes = Buffer.allocUnsafe(length);
        if (file !== undefined) readSync(file, bytes, 0, length, start);
        start += length;
        yield JSON.parse(bytes.toString()) as readonly Row[];
      }
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}
