import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../domain/errors.js';
import { explain } from './errors.js';
import { makeFolder } from '../../system.js';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'cannot be accessed: permission denied',
  EPERM: 'cannot be accessed: permission denied',
  ELOOP: 'is a link to itself',
  ENAMETOOLONG: 'has a name that is too long',
};

/** The status of a path, undefined when nothing exists; refuses an inaccessible path with `store_unreadable`. */
export function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new StoreError('store_unreadable', `${path} ${reasons[code] ?? `cannot be used (${code})`}.`, { advice: 'Check the path and its permissions.' });
  }
}

/** Creates the file of a shop when it is missing; returns whether it did. */
export function createFile(path: string): boolean {
  if (existsSync(path)) return false;
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError('store_unreadable', `${path} cannot be created: ${reason}.`, { details: { reason: 'unusable_path' } });
  }
}

/** Refuses a file that cannot be written to with `store_read_only`: neither it, nor the log that SQLite keeps in its folder. */
export function checkWritableFile(path: string): void {
  try {
    for (const one of [path, dirname(path)]) accessSync(one, constants.W_OK);
  } catch {
    throw new StoreError('store_read_only', `${path} cannot be written to.`, { advice: 'Check the permissions of the file and of its folder.' });
  }
}

/** Refuses a path without a file: `store_missing` or `store_unreadable`. */
export function checkFile(path: string): void {
  const found = statIfExists(path);
  if (found === undefined) {
    throw new StoreError('store_missing', `There is no shop at ${path}.`);
  }
  if (!found.isFile()) throw new StoreError('store_unreadable', `${path} is not a file.`, { details: { reason: 'unusable_path' } });
}

/** The file of an open shop. */
export interface OpenFile {
  readonly path: string;
  /** How long to wait for its locks. */
  readonly waitSeconds: number;
  /** See `sameFileCheck`. */
  readonly checkUnchanged: () => void;
}

/** Returns a function that refuses with `store_unreadable` when the file was removed or replaced, because writes to it would be lost. */
export function sameFileCheck(path: string): () => void {
  const { dev, ino } = statSync(path);
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now?.ino === ino && now.dev === dev) return;
    throw new StoreError('store_unreadable', `${path} was ${now ? 'replaced by another file' : 'removed'} while it was in use.`, {
      advice: 'Start the program again.',
    });
  };
}

/** Sets the mode of a file to 0600, if the current user is allowed to; SQLite gives -wal and -shm the same mode. */
export function restrictToOwner(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw explain(error, path);
  }
}
