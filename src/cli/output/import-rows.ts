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

/** Writes the changes of an import of stock as they arrive, as TSV, CSV or ids; undefined for other formats. */
export function changesWriter(stdout: Output, format: Format | undefined): OpenRows<StockChange> | undefined {
  if (format === 'ids') return failingAtEnd(openRows(stdout, 'tsv', changeColumns.slice(0, 1)));
  return format === 'tsv' || format === 'csv' ? failingAtEnd(openRows(stdout, format, changeColumns)) : undefined;
}

function stockResultLine({ line, petId, outcome, before, after, error }: RowResult): string {
  return `${JSON.stringify({ type: 'row', line, petId, outcome, before, after, code: error?.code, message: error?.message })}\n`;
}

/** Writes the result of each row of an import of stock as NDJSON; undefined for other formats. */
export function stockResultsWriter(stdout: Output, format: Format | undefined): OpenRows<RowResult> | undefined {
  if (format !== 'ndjson') return undefined;
  return failingAtEnd({ write: (results) => stdout.write(results.map(stockResultLine).join('')), end: async () => undefined });
}

const { all: resultColumns } = columnsOf<RowResult>({
  line: { heading: 'Line' },
  petId: { heading: 'ID' },
  name: { heading: 'Name' },
  outcome: { heading: 'Outcome' },
  code: { heading: 'Code', value: ({ error }) => error?.code },
  message: { heading: 'Message', value: ({ error }) => error?.message },
});

/** The column that tells the rows of NDJSON from the summary after them. */
const typeColumn: Column<RowResult> = { name: 'type', heading: 'Type', value: () => 'row' };

/** Writes the result of each row of an import of pets as NDJSON, CSV or TSV, or the ids of new pets; undefined for other formats. */
export function resultsWriter(stdout: Output, format: Format | undefined): OpenRows<RowResult> | undefined {
  if (format === 'ndjson') return failingAtEnd(openRows(stdout, format, [typeColumn, ...resultColumns]));
  if (format === 'csv' || format === 'tsv') return failingAtEnd(openRows(stdout, format, resultColumns));
  if (format !== 'ids') return undefined;
  const ids = failingAtEnd(
    openRows(
      stdout,
      'tsv',
      resultColumns.filter(({ name }) => name === 'petId'),
    ),
  );
  return { ...ids, write: (results) => ids.write(results.filter(({ petId }) => petId !== undefined)) };
}
