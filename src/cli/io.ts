import { createReadStream, fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import type { ReadStream } from 'node:tty';
import type { Environment } from '../settings/settings.js';
import { malformedText } from './malformed-text.js';
import { openOutput, targetProblem, type FileOutput, type InUse } from './output/file-output.js';

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
  readonly stream?: () => NodeJS.WritableStream;
  /** The width of the terminal in cells. */
  readonly columns: number;
  /** Its height in lines, where it is known. */
  readonly rows?: number | undefined;
  /** Writes a table, page by page where it outgrows the terminal; its texts are drawn as they are read. */
  readonly show?: (texts: Iterable<string>) => Promise<void>;
}

/** The outside world as a command sees it. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: { readonly isTerminal: boolean; readonly bytes: () => AsyncIterable<Uint8Array> };
  readonly environment: Environment;
  /** The first of these words, or variable of ours, that was no UTF-8, as a subject of a sentence. */
  readonly malformedText: (argv: readonly string[]) => string | undefined;
  /** The present instant, ms since 1970. */
  readonly now: () => number;
  readonly readFile: (path: string) => AsyncIterable<Uint8Array>;
  /** The size of a file in bytes, or undefined when it cannot be told. */
  readonly sizeOf: (path: string) => number | undefined;
  /** Why a file must not be written at a path, as the end of a sentence about it; undefined if it may. */
  readonly targetProblem: (path: string, inUse: InUse) => string | undefined;
  /** Opens a new file to write; refuses to replace one unless `replace`. */
  readonly writeFile: (path: string, replace: boolean) => FileOutput;
  /** Lets `work` run before Ctrl-C or SIGTERM ends the process; the next signal ends it at once. Returns a function that cancels this. */
  readonly beforeInterrupt: (work: () => Promise<void>) => () => void;
}

const defaultColumns = 80;

type Failure = NodeJS.ErrnoException;
type Write = (content: string | Uint8Array) => Promise<void>;

/** What a failed write means for the command; Windows has two names for a pipe without a reader. */
function failureOf(error: Failure, name: string): Error {
  return error.code === 'EPIPE' || error.code === 'EOF' ? new ClosedPipe() : Object.assign(error, { path: name });
}

/** Writes through a stream. */
function streamed(stream: NodeJS.WriteStream, name: string): Write {
  let failed: Failure | undefined;
  // Every failure reaches the command through its write.
  stream.on('error', (error: Failure) => (failed ??= error));
  return (content) =>
    new Promise((resolve, reject) => {
      const settle = (error: Failure | null | undefined): void => (error ? reject(failureOf(error, name)) : resolve());
      if (failed) return settle(failed);
      stream.write(content, settle);
    });
}

/** Writes to a pipe or a file at once, without a stream: making one takes longer than reading a page of the shop. */
function direct(descriptor: number, stream: () => NodeJS.WriteStream, name: string): Write {
  let waiting: Write | undefined;
  return async (content) => {
    let rest = Buffer.from(content);
    while (rest.length > 0 && waiting === undefined) {
      try {
        rest = rest.subarray(writeSync(descriptor, rest));
      } catch (error) {
        const failure = error as Failure;
        if (failure.code !== 'EAGAIN') throw failureOf(failure, name);
        // A full pipe that refuses to block, as another program may have left it: a stream waits for it.
        waiting = streamed(stream(), name);
      }
    }
    if (rest.length > 0) await waiting?.(rest);
  };
}

/** Whether a terminal may stand behind a descriptor; where that cannot be told, the stream knows. */
function mayBeTerminal(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isCharacterDevice() && found.rdev !== statSync(devNull).rdev;
  } catch {
    return true;
  }
}

/** A write that nobody has to read, because it stands beside the result: what a command did stays done where it fails. */
function unread(write: Write): Write {
  return (content) => write(content).catch(() => undefined);
}

/** Standard output or standard error; PETSTORE_FORCE_TTY=<columns> stands in for a terminal. */
function standard(descriptor: 1 | 2, stream: () => NodeJS.WriteStream): Output {
  const forced = Number(process.env['PETSTORE_FORCE_TTY']) || undefined;
  const plain = !mayBeTerminal(descriptor);
  const name = descriptor === 1 ? 'Standard output' : 'Standard error';
  // Only the stream knows how to write to a console of Windows.
  const write = plain || process.platform !== 'win32' ? direct(descriptor, stream, name) : streamed(stream(), name);
  return {
    write: descriptor === 1 ? write : unread(write),
    get isTerminal() {
      return forced !== undefined || (!plain && stream().isTTY);
    },
    get columns() {
      return forced ?? ((!plain && stream().columns) || defaultColumns);
    },
    get rows() {
      return forced === undefined && !plain ? stream().rows : undefined;
    },
    stream,
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

function beforeInterrupt(work: () => Promise<void>): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const cancel = (): void => signals.forEach((signal) => process.off(signal, onSignal));
  const onSignal = (signal: NodeJS.Signals): void => {
    cancel();
    // The signal, now without a listener, ends the process as it would have.
    const end = (): unknown => process.kill(process.pid, signal);
    work().then(end, end);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return cancel;
}

/** The streams, the environment and the clock of this process. */
export function processIo(): Io {
  // Each is made when it is first used: most commands never write to standard error.
  let stdout: Output | undefined;
  let stderr: Output | undefined;
  return {
    get stdout() {
      return (stdout ??= standard(1, () => process.stdout));
    },
    get stderr() {
      return (stderr ??= standard(2, () => process.stderr));
    },
    get stdin() {
      const stdin: ReadStream = process.stdin;
      return { isTerminal: stdin.isTTY, bytes: () => stdin };
    },
    environment: process.env,
    malformedText: (argv) => malformedText(argv, process.env),
    now: () => Date.now(),
    readFile: fileInput,
    sizeOf: (path) => statSync(path, { throwIfNoEntry: false })?.size,
    targetProblem,
    writeFile: openOutput,
    beforeInterrupt,
  };
}
