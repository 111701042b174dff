import { closeSync, readSync, write } from 'node:fs';
import { promisify } from 'node:util';
import { openTempFile, explainWriteFailure, appendAll } from './temp-file.js';

/** A copy of a byte stream in a private temporary file, for a second pass. */
export interface StoredFile {
  readonly tee: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  readonly again: () => AsyncIterable<Uint8Array>;
  readonly close: () => void;
}

const bytesPerRead = 1 << 16;

/** The bytes of an open file from its beginning. */
export async function* bytesOf(file: number): AsyncGenerator<Uint8Array, void> {
  for (let position = 0; ;) {
    const buffer = new Uint8Array(bytesPerRead);
    const read = readSync(file, buffer, 0, bytesPerRead, position);
    if (read === 0) return;
    position += read;
    yield buffer.subarray(0, read);
  }
}

const writeLater = promisify(write);

/** Writes a stream to a temporary file with asynchronous writes, so that the event loop keeps running; returns the descriptor. */
export async function storeBytes(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const file = openTempFile();
  try {
    for await (const chunk of bytes) {
      for (let done = 0; done < chunk.length;) done += (await writeLater(file, chunk, done)).bytesWritten;
    }
    return file;
  } catch (error) {
    closeSync(file);
    throw explainWriteFailure(error);
  }
}

/** Creates a stored file; it disappears with the process. */
export function storedFile(): StoredFile {
  const file = openTempFile();
  return {
    tee: async function* tee(bytes) {
      for await (const chunk of bytes) {
        appendAll(file, chunk);
        yield chunk;
      }
    },
    again: () => bytesOf(file),
    close: () => closeSync(file),
  };
}
