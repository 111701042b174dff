import { closeSync, readSync, write } from 'node:fs';
import { promisify } from 'node:util';
import { openTempFile, explainWriteFailure, appendAll } from './temp-file.js';

/** A copy of a byte stream in a temporary file. `tee` passes the stream through and stores it; `again` reads the copy. */
export interface StoredFile {
  readonly tee: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  readonly again: () => AsyncIterable<Uint8Array>;
  readonly close: () => void;
}

const bytesPerRead = 1 << 16;

/** Reads an open file from its beginning; `file` is its descriptor. */
export async function* bytesOf(file: number): AsyncGenerator<Uint8Array, void> {
  for (let position = 0; ;) {
    const buffer = new Uint8Array(bytesPerRead);
    const read = readSync(file, buffer, 0, bytesPerRead, position);
    if (read === 0) return;
    position += read;
    yield buffer.subarray(0, read);
  }
}

const writeAsync = promisify(write);

/** Writes a stream to a temporary file and returns the file descriptor. Writes are asynchronous, to keep the event loop free. */
export async function storeBytes(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const file = openTempFile();
  try {
    for await (const chunk of bytes) {
      for (let done = 0; done < chunk.length;) done += (await writeAsync(file, chunk, done)).bytesWritten;
    }
    return file;
  } catch (error) {
    closeSync(file);
    throw explainWriteFailure(error);
  }
}

/** Creates an empty stored file; the system deletes it when the process ends. */
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
