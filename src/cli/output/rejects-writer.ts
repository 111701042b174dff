import type { RowError } from '../../domain/imports/row-error.js';
import type { OriginalRow } from '../../domain/imports/import-file.js';
import type { Encoding } from '../../domain/imports/import-options.js';
import { guardedCells, guardedHeader } from '../../formats/spreadsheet.js';
import { rowWriter } from '../../formats/writer.js';
import type { Context } from '../command.js';
import { StoreError } from '../../domain/errors.js';
import { openOutput, targetProblem, type FileOutput } from './file-output.js';

/** Writes refused rows; a failed write is thrown by `close`. */
interface Rejects {
  readonly add: (error: RowError, row: OriginalRow | undefined) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Characters of refused rows to collect before a write. */
const writeCharacters = 1 << 16;
const markColumns = ['_line', '_code', '_message'];

/** The text of refused rows in the format of their file. */
function rejectsText({ format, header, original }: OriginalRow): {
  readonly head: string;
  readonly row: (error: RowError, row: OriginalRow) => string;
  readonly tail: string;
} {
  if (isCells(original)) {
    const writer = rowWriter(format, [...guardedHeader(header), ...markColumns], { header: true });
    // People open the file in a spreadsheet to correct it; the import takes the guard away.
    const cells = (row: OriginalRow): readonly unknown[] => guardedCells(header, isCells(row.original) ? row.original : []);
    return { head: writer.head(), row: ({ line, code, message }, row) => writer.rows([[...cells(row), line, code, message]]), tail: writer.tail() };
  }
  const [head, separator, tail] = format === 'json' ? ['[', ',', '\n]\n'] : ['', '', ''];
  let first = true;
  return {
    head,
    row: ({ line, code, message }, row) => {
      const record = JSON.stringify({ ...row.original, _line: line, _code: code, _message: message });
      const lead = format === 'json' ? `${first ? '' : separator}\n` : '';
      first = false;
      return `${lead}${record}${format === 'json' ? '' : '\n'}`;
    },
    tail,
  };
}

function isCells(original: OriginalRow['original']): original is readonly string[] {
  return Array.isArray(original);
}

/** The file that the rows come from, - for standard input, and its encoding. */
interface RejectsSource {
  readonly input: string;
  readonly encoding: Encoding | undefined;
}

/**
 * Writes refused rows to a file as they come, with `_line`, `_code` and `_message`, to correct and import again. Refuses with
 * `usage` a path that must not be written.
 */
export function rejectsWriter({ io, settings }: Context, path: string, { input, encoding }: RejectsSource): Rejects {
  const inUse = { file: input === '-' ? '/dev/stdin' : input, store: settings.store };
  const problem = path === '-' ? 'is standard output, which gets the report' : targetProblem(path, inUse);
  if (problem !== undefined) throw new StoreError('usage', `--rejects: ${path} ${problem}.`, { advice: 'Name another file; nothing was imported.' });
  let opened: { readonly file: FileOutput; readonly text: ReturnType<typeof rejectsText>; readonly cancelInterrupt: () => void } | undefined;
  let collected = '';
  // Thrown by `close`: the report of the import comes first.
  let failure: unknown;
  const close = async (): Promise<void> => {
    opened?.cancelInterrupt();
    if (failure !== undefined) throw failure;
    await opened?.file.write(`${collected}${opened.text.tail}`);
    opened?.file.close();
  };
  const write = async (error: RowError, row: OriginalRow): Promise<void> => {
    if (opened === undefined) {
      opened = { file: openOutput(path), text: rejectsText(row), cancelInterrupt: io.beforeInterrupt(close) };
      // In UTF-8. Without the mark an import with the encoding of the source would garble the file instead of refusing it.
      await opened.file.write(`${encoding === undefined || encoding === 'utf-8' ? '' : '\u{feff}'}${opened.text.head}`);
    }
    collected += opened.text.row(error, row);
    if (collected.length < writeCharacters) return;
    const full = collected;
    collected = '';
    await opened.file.write(full);
  };
  return {
    add: async (error, row) => {
      if (row === undefined || failure !== undefined) return;
      await write(error, row).catch((reason: unknown) => (failure = reason));
    },
    close,
  };
}
