import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from '../domain/errors.js';

const noRoom = new Set(['ENOSPC', 'EFBIG', 'EDQUOT']);

/** What a failed write to a temporary file means: `store_full` where the disk has no room, otherwise the failure itself. */
export function explainWriteFailure(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && noRoom.has(String(error.code)))) return error;
  return new StoreError(
    'store_full',
    `There is no room left for temporary files in ${tmpdir()}; nothing was changed.`,
    'Free some disk space, or set TMPDIR to another folder.',
  );
}

/** Adds bytes to the end of a temporary file; `store_full` where the disk has no room for them. */
export function appendAll(file: number, bytes: Uint8Array): void {
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
  } catch (error) {
    throw explainWriteFailure(error);
  }
}

/** Opens a private temporary file that has no name any more: nothing is left behind, however the process ends. */
export function openTempFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-'));
  const file = openSync(join(folder, 'rows'), 'wx+', 0o600);
  rmSync(folder, { recursive: true, force: true });
  return file;
}
