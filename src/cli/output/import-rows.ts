import type { RowResult } from '../../domain/imports/import-report.js';
import type { StockPreview } from '../../domain/imports/import-inventory.js';
import type { StockChange } from '../../domain/imports/stock-change.js';
import type { Context } from '../command.js';
import type { Format } from '../../settings/output-format.js';
import type { Output } from '../io.js';
import { signed } from './numbers.js';
import { columnsOf, openRows, writeTable, type Column, type OpenRows } from './view.js';

const { all: changeColumns } = columnsOf<StockChange>({
  petId: { heading: 'ID', numeric: true },
  name: { heading: 'Name', least: 12 },
  before: { heading: 'Before', numeric: true },
  after: { heading: 'After', numeric: true, colour: ({ after }) => (after === 0 ? 'red' : undefined) },
  change: { heading: 'Change', value: ({ before, after }) => signed(after - before), numeric: true },
});

const maximumShown = 20;

/** Shows the first changes of an import as a table. */
export async function showPreview(context: Context, { changes, toZero, total }: StockPreview): Promise<void> {
  const { note } = context;
  const shown = changes.slice(0, maximumShown);
  await writeTable(context, changeColumns, shown);
  if (total > shown.length) await note(`… and ${total - shown.length} more changes.`);
  if (toZero > 0) await note(`${toZero === 1 ? '1 pet drops' : `${toZero} pets drop`} to zero.`);
}

/** The same rows, whose first failure is thrown at their end: an import goes on even if its results cannot be written. */
function failingAtEnd<Row>({ write, end }: OpenRows<Row>): OpenRows<Row> {
  let failure: { readonly error: unknown } | undefined;
  return {
    write: async (rows) => {
      if (failure === undefined) await write(rows).catch((error: unknown) => (failure = { error }));
    },
    end: async () => {
      if (failure !== undefined) throw failure.error;
      await end();
    },
  };
}

/** Writes rows as they arrive, as TSV or CSV, or the ids of their pets; undefined for other formats. */
function rowsWriter<Row extends { readonly petId?: number }>(
  stdout: Output,
  format: Format | undefined,
  columns: readonly Column<Row>[],
): OpenRows<Row> | undefined {
  if (format === 'csv' || format === 'tsv') return failingAtEnd(openRows(stdout, format, columns));
  if (format !== 'ids') return undefined;
  const idColumns = columns.filter(({ name }) => name === 'petId');
  const ids = failingAtEnd(openRows(stdout, 'tsv', idColumns));
  return { ...ids, write: (rows) => ids.write(rows.filter(({ petId }) => petId !== undefined)) };
}

/** Writes the changes of an import of stock. */
export function changesWriter(stdout: Output, format: Format | undefined): OpenRows<StockChange> | undefined {
  return rowsWriter(stdout, format, changeColumns);
}

const { all: resultColumns } = columnsOf<RowResult>({
  // It tells the rows of NDJSON from the summary after them.
  type: { heading: 'Type', value: () => 'row' },
  line: { heading: 'Line' },
  petId: { heading: 'ID' },
  name: { heading: 'Name' },
  outcome: { heading: 'Outcome' },
  before: { heading: 'Before' },
  after: { heading: 'After' },
  code: { heading: 'Code', value: ({ error }) => error?.code },
  message: { heading: 'Message', value: ({ error }) => error?.message },
});

/** Writes the result of each row of an import as NDJSON; undefined for other formats. */
export function resultLinesWriter(stdout: Output, format: Format | undefined): OpenRows<RowResult> | undefined {
  return format === 'ndjson' ? failingAtEnd(openRows(stdout, format, resultColumns)) : undefined;
}

/** Writes the result of each row of an import of pets; of a new pet, in which nothing was counted. */
export function petResultsWriter(stdout: Output, format: Format | undefined): OpenRows<RowResult> | undefined {
  const columns = resultColumns.filter(({ name }) => !['type', 'before', 'after'].includes(name));
  return resultLinesWriter(stdout, format) ?? rowsWriter(stdout, format, columns);
}
