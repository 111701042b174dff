import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Cell } from '../queries.js';
import type { Connection } from './connection.js';

const escapes: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  // PostgreSQL cannot store NUL.
  '\0': '\uFFFD',
};
const escaped = /[\\\t\n\r\0]/g;
const absent = String.raw`\N`;

/** A cell in the text format of COPY. */
export function copyCell(value: Cell | undefined): string {
  if (value === null || value === undefined) return absent;
  return typeof value === 'number' ? String(value) : value.replaceAll(escaped, (character) => escapes[character] ?? '');
}

/** A row in the text format of COPY. */
export function copyLine(cells: readonly (Cell | undefined)[]): string {
  let line = copyCell(cells[0]);
  for (let index = 1; index < cells.length; index += 1) line += `\t${copyCell(cells[index])}`;
  return `${line}\n`;
}

/** Rows on their way into a table; they are stored together at the end, or not at all. */
export interface RowCopy {
  /** Sends rows in the text format of COPY; waits while the connection cannot take more. */
  readonly write: (lines: string) => Promise<void>;
  /** Waits until the rows are stored, and returns their number. */
  readonly end: () => Promise<number>;
}

/** Begins to send rows with COPY. After a failure the connection must be closed. */
export function copyInto({ client, count }: Connection, table: string, columns: readonly string[]): RowCopy {
  const stream = client.query(copyFrom(`COPY ${table} (${columns.map((name) => `"${name}"`).join(', ')}) FROM STDIN`));
  const ended = count(finished(stream));
  // Reported by the next write, or by the end.
  ended.catch(() => undefined);
  return {
    write: async (lines) => {
      if (!stream.write(lines)) await Promise.race([once(stream, 'drain'), ended]);
    },
    end: async () => {
      stream.end();
      await ended;
      return stream.rowCount;
    },
  };
}
