import { createHash } from 'node:crypto';
import {
  chownSync,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { StoreError } from '../../../domain/errors.js';

type Failure = NodeJS.ErrnoException;

/** What a failure of the file system means to people. */
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

/** Whether two paths, through whatever names and links, lead to one file. */
export function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((name) => statSync(name, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
}

/** Makes an empty file that only its owner may read. */
export function privateFile(path: string): string {
  closeSync(openSync(path, 'w', 0o600));
  return path;
}

/** Gives a file the owner of another, if the current user may. */
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
  // Windows neither opens folders nor needs to.
  if (isFolder && platform() === 'win32') return;
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

/** The first bytes of a file, one character each; undefined for what is no file, such as a pipe or a device, which is not waited for. */
export function readStart(path: string, bytes: number): string | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) return undefined;
    const buffer = Buffer.alloc(bytes);
    return buffer.toString('latin1', 0, readSync(descriptor, buffer));
  } finally {
    closeSync(descriptor);
  }
}

/** Moves a file to its name; refuses an existing one with `file_exists` unless `replace` is set. */
export function moveIntoPlace(from: string, to: string, replace: boolean): void {
  if (replace) return renameSync(from, to);
  try {
    // Unlike a rename, a link never replaces a file that was created in the meantime.
    linkSync(from, to);
  } catch (error) {
    const { code } = error as Failure;
    if (code === 'EEXIST') throw fileExists(to);
    // A file system without links.
    if (statSync(to, { throwIfNoEntry: false }) !== undefined) throw fileExists(to);
    return renameSync(from, to);
  }
  rmSync(from);
}

/** The refusal of an existing file. */
export function fileExists(path: string): StoreError {
  return new StoreError('file_exists', `${path} already exists.`);
}

/** The real path of a file that may not be there yet; its folder is. */
export function realPath(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? join(realpathSync(dirname(path)), basename(path)) : realpathSync(path);
}
