import { accessSync, appendFile, closeSync, constants, lstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const append = promisify(appendFile);

/** A file being written. */
export interface FileOutput {
  readonly write: (text: string) => Promise<void>;
  readonly close: () => void;
}

/** What a command reads or changes while it writes a file. */
interface InUse {
  /** The file it reads. */
  readonly file: string;
  /** The store address. Only a path of an SQLite file is compared with the target. */
  readonly store: string;
}

/** Opens a named pipe without blocking and throws `ENXIO` if it has no reader. While it is open, opening it again does not block. */
function openPipe(path: string): number | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) return undefined;
  return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
}

/** Creates a file with mode 0600, or empties the one that is there, and opens it for writing. Every error has the path. */
export function openOutput(path: string): FileOutput {
  const pipe = openPipe(path);
  const file = openSync(path, 'w', 0o600);
  if (pipe !== undefined) closeSync(pipe);
  return {
    write: (text) =>
      append(file, text).catch((error: unknown) => {
        // Node adds the path to errors of opening, but not of writing.
        throw Object.assign(error as Error, { path });
      }),
    close: () => closeSync(file),
  };
}

/** The path of a file with its folder resolved; the file may not exist yet. Undefined if its folder does not exist. */
function canonical(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return realpathSync(path);
  const folder = dirname(path);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? join(realpathSync(folder), basename(path)) : undefined;
}

/** The file of a shop and the files that SQLite uses with it, existing or not. */
function filesOfShop(store: string): readonly string[] {
  const file = canonical(store);
  return file === undefined ? [] : ['', '-journal', '-wal', '-shm'].map((suffix) => `${file}${suffix}`);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why a command must not write to a path, as the end of a sentence after the path; undefined if it may. */
export function targetProblem(path: string, { file, store }: InUse): string | undefined {
  const name = canonical(path);
  if (name === undefined) return 'is in a folder that does not exist';
  const target = statSync(path, { throwIfNoEntry: false });
  // Writing to it would create its target, which can be a file of the shop.
  if (target === undefined && lstatSync(path, { throwIfNoEntry: false }) !== undefined) return 'is a link to a file that does not exist';
  if (target?.isDirectory() === true) return 'is a folder';
  if (target?.isSocket() === true) return 'is a socket';
  if (target?.isBlockDevice() === true) return 'is a block device';
  if (!isWritable(target === undefined ? dirname(name) : path)) return 'cannot be written: permission denied';
  const isTarget = (used: string): boolean => {
    if (canonical(used) === name) return true;
    // Two hard links to one file have different paths.
    const found = target && statSync(used, { throwIfNoEntry: false });
    return found !== undefined && found.dev === target?.dev && found.ino === target.ino;
  };
  return [file, ...filesOfShop(store)].some(isTarget) ? 'is in use by this command' : undefined;
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be accessed: permission denied',
  EISDIR: 'is a folder',
  EPERM: 'cannot be accessed: permission denied',
  ENOTDIR: 'has a parent that is not a folder',
  ENOSPC: 'cannot be written: the disk is full',
  ENXIO: 'is a pipe without a reader',
  ELOOP: 'is a link to itself',
  ENAMETOOLONG: 'has a name that is too long',
};

/** Why a file cannot be read or written, as the end of a sentence after its path; `code` is the error code of Node. */
export function fileProblem(code: string): string {
  return fileProblems[code] ?? `cannot be used (${code})`;
}
