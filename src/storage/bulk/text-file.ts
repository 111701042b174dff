import { closeSync, readSync } from 'node:fs';
import { openTempFile, appendAll } from '../../formats/temp-file.js';

/** Texts in a temporary file, to store any number of them in constant memory. */
export interface TextFile {
  /** Stores a text and returns its position, from 1. */
  readonly add: (text: string) => number;
  readonly at: (position: number) => string;
  readonly close: () => void;
}

const bytesTogether = 1 << 16;
/** The number of cached texts, and the most characters of one; most files repeat a few notes. */
const cachedTexts = 256;
const longestCached = 1000;
const lengthBytes = 4;

function remember<Key, Value>(recent: Map<Key, Value>, key: Key, value: Value, text: string): void {
  if (text.length > longestCached) return;
  if (recent.size >= cachedTexts) recent.clear();
  recent.set(key, value);
}

/** A store for texts; its file is created with the first write. */
export function textFile(): TextFile {
  const pending = Buffer.allocUnsafe(bytesTogether);
  const positions = new Map<string, number>();
  const texts = new Map<number, string>();
  let file: number | undefined;
  let written = 0;
  let filled = 0;
  const write = (bytes: Uint8Array): void => {
    file ??= openTempFile();
    appendAll(file, bytes);
    written += bytes.length;
  };
  const flush = (): void => {
    if (filled > 0) write(pending.subarray(0, filled));
    filled = 0;
  };
  const read = (start: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length);
    if (file !== undefined) readSync(file, bytes, 0, length, start);
    return bytes;
  };
  return {
    add: (text) => {
      const known = positions.get(text);
      if (known !== undefined) return known;
      const bytes = Buffer.from(text);
      if (filled + lengthBytes + bytes.length > bytesTogether) flush();
      const position = written + filled + 1;
      const head = Buffer.alloc(lengthBytes);
      head.writeUInt32LE(bytes.length);
      if (lengthBytes + bytes.length > bytesTogether) write(Buffer.concat([head, bytes]));
      else {
        filled += head.copy(pending, filled);
        filled += bytes.copy(pending, filled);
      }
      // Copied: `text` may be a slice that keeps a much longer string in memory.
      remember(positions, bytes.toString(), position, text);
      return position;
    },
    at: (position) => {
      const known = texts.get(position);
      if (known !== undefined) return known;
      if (position > written) flush();
      const start = position - 1;
      const text = read(start + lengthBytes, read(start, lengthBytes).readUInt32LE()).toString();
      remember(texts, position, text, text);
      return text;
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}

/** Rows in a temporary file, to keep any number of them in constant memory. */
export interface RowFile<Row> {
  readonly add: (rows: readonly Row[]) => void;
  /** The rows in blocks, as they were added. */
  readonly blocks: () => Generator<readonly Row[], void>;
  readonly close: () => void;
}

/** A store for rows that JSON can hold. */
export function rowFile<Row>(): RowFile<Row> {
  const texts = textFile();
  const positions: number[] = [];
  return {
    add: (rows) => {
      if (rows.length > 0) positions.push(texts.add(JSON.stringify(rows)));
    },
    blocks: function* blocks() {
      for (const position of positions) yield JSON.parse(texts.at(position)) as readonly Row[];
    },
    close: texts.close,
  };
}
