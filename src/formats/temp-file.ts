import { mkdtempSync, openSync, rmdirSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from '../domain/errors.js';

const diskFullCodes = new Set(['ENOSPC', 'EFBIG', 'EDQUOT']);

/** Turns a full disk into `store_full`; returns any other error unchanged. */
export function explainWriteFailure(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && diskFullCodes.has(String(error.code)))) return error;
  return new StoreError('store_full', `No space left for temporary files in ${tmpdir()}; nothing was changed.`, {
    advice: 'Free some disk space, or set TMPDIR to another folder.',
  });
}

/** Appends bytes to a temporary file; refuses with `store_full` when the disk is full. */
export function appendAll(file: number, bytes: Uint8Array): void {
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
  } catch (error) {
    throw explainWriteFailure(error);
  }
}

/** Opens a temporary file with mode 0600 and unlinks it: the system deletes it when the process ends. Refuses with `store_full` when the disk is full. */
export function openTempFile(): number {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'petstore-'));
    const path = join(folder, 'rows');
    const file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return file;
  } catch (error) {
    throw explainWriteFailure(error);
  } finally {
    // Not `rmSync`, which first loads a module of Node.
    if (folder !== undefined) rmdirSync(folder);
  }
}
