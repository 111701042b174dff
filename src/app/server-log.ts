import { write } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pino from 'pino';
import { sanitise, sanitiseCell, sanitiseJson } from '../cli/output/sanitise.js';
import type { Log, LogEntry } from '../http/server/server-options.js';

/** An entry as a line at a terminal: `22:03 GET /docs 200 0.7 ms` for a request, with the code of a refusal, or `22:03 stopping {"signal":"SIGINT"}`; an error is on lines of its own. */
export function entryLine({ msg, error, ...entry }: LogEntry, time: string): string {
  const { method, url, status, code, ms, cause } = entry;
  const isPlain = msg === 'request' && cause === undefined;
  const rest = Object.keys(entry).length === 0 ? undefined : JSON.stringify(entry);
  const words = isPlain ? [method, url, status, code, typeof ms === 'number' ? `${ms.toFixed(1)} ms` : undefined] : [msg, rest];
  const line = sanitiseCell([time, ...words].filter((word) => word !== undefined).join(' '));
  return typeof error === 'string' ? `${line}\n${sanitise(error)}` : line;
}

/** How long a line waits for others: each write to the file takes longer than the rest of a line. */
const longestWaitMs = 50;
/** How many characters wait while the disk is full or nobody reads. */
const mostWaiting = 16 << 20;
/** How long a close waits for that. */
const closeMs = 1000;

const writeAsync = promisify(write);

/**
 * Writes lines to an open file, named by its descriptor, while the program goes on. What cannot be written is tried again: the writer
 * of pino would do so at the end of the process, for ever. Lines for a reader that is gone are lost. When `most` characters wait, further
 * lines are left out, of which `onLeftOut` is told the number. `close` resolves when everything is written, or cannot be.
 */
export function lineWriter(
  file: number,
  onLeftOut: (count: number) => void,
  most = mostWaiting,
): { readonly add: (line: string) => void; readonly close: () => Promise<void> } {
  let waiting = '';
  let leftOut = 0;
  let writing: Promise<void> | undefined;
  let closesAt = Infinity;
  const writeWaiting = async (): Promise<void> => {
    for (let bytes = Buffer.alloc(0); bytes.length > 0 || waiting !== '';) {
      await sleep(longestWaitMs);
      if (bytes.length === 0) {
        bytes = Buffer.from(waiting);
        waiting = '';
        if (leftOut > 0) onLeftOut(leftOut);
        leftOut = 0;
      }
      try {
        bytes = bytes.subarray((await writeAsync(file, bytes)).bytesWritten);
      } catch (error) {
        if (performance.now() > closesAt) return;
        if ((error as NodeJS.ErrnoException).code === 'EPIPE') bytes = Buffer.alloc(0);
      }
    }
    writing = undefined;
  };
  return {
    add: (line) => {
      if (waiting.length + line.length > most) leftOut += 1;
      else waiting += line;
      writing ??= writeWaiting();
    },
    close: async () => {
      closesAt = performance.now() + closeMs;
      await writing;
    },
  };
}

/** The log of a server on standard error: JSON lines, or readable lines at a terminal. `close` resolves when everything is written. */
export function openLog(useUtc: boolean, clock: () => number): { readonly log: Log & { readonly warn: Log['info'] }; readonly close: () => Promise<void> } {
  if (process.stderr.isTTY) {
    const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...(useUtc && { timeZone: 'UTC' }) });
    const show = (entry: LogEntry): void => void process.stderr.write(`${entryLine(entry, clockTime.format())}\n`);
    return { log: { info: show, warn: show, error: show }, close: async () => {} };
  }
  const lines = lineWriter(2, (count) => log.warn({ msg: 'lines of the log were left out', lines: count }));
  // Sanitised too: people print log files in terminals.
  const destination = { write: (line: string) => lines.add(sanitiseJson(line)) };
  const log = pino({ base: null, timestamp: () => `,"time":"${new Date(clock()).toISOString()}"` }, destination);
  return { log, close: lines.close };
}
