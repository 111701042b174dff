import type { RowResult } from '../../domain/imports/import-report.js';
import { rowWriter } from '../../formats/writer.js';
import type { Format } from '../../settings/output-format.js';
import type { Output } from '../io.js';
import { sanitiseCell } from './sanitise.js';

const columns = ['line', 'petId', 'name', 'outcome', 'code', 'message'] as const;

function recordOf({ line, petId, name, outcome, error }: RowResult): Readonly<Record<(typeof columns)[number], unknown>> {
  return { line, petId, name, outcome, code: error?.code, message: error?.message };
}

/** Writes the result of each row of an import of pets. */
export interface ResultsWriter {
  readonly write: (result: RowResult) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** The texts of a format: the header, and one row. */
interface ResultText {
  readonly head: string;
  readonly row: (result: RowResult) => string;
}

function textIn(format: Format | undefined, isTerminal: boolean): ResultText | undefined {
  if (format === 'ids') return { head: '', row: ({ petId }) => (petId === undefined ? '' : `${petId}\n`) };
  if (format === 'ndjson') return { head: '', row: (result) => `${JSON.stringify({ type: 'row', ...recordOf(result) })}\n` };
  if (format !== 'csv' && format !== 'tsv') return undefined;
  const writer = rowWriter(format, columns);
  const cell = (value: unknown): unknown => (isTerminal && typeof value === 'string' ? sanitiseCell(value) : value);
  return {
    head: writer.head(),
    row: (result) => {
      const record = recordOf(result);
      return writer.rows([columns.map((name) => cell(record[name]))]);
    },
  };
}

/** A writer of one record per row as NDJSON, CSV or TSV, or of the ids of new pets; undefined for other formats. */
export function resultsWriter(stdout: Output, format: Format | undefined): ResultsWriter | undefined {
  const text = textIn(format, format === 'tsv' && stdout.isTerminal);
  if (text === undefined) return undefined;
  let { head } = text;
  const write = async (rows: string): Promise<void> => {
    await stdout.write(head + rows);
    head = '';
  };
  return { write: (result) => write(text.row(result)), end: () => write('') };
}
