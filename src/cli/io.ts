import { createReadStream, fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import type { ReadStream } from 'node:tty';
import { StoreError } from '../domain/errors.js';
import type { Environment } from '../settings/setting-table.js';
import { splitLines } from '../formats/lines.js';
import { type TimeZone, timeZoneNamed, utc } from '../domain/values/time-zone.js';
import { system } from '../system.js';

/** Thrown by a write to a pipe whose reader has closed it; the command then ends with exit code 0. */
export class ClosedPipeError extends Error {
  override readonly name = 'ClosedPipeError';
}

/** Standard output or standard error. */
export interface Output {
  /** Writes text; resolves when more can be written. */
  readonly write: (text: string) => Promise<void>;
  readonly isTerminal: boolean;
  /** The stream itself, for packages that draw on it. */
  readonly stream?: () => NodeJS.WritableStream;
  /** The width of the terminal in cells. */
  readonly columns: number;
  /** The height of the terminal in lines, if known. */
  readonly rows?: number | undefined;
  /** Writes a text, in a pager if it is longer than the terminal. */
  readonly show?: (text: string) => Promise<void>;
  /** With --jq: the same output for a list that never ends, where each write is filtered at once instead of collected. */
  readonly lineByLine?: Output;
}

/** The streams, files, environment and clock that a command uses. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: { readonly isTerminal: boolean; readonly bytes: () => AsyncIterable<Uint8Array> };
  readonly environment: Environment;
  /** The present instant, ms since 1970. */
  readonly now: () => number;
  /** The time zone of the process. */
  readonly localZone: () => TimeZone;
  readonly readFile: (path: string) => AsyncIterable<Uint8Array>;
  /** The size of a file in bytes; undefined if it is unknown. */
  readonly sizeOf: (path: string) => number | undefined;
  /** Lets `work` run before Ctrl-C, Ctrl-\ or SIGTERM ends the process; the next signal ends it at once. Returns a function that cancels this. */
  readonly beforeInterrupt: (work: () => Promise<void>) => () => void;
  /** Lets `before` run before Ctrl-Z stops the process, and `after` when it continues. Returns a function that cancels this. */
  readonly aroundSuspend: (before: () => Promise<void>, after: () => Promise<void>) => () => void;
}

/** The same Io with other outputs. Not a copy: getters of `io` create the other streams on first use. */
export function withOutputs(io: Io, outputs: Partial<Pick<Io, 'stdout' | 'stderr'>>): Io {
  return Object.create(io, Object.getOwnPropertyDescriptors(outputs)) as Io;
}

/** The bytes of an input as they arrive. Refuses one that is longer than some MiB with `payload_too_large`. */
async function* limitedBytes(input: AsyncIterable<Uint8Array>, mebibytes: number, subject: string): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of input) {
    size += chunk.length;
    if (size > mebibytes << 20) throw new StoreError('payload_too_large', `${subject} more than ${mebibytes} MiB.`);
    yield chunk;
  }
}

/** All bytes of an input. Refuses one that is longer than some MiB with `payload_too_large`. */
export async function allBytes(input: AsyncIterable<Uint8Array>, mebibytes: number, subject: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limitedBytes(input, mebibytes, subject)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The lines of standard input as they arrive. Refuses more than 1 MiB with `payload_too_large`, and what is not UTF-8. */
export async function* linesOf({ stdin }: Pick<Io, 'stdin'>): AsyncGenerator<string, void> {
  let rest = Buffer.alloc(0);
  for await (const chunk of limitedBytes(stdin.bytes(), 1, 'Standard input has')) {
    const joined = Buffer.concat([rest, chunk]);
    // No other character of UTF-8 has the byte of a line feed.
    const end = joined.lastIndexOf('\n') + 1;
    yield* splitLines(utf8Text(joined.subarray(0, end), 'Standard input is')).slice(0, -1);
    rest = joined.subarray(end);
  }
  yield* splitLines(utf8Text(rest, 'Standard input is'));
}

/** A text in UTF-8, without its byte order mark. Refuses other bytes with `not_utf8`; `subject` begins the sentence. */
export function utf8Text(bytes: Uint8Array, subject: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new StoreError('not_utf8', `${subject} not valid UTF-8; nothing was changed.`, { advice: 'Save the file as plain text in UTF-8.' });
  }
}

const defaultColumns = 80;

type Failure = NodeJS.ErrnoException;
type Write = (content: string | Uint8Array) => Promise<void>;

/** The error to throw for a failed write. A pipe without a reader is EPIPE, on Windows also EOF. */
function failureOf(error: Failure, name: string): Error {
  return error.code === 'EPIPE' || error.code === 'EOF' ? new ClosedPipeError() : Object.assign(error, { path: name });
}

function streamWrite(stream: NodeJS.WriteStream, name: string): Write {
  let failed: Failure | undefined;
  // Otherwise the event would be an uncaught exception; `write` throws the error instead.
  stream.on('error', (error: Failure) => (failed ??= error));
  return (content) =>
    new Promise((resolve, reject) => {
      const settle = (error: Failure | null | undefined): void => (error ? reject(failureOf(error, name)) : resolve());
      if (failed) return settle(failed);
      stream.write(content, settle);
    });
}

/** Writes to a pipe or a file without a stream of Node: creating one takes longer than reading a page of the shop. */
function directWrite(descriptor: number, stream: () => NodeJS.WriteStream, name: string): Write {
  let fallback: Write | undefined;
  return async (content) => {
    let rest = Buffer.from(content);
    while (rest.length > 0 && fallback === undefined) {
      try {
        rest = rest.subarray(writeSync(descriptor, rest));
      } catch (error) {
        const failure = error as Failure;
        if (failure.code !== 'EAGAIN') throw failureOf(failure, name);
        // The pipe is full and non-blocking, because another program set it so. A stream waits until it can be written.
        fallback = streamWrite(stream(), name);
      }
    }
    if (rest.length > 0) await fallback?.(rest);
  };
}

/** Whether a descriptor can be a terminal; if that is unknown, the stream decides. */
function mayBeTerminal(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isCharacterDevice() && found.rdev !== statSync(devNull).rdev;
  } catch {
    return true;
  }
}

/** Standard output or standard error; PETSTORE_FORCE_TTY=<columns> makes it a terminal of that width. */
function standard(descriptor: 1 | 2, stream: () => NodeJS.WriteStream): Output {
  const forcedColumns = Number(process.env['PETSTORE_FORCE_TTY']) || undefined;
  const isPipeOrFile = !mayBeTerminal(descriptor);
  const name = descriptor === 1 ? 'Standard output' : 'Standard error';
  const write = isPipeOrFile || system.writesTerminalBytes ? directWrite(descriptor, stream, name) : streamWrite(stream(), name);
  return {
    // Messages on standard error are not the result of a command: a failure to write them is ignored.
    write: descriptor === 1 ? write : (content) => write(content).catch(() => undefined),
    get isTerminal() {
      return forcedColumns !== undefined || (!isPipeOrFile && stream().isTTY);
    },
    get columns() {
      return forcedColumns ?? ((!isPipeOrFile && stream().columns) || defaultColumns);
    },
    get rows() {
      return forcedColumns === undefined && !isPipeOrFile ? stream().rows : undefined;
    },
    stream,
  };
}

/** The bytes of a file. Every error has the path; Node adds it only when opening fails. */
async function* fileInput(path: string): AsyncGenerator<Uint8Array, void> {
  try {
    yield* createReadStream(path, { highWaterMark: 1 << 18 });
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

function beforeInterrupt(work: () => Promise<void>): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const;
  const cancel = (): void => signals.forEach((signal) => process.off(signal, onSignal));
  const onSignal = (signal: NodeJS.Signals): void => {
    cancel();
    // Without a listener the signal ends the process as usual.
    const end = (): unknown => process.kill(process.pid, signal);
    work().then(end, end);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return cancel;
}

function aroundSuspend(before: () => Promise<void>, after: () => Promise<void>): () => void {
  let isCancelled = false;
  const suspend = async (): Promise<void> => {
    await before();
    // Without a listener the signal stops the process as usual: the next line runs after SIGCONT.
    process.kill(process.pid, 'SIGTSTP');
    if (isCancelled) return;
    process.on('SIGTSTP', onSignal);
    await after();
  };
  const onSignal = (): void => {
    process.off('SIGTSTP', onSignal);
    // A terminal that cannot be written ends the command at its next output.
    suspend().catch(() => undefined);
  };
  process.on('SIGTSTP', onSignal);
  return () => {
    isCancelled = true;
    process.off('SIGTSTP', onSignal);
  };
}

// Found on first use, because Intl takes longer to load than a list to show.
let processName: string | undefined;

/** The time zone of this process: that of TZ, or of the machine. Most commands need only its offsets, which Node has without loading Intl. */
const processZone: TimeZone = {
  get name() {
    return (processName ??= timeZoneNamed(new Intl.DateTimeFormat().resolvedOptions().timeZone)?.name ?? utc.name);
  },
  offsetAt: (instant) => -new Date(instant).getTimezoneOffset() * 60_000,
};

/** The streams, the environment and the clock of this process. */
export function processIo(): Io {
  // Created on first use, because most commands never write to standard error.
  let stdout: Output | undefined;
  let stderr: Output | undefined;
  return {
    get stdout() {
      return (stdout ??= standard(1, () => process.stdout));
    },
    get stderr() {
      return (stderr ??= standard(2, () => process.stderr));
    },
    stdin: {
      // On first use, because creating the stream loads net and tty.
      get isTerminal() {
        return (process.stdin as ReadStream).isTTY;
      },
      bytes: () => process.stdin,
    },
    environment: process.env,
    now: () => Date.now(),
    localZone: () => processZone,
    readFile: fileInput,
    sizeOf: (path) => statSync(path, { throwIfNoEntry: false })?.size,
    beforeInterrupt,
    aroundSuspend,
  };
}
