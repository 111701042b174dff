import { createHash } from 'node:crypto';
import { chownSync, closeSync, createReadStream, fsyncSync, linkSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StoreError } from '../../../domain/errors.js';
import { system } from '../../../system.js';

type Failure = NodeJS.ErrnoException;

/** Turns an error of the file system into a refusal; returns an unexpected error unchanged. */
export function explainFile(error: unknown, path: string): unknown {
  const { code } = error as Failure;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
    return new StoreError('store_full', `No space left to write ${path}; nothing was changed.`, {
      advice: 'Free some disk space and run the command again.',
    });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new StoreError('store_read_only', `${path} cannot be written.`, { advice: 'Check the permissions of the folder.' });
  return error;
}

/** Whether two paths refer to the same file, through symbolic or hard links too; false when one does not exist. */
export function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((name) => statSync(name, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
}

/** Creates an empty file with mode 0600 and returns its path. */
export function privateFile(path: string): string {
  closeSync(openSync(path, 'w', 0o600));
  return path;
}

/** Gives a file the owner and group of another, if the current user is allowed to. */
export function copyOwner(path: string, other: string): void {
  const { uid, gid } = statSync(other);
  try {
    chownSync(path, uid, gid);
  } catch (error) {
    if ((error as Failure).code !== 'EPERM') throw error;
  }
}

/** Flushes a file or folder to disk (fsync). */
export function syncToDisk(path: string): void {
  const isFolder = statSync(path).isDirectory();
  if (isFolder && !system.opensFolders) return;
  const descriptor = openSync(path, isFolder ? 'r' : 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The SHA-256 of a file, in hexadecimal digits. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Moves a finished file to its final path; refuses an existing one with `file_exists` unless `replace` is set. */
export function moveIntoPlace(from: string, to: string, replace: boolean): void {
  if (replace) return renameSync(from, to);
  try {
    // Unlike a rename, a link never replaces a file that was created in the meantime.
    linkSync(from, to);
  } catch (error) {
    const { code } = error as Failure;
    if (code === 'EEXIST') throw fileExists(to);
    // The file system may not support links.
    if (statSync(to, { throwIfNoEntry: false }) !== undefined) throw fileExists(to);
    return renameSync(from, to);
  }
  rmSync(from);
}

/** The refusal of a path that already has a file (`file_exists`). */
export function fileExists(path: string): StoreError {
  return new StoreError('file_exists', `${path} already exists.`);
}

/** The path without symbolic links, of a file that may not exist yet; its folder must exist. */
export function realPath(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? join(realpathSync(dirname(path)), basename(path)) : realpathSync(path);
}
