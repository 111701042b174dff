import { closeSync, readSync } from 'node:fs';
import { namelessFile, writeWhole } from './temp-file.js';

/** Bytes kept in a private temporary file while they pass, to be read a second time. */
export interface Spool {
  readonly tee: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  readonly again: () => AsyncIterable<Uint8Array>;
  readonly close: () => void;
}

const bytesPerRead = 1 << 16;

/** A spool in a file without a name, which goes with the process. */
export function spool(): Spool {
  const file = namelessFile();
  return {
    tee: async function* tee(bytes) {
      for await (const chunk of bytes) {
        writeWhole(file, chunk);
        yield chunk;
      }
    },
    again: async function* again() {
      for (let position = 0; ;) {
        const buffer = new Uint8Array(bytesPerRead);
        const read = readSync(file, buffer, 0, bytesPerRead, position);
        if (read === 0) return;
        position += read;
        yield buffer.subarray(0, read);
      }
    },
    close: () => closeSync(file),
  };
}
