import pino from 'pino';
import { sanitise, sanitiseCell, sanitiseJson } from '../cli/output/sanitise.js';
import type { Log, LogEntry } from '../http/server/server-options.js';

/** An entry as a line at a terminal: `22:03 GET /docs 200 0.7 ms` for a request, with the code of a refusal, or `22:03 stopping {"signal":"SIGINT"}`; an error is on lines of its own. */
export function entryLine({ msg, error, ...entry }: LogEntry, time: string): string {
  const { method, url, status, code, ms, cause } = entry;
  const isPlain = msg === 'request' && cause === undefined;
  const words = isPlain ? [method, url, status, code, typeof ms === 'number' ? `${ms.toFixed(1)} ms` : undefined] : [msg, JSON.stringify(entry)];
  const line = sanitiseCell([time, ...words].filter((word) => word !== undefined).join(' '));
  return typeof error === 'string' ? `${line}\n${sanitise(error)}` : line;
}

/** How long a line waits for others, and how many characters wait. */
const longestWaitMs = 50;
const mostWaiting = 8192;

/** JSON lines on standard error, written while the server goes on. */
function jsonLines(): { readonly write: (line: string) => void; readonly close: () => Promise<void> } {
  const destination = pino.destination({ dest: 2, sync: false });
  let isOpen = true;
  // Some lines at a time: each write to the file takes longer than the rest of a line. Not by the interval of pino, which writes
  // 20 times a second, even while there are no lines.
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (isOpen && waiting !== '') destination.write(waiting);
    waiting = '';
  };
  const closed = new Promise<void>((resolve, reject) => {
    destination.on('close', resolve);
    destination.on('error', (error: NodeJS.ErrnoException) => {
      isOpen = false;
      // Without a reader nothing more is written.
      if (error.code === 'EPIPE') resolve();
      else reject(error);
    });
  });
  return {
    write: (line) => {
      // Sanitised too: people print log files in terminals.
      waiting += sanitiseJson(line);
      if (waiting.length >= mostWaiting) flush();
      else timer ??= setTimeout(flush, longestWaitMs);
    },
    close: () => {
      flush();
      // Not flushSync, which does not wait for the lines that are being written and writes the last ones before them.
      if (isOpen) destination.end();
      isOpen = false;
      return closed;
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
  const { write, close } = jsonLines();
  return { log: pino({ base: null, timestamp: () => `,"time":"${new Date(clock()).toISOString()}"` }, { write }), close };
}
