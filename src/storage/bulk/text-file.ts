import { closeSync, readSync } from 'node:fs';
import { openTempFile, appendAll } from '../../formats/temp-file.js';

/** Texts kept in a private temporary file, so that any number of them takes little memory. */
export interface TextFile {
  /** Keeps a text; answers the position to ask for it, from 1. */
  readonly add: (text: string) => number;
  readonly at: (position: number) => string;
  readonly close: () => void;
}

const bytesTogether = 1 << 16;
/** The recent texts that are not written, or read, once more: most files repeat a few notes. */
const recentTexts = 256;
const lengthBytes = 4;

function remember<Key, Value>(recent: Map<Key, Value>, key: Key, value: Value): void {
  if (recent.size >= recentTexts) recent.clear();
  recent.set(key, value);
}

/** Opens a file for texts; the file is made with the first one. */
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
      // A copy: the text may be a piece of a much longer one.
      remember(positions, bytes.toString(), position);
      return position;
    },
    at: (position) => {
      const known = texts.get(position);
      if (known !== undefined) return known;
      if (position > written) flush();
      const start = position - 1;
      const text = read(start + lengthBytes, read(start, lengthBytes).readUInt32LE()).toString();
      remember(texts, position, text);
      return text;
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}
