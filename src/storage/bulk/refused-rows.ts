import { openRows, type Row, type RowOptions } from '../../formats/reader.js';
import type { StoredFile } from '../../formats/stored-file.js';
import { isConflict } from '../../domain/errors.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { ImportOptions } from '../../domain/imports/import-options.js';
import { keptErrors, type RefusedRow, type RowError } from '../../domain/imports/row-error.js';
import { rowSet, type RowSet } from './row-set.js';
import { rowNumbers } from './row-changes.js';
import { textFile } from './text-file.js';

/** How an import treats the columns of its file. */
export type ImportColumns = Pick<RowOptions, 'columns' | 'required' | 'ignored' | 'unknownColumns'>;

/** The columns that a file of refused rows adds. They are ignored, so that the corrected file can be imported as it is. */
export const rejectColumns = ['_line', '_code', '_message'] as const;

/** The rows that an import refuses, with their errors. */
export interface RefusedRows {
  /** Refuses a row for its own content. */
  readonly add: (row: RefusedRow) => void;
  /** Refuses a row for a conflict with the present state of the shop. */
  readonly addProvisional: (row: RefusedRow) => void;
  /** Withdraws the provisional refusals. */
  readonly clearProvisional: () => void;
  readonly count: () => number;
  readonly rowIndexes: () => RowSet;
  /** The first errors, in file order. */
  readonly first: () => readonly RowError[];
  readonly has: (rowIndex: number) => boolean;
  /** The error of a row; undefined for one that is not refused. */
  readonly at: (rowIndex: number) => RowError | undefined;
  /** Whether all refusals are conflicts with the state of the shop, not invalid rows. */
  readonly conflictsOnly: () => boolean;
  readonly close: () => void;
}

/** Collects refused rows: their errors are in a temporary file, of which each row takes 8 bytes of memory for its place. */
export function refusedRows(): RefusedRows {
  const rowIndexes = rowSet();
  const invalidRows = rowSet();
  const provisionalRows = rowSet();
  const errors = textFile();
  const positions = rowNumbers((length) => new Float64Array(length));
  const add = ({ rowIndex, error }: RefusedRow): void => {
    positions.set(rowIndex, errors.add(JSON.stringify(error)));
    rowIndexes.add(rowIndex);
    if (!isConflict(error.code)) invalidRows.add(rowIndex);
  };
  const at = (rowIndex: number): RowError | undefined => (rowIndexes.has(rowIndex) ? (JSON.parse(errors.at(positions.at(rowIndex))) as RowError) : undefined);
  return {
    add,
    addProvisional: (row) => {
      add(row);
      provisionalRows.add(row.rowIndex);
    },
    clearProvisional: () => {
      for (const rowIndex of provisionalRows.all()) for (const set of [provisionalRows, rowIndexes, invalidRows]) set.remove(rowIndex);
    },
    count: rowIndexes.size,
    rowIndexes: () => rowIndexes,
    has: rowIndexes.has,
    first: () => {
      const found: RowError[] = [];
      for (const rowIndex of rowIndexes.all()) {
        const error = at(rowIndex);
        if (error) found.push(error);
        if (found.length === keptErrors) break;
      }
      return found;
    },
    at,
    conflictsOnly: () => invalidRows.size() === 0,
    close: errors.close,
  };
}

/** Reads a file a second time and reports its refused rows in their original form; `onRows` is called with the index of the first of some rows. */
export async function readAgain(
  kept: StoredFile,
  source: Omit<ImportFile, 'bytes'>,
  { refused, onRejected, ...reading }: ImportColumns & Pick<ImportOptions, 'encoding' | 'onRejected'> & { readonly refused: RefusedRows },
  onRows?: (rows: readonly Row[], first: number) => Promise<void>,
): Promise<void> {
  const file = await openRows(kept.again(), { ...source, ...reading });
  let first = 0;
  for await (const rows of file.chunks()) {
    for (const [index, row] of rows.entries()) {
      const error = refused.at(first + index);
      if (error) await onRejected?.(error, { format: file.format, header: file.header, original: row.original });
    }
    await onRows?.(rows, first);
    first += rows.length;
  }
}
