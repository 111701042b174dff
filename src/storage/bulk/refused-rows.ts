import type { RowOptions } from '../../formats/reader.js';
import { isConflict } from '../../domain/errors.js';
import { keptErrors, type RefusedRow, type RowError } from '../../domain/imports/row-error.js';
import { rowSet, type RowSet } from './row-set.js';
import { rowNumbers } from './row-changes.js';
import { textFile } from './text-file.js';

/** How an import treats the columns of its file. */
export type ImportColumns = Pick<RowOptions, 'columns' | 'required' | 'ignored' | 'unknownColumns'>;

/** The columns that a file of refused rows adds. They are ignored, so that the corrected file can be imported as it is. */
export const rejectColumns = ['_line', '_code', '_message'] as const;

/** The rows that an import refuses: the indexes of all, and the errors of the first ones, or of all with `keepAll`. */
export interface RefusedRows {
  /** Refuses a row for its own content. */
  readonly add: (row: RefusedRow) => void;
  /** Refuses a row for a conflict with the present state of the shop; `clearProvisional` withdraws it. */
  readonly addProvisional: (row: RefusedRow) => void;
  /** Withdraws the provisional refusal of one row, or of all. */
  readonly clearProvisional: (rowIndex?: number) => void;
  readonly count: () => number;
  /** The number of provisional refusals. */
  readonly countProvisional: () => number;
  readonly rowIndexes: () => RowSet;
  /** The first errors, in file order. */
  readonly first: () => readonly RowError[];
  /** The error of a row; complete only with `keepAll`. */
  readonly at: (rowIndex: number) => RowError | undefined;
  /** Whether all refusals are conflicts with the state of the shop, not invalid rows. */
  readonly conflictsOnly: () => boolean;
  readonly close: () => void;
}

// More errors than are shown, because refusals of single rows may be withdrawn.
const heldErrors = 4 * keptErrors;

/** All errors by row index, in a temporary file. */
interface ErrorFile {
  readonly set: (rowIndex: number, text: string) => void;
  readonly at: (rowIndex: number) => RowError | undefined;
  readonly close: () => void;
}

function errorFile(): ErrorFile {
  const texts = textFile();
  const positions = rowNumbers((length) => new Float64Array(length));
  return {
    set: (rowIndex, text) => positions.set(rowIndex, texts.add(text)),
    at: (rowIndex) => {
      const position = positions.at(rowIndex);
      return position === 0 ? undefined : (JSON.parse(texts.at(position)) as RowError);
    },
    close: texts.close,
  };
}

/** Errors by row index: at least the first `heldErrors` of those that were set. */
interface FirstErrors {
  readonly set: (rowIndex: number, text: string) => void;
  readonly delete: (rowIndex: number) => void;
  readonly entries: () => readonly (readonly [rowIndex: number, text: string])[];
}

function firstErrors(): FirstErrors {
  let texts = new Map<number, string>();
  return {
    set: (rowIndex, text) => {
      texts.set(rowIndex, text);
      if (texts.size > 2 * heldErrors) texts = new Map(inOrder(texts).slice(0, heldErrors));
    },
    delete: (rowIndex) => void texts.delete(rowIndex),
    entries: () => [...texts],
  };
}

function inOrder(errors: Iterable<readonly [rowIndex: number, text: string]>): readonly (readonly [rowIndex: number, text: string])[] {
  return [...errors].toSorted(([left], [right]) => left - right);
}

/** Collects refused rows; without `keepAll` only the first errors are kept, and the rest are counted. */
export function refusedRows(keepAll: boolean): RefusedRows {
  const rowIndexes = rowSet();
  const invalidRows = rowSet();
  const provisionalRows = rowSet();
  const all = keepAll ? errorFile() : undefined;
  // Stored as JSON, because a value can be a slice that keeps a whole block of the file in memory. Two collections, because
  // each keeps only the first errors: withdrawing the provisional ones must not lose permanent ones.
  const [permanent, provisional] = [firstErrors(), firstErrors()];
  const add = (errors: FirstErrors, { rowIndex, error }: RefusedRow): void => {
    const text = JSON.stringify(error);
    errors.set(rowIndex, text);
    all?.set(rowIndex, text);
    rowIndexes.add(rowIndex);
    if (!isConflict(error.code)) invalidRows.add(rowIndex);
  };
  const withdraw = (rowIndex: number): void => {
    if (!provisionalRows.has(rowIndex)) return;
    for (const set of [provisionalRows, rowIndexes, invalidRows]) set.remove(rowIndex);
    provisional.delete(rowIndex);
  };
  return {
    add: (row) => add(permanent, row),
    addProvisional: (row) => {
      add(provisional, row);
      provisionalRows.add(row.rowIndex);
    },
    clearProvisional: (rowIndex) => {
      if (rowIndex === undefined) for (const one of provisionalRows.all()) withdraw(one);
      else withdraw(rowIndex);
    },
    count: rowIndexes.size,
    countProvisional: provisionalRows.size,
    rowIndexes: () => rowIndexes,
    first: () =>
      inOrder([...permanent.entries(), ...provisional.entries()])
        .slice(0, keptErrors)
        .map(([, text]) => JSON.parse(text) as RowError),
    at: (rowIndex) => (rowIndexes.has(rowIndex) ? all?.at(rowIndex) : undefined),
    conflictsOnly: () => invalidRows.size() === 0,
    close: () => all?.close(),
  };
}
