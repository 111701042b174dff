import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Environment } from '../settings.js';

/** Thrown by a write after the reader of a pipe has gone; the command ends well. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/** A stream that people or programs read. */
export interface Output {
  /** Writes text and settles when more may follow. */
  readonly write: (text: string) => Promise<void>;
  readonly isTerminal: boolean;
  /** The stream itself, for a package that draws on it. */
  readonly stream?: NodeJS.WritableStream;
  /** The width of the terminal in cells. */
  readonly columns: number;
}

/** The outside world as a command sees it. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: { readonly isTerminal: boolean; readonly bytes: () => AsyncIterable<Uint8Array> };
  readonly environment: Environment;
  /** The present instant, ms since 1970. */
  readonly now: () => number;
  readonly readFile: (path: string) => AsyncIterable<Uint8Array>;
  /** The size of a file in bytes, or undefined when it cannot be told. */
  readonly sizeOf: (path: string) => number | undefined;
  /** Why a file cannot be written there without harm to the folder or to one of the files in use, or undefined. */
  readonly targetProblem: (path: string, inUse: readonly string[]) => string | undefined;
  /** Opens a new file to write; refuses to replace one unless `replace`. */
  readonly writeFile: (path: string, replace: boolean) => FileOutput;
}

/** A file being written. */
export interface FileOutput {
  readonly write: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const defaultColumns = 80;

/** A stream of this process. Nobody has to read what stands beside the result: then `closed` passes it over. */
function output(stream: WriteStream | NodeJS.WriteStream, forced: number | undefined, name: string, closed: 'ends' | 'is passed over'): Output {
  let failed: NodeJS.ErrnoException | undefined;
  // Every failure reaches the command through its write.
  stream.on('error', (error: NodeJS.ErrnoException) => (failed ??= error));
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        const settle = (error: NodeJS.ErrnoException | null | undefined): void => {
          if (!error || (error.code === 'EPIPE' && closed === 'is passed over')) return resolve();
          return reject(error.code === 'EPIPE' ? new ClosedPipe() : Object.assign(error, { path: name }));
        };
        if (failed) return settle(failed);
        stream.write(text, settle);
      }),
    stream,
    isTerminal: forced !== undefined || stream.isTTY,
    columns: forced ?? (stream.columns || defaultColumns),
  };
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}

function fileOutput(path: string, replace: boolean): FileOutput {
  const stream = createWriteStream(path, { flags: replace ? 'w' : 'wx', mode: 0o600 });
  const failed = new Promise<never>((_, reject) => stream.once('error', reject));
  failed.catch(() => undefined);
  return {
    write: (text) => Promise.race([failed, settled((done) => void stream.write(text, done))]),
    close: () => Promise.race([failed, settled((done) => void stream.end(done))]),
  };
}

/** The bytes of a file; also an error of a read, such as that of a folder, names the file. */
async function* fileInput(path: string): AsyncGenerator<Uint8Array, void> {
  try {
    yield* createReadStream(path, { highWaterMark: 1 << 18 });
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

function targetProblem(path: string, inUse: readonly string[]): string | undefined {
  const target = statSync(path, { throwIfNoEntry: false });
  if (target === undefined)
    return statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true ? undefined : 'lies in a folder that does not exist';
  if (target.isDirectory()) return 'is a folder';
  const same = inUse.map((used) => statSync(used, { throwIfNoEntry: false })).some((used) => used?.dev === target.dev && used.ino === target.ino);
  return same ? 'is in use by this command' : undefined;
}

/** The streams, the environment and the clock of this process; PETSTORE_FORCE_TTY=<columns> stands in for a terminal. */
export function processIo(): Io {
  const forced = Number(process.env['PETSTORE_FORCE_TTY']) || undefined;
  // A stream is made when it is first used: most commands never write to standard error, and making one takes a while.
  let stdout: Output | undefined;
  let stderr: Output | undefined;
  return {
    get stdout() {
      return (stdout ??= output(process.stdout, forced, 'Standard output', 'ends'));
    },
    get stderr() {
      return (stderr ??= output(process.stderr, forced, 'Standard error', 'is passed over'));
    },
    get stdin() {
      const stdin: ReadStream = process.stdin;
      return { isTerminal: stdin.isTTY, bytes: () => stdin };
    },
    environment: process.env,
    now: () => Date.now(),
    readFile: fileInput,
    sizeOf: (path) => statSync(path, { throwIfNoEntry: false })?.size,
    targetProblem,
    writeFile: (path, replace) => fileOutput(path, replace),
  };
}
