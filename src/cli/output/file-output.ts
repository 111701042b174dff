import { accessSync, closeSync, constants, createWriteStream, lstatSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** A file being written. */
export interface FileOutput {
  readonly write: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What a command reads or changes while it writes a file. */
export interface InUse {
  /** The file it reads. */
  readonly file: string;
  /** Where the shop is; an address of a database or a server is no file. */
  readonly store: string;
}

/** Opens a named pipe without waiting for a reader, and throws if it has none; a later blocking open then returns at once. */
function openPipe(path: string): number | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) return undefined;
  return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
}

/** Opens a new file to write, which only its owner may read; refuses to replace one unless `replace`. Every error has the path. */
export function openOutput(path: string, replace: boolean): FileOutput {
  const pipe = openPipe(path);
  const stream = createWriteStream(path, { flags: replace ? 'w' : 'wx', mode: 0o600 });
  if (pipe !== undefined) stream.once('open', () => closeSync(pipe));
  // Node names the file when opening fails, but not when writing does.
  const named = (error: Error): Error => Object.assign(error, { path });
  let failure: Error | undefined;
  stream.on('error', (error) => (failure ??= named(error)));
  // What fails after the first failure only says that the stream is closed.
  const settled = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
    new Promise((done, reject) => start((error) => (error ? reject(failure ?? named(error)) : done())));
  return {
    write: (text) => settled((done) => void stream.write(text, done)),
    close: () => settled((done) => void stream.end(done)),
  };
}

const maximumLinks = 40;

/** The real path of a file, also of one that does not exist yet; undefined if its folder does not exist. */
function canonical(path: string, links = maximumLinks): string | undefined {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return realpathSync(path);
  // Writing through a dangling link creates the file that it names.
  if (links > 0 && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    return canonical(resolve(dirname(path), readlinkSync(path)), links - 1);
  const folder = dirname(path);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? join(realpathSync(folder), basename(path)) : undefined;
}

/** The file of a shop and the files that SQLite keeps, or would create, beside it. */
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

/** Why a file must not be written at a path, as the end of a sentence about it; undefined if it may. */
export function targetProblem(path: string, { file, store }: InUse): string | undefined {
  const name = canonical(path);
  if (name === undefined) return 'is in a folder that does not exist';
  const target = statSync(path, { throwIfNoEntry: false });
  if (target?.isDirectory() === true) return 'is a folder';
  if (target?.isSocket() === true) return 'is a socket';
  if (target?.isBlockDevice() === true) return 'is a disk';
  if (!isWritable(target === undefined ? dirname(name) : name)) return 'cannot be written: permission denied';
  const isTarget = (used: string): boolean => {
    if (canonical(used) === name) return true;
    // Hard links have different names.
    const found = target && statSync(used, { throwIfNoEntry: false });
    return found !== undefined && found.dev === target?.dev && found.ino === target.ino;
  };
  return [file, ...filesOfShop(store)].some(isTarget) ? 'is in use by this command' : undefined;
}
