import pino from 'pino';
import { sanitise, sanitiseCell, sanitiseJson } from '../cli/output/sanitise.js';
import type { Log, LogEntry } from '../http/server/server-options.js';

/** Warnings, which only the start of a server writes. */
interface Warning {
  readonly warn: (entry: LogEntry) => void;
}

/** Removes control characters from a field of the log; the stack of an error keeps its line breaks. */
function sanitiseField([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  if (typeof value !== 'string') return [name, value];
  return [name, name === 'error' ? sanitise(value) : sanitiseCell(value)];
}

/** The line of a request at a terminal: `22:03 GET /docs 200 0.7 ms`, with the code of a refusal. */
export function requestLine({ method, url, status, code, ms }: LogEntry, time: string): string {
  const words = [time, method, url, status, code, typeof ms === 'number' ? `${ms.toFixed(1)} ms` : undefined];
  return sanitiseCell(words.filter((word) => word !== undefined).join(' '));
}

/** The log of a server on standard error: JSON lines, or readable lines at a terminal. */
export async function openLog(useUtc: boolean): Promise<{ readonly log: Log & Warning; readonly flush: () => void }> {
  if (process.stderr.isTTY) {
    const { default: pretty } = await import('pino-pretty');
    const formatters = { log: (entry: object) => Object.fromEntries(Object.entries(entry).map(sanitiseField)) };
    const log = pino(
      { base: null, formatters },
      pretty({ destination: 2, sync: true, colorize: true, translateTime: useUtc ? 'UTC:HH:MM:ss' : 'SYS:HH:MM:ss', ignore: 'pid,hostname' }),
    );
    const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...(useUtc && { timeZone: 'UTC' }) });
    const info = (entry: LogEntry): void => {
      if (entry.msg === 'request' && entry['cause'] === undefined) process.stderr.write(`${requestLine(entry, clock.format())}\n`);
      else log.info(entry);
    };
    return { log: { info, warn: (entry) => log.warn(entry), error: (entry) => log.error(entry) }, flush: () => undefined };
  }
  const destination = pino.destination({ dest: 2, sync: false });
  // Sanitised too: people print log files in terminals.
  const write = (line: string): void => void destination.write(sanitiseJson(line));
  return { log: pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write }), flush: () => destination.flushSync() };
}
