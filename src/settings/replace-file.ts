import { chmodSync, chownSync, renameSync, rmSync, statSync, writeFileSync, type Stats } from 'node:fs';

/** How a file is replaced. */
export interface ReplaceOptions {
  /** The path of the new file until it is complete, in the same folder. */
  readonly draft: string;
  /** The permissions of the new file; without it those of the old one. */
  readonly mode?: number;
}

function copyOwner({ uid, gid }: Stats, draft: string): void {
  try {
    chownSync(draft, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/**
 * Replaces a file, or creates it, atomically: writes a draft, flushes it to disk and renames it. The new file has the owner and
 * the permissions of the old one. Throws errors of the file system.
 */
export function replaceFile(path: string, content: string | Uint8Array, { draft, mode }: ReplaceOptions): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // Exclusively, because another user may have put a link there.
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, content, { flag: 'wx', flush: true, mode });
    if (found) copyOwner(found, draft);
    const permissions = mode ?? found?.mode;
    if (permissions !== undefined) chmodSync(draft, permissions & 0o7777);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
