import type { StockChange } from '../../domain/imports/stock-change.js';
import type { StockPreview } from '../../domain/imports/import-inventory.js';
import { rowWriter } from '../../formats/writer.js';
import type { Context } from '../command.js';
import type { Format } from '../../settings/output-format.js';
import { signed } from './numbers.js';
import { sanitiseCell } from './sanitise.js';
import { writeTable, type Column } from './view.js';

const columns: readonly Column<StockChange>[] = [
  { name: 'petId', heading: 'ID', value: ({ petId }) => petId, numeric: true },
  { name: 'name', heading: 'Name', least: 12, value: ({ name }) => name },
  { name: 'before', heading: 'Before', value: ({ before }) => before, numeric: true },
  { name: 'after', heading: 'After', value: ({ after }) => after, numeric: true, colour: ({ after }) => (after === 0 ? 'red' : undefined) },
  { name: 'change', heading: 'Change', value: ({ before, after }) => signed(after - before), numeric: true },
];

/** The most changes that a preview shows. */
const maximumShown = 20;

/** Shows the first changes of an import as a table. */
export async function showPreview(context: Context, { changes, toZero, total }: StockPreview): Promise<void> {
  const { note } = context;
  const shown = changes.slice(0, maximumShown);
  await writeTable(context, columns, shown);
  if (total > shown.length) await note(`… and ${total - shown.length} more changes.`);
  if (toZero > 0) await note(`${toZero === 1 ? '1 pet drops' : `${toZero} pets drop`} to zero.`);
}

/** Writes the changes of an import as they arrive. */
export interface ChangesWriter {
  readonly write: (changes: readonly StockChange[]) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** A writer of the changes of an import as TSV, CSV or ids; undefined for other formats. */
export function changesWriter({ stdout }: Context['io'], format: Format | undefined): ChangesWriter | undefined {
  if (format !== 'tsv' && format !== 'csv' && format !== 'ids') return undefined;
  const written = format === 'ids' ? columns.filter(({ name }) => name === 'petId') : columns;
  const writer = rowWriter(
    format === 'csv' ? 'csv' : 'tsv',
    written.map(({ name }) => name),
  );
  const isTerminal = format === 'tsv' && stdout.isTerminal;
  const cell = (value: unknown): unknown => (isTerminal && typeof value === 'string' ? sanitiseCell(value) : value);
  let head = writer.head();
  const write = async (text: string): Promise<void> => {
    await stdout.write(head + text);
    head = '';
  };
  return {
    write: (changes) => write(writer.rows(changes.map((change) => written.map(({ value }) => cell(value(change)))))),
    end: () => write(writer.tail()),
  };
}
