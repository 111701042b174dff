import { closeSync, readSync, write } from 'node:fs';
import { promisify } from 'node:util';
import { openTempFile, explainWriteFailure, appendAll } from './temp-file.js';

/** Bytes kept in a private temporary file while they pass, to be read a second time. */
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

/** Keeps bytes in a file without a name as they arrive, without a wait for the disk on this thread; answers the open file. */
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

/** A stored file in a file without a name, which goes with the process. */
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
