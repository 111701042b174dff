import type Database from 'better-sqlite3';
import type { BulkStockChange, RecordedBatch } from '../bulk/bulk-port.js';
import type { Cell } from '../queries.js';
import type { StagedRow } from '../bulk/stage-stock.js';
import { isPlainAt, stagedRowColumns, stagedRowAt, stagedRowWidth } from '../bulk/staged-rows.js';

/** Rows per statement: more of them take longer to compile, fewer of them more calls. */
export const rowsPerStatement = 200;

/** How rows are inserted: the columns that differ from row to row, and what writes their cells. */
interface RowShape {
  readonly columns: readonly string[];
  /** Writes the cells of the row whose numbers start at `at`, from `to` on. */
  readonly write: (numbers: Readonly<Float64Array>, at: number, cells: Cell[], to: number) => void;
}

/** The shape of movements without shortage and without a note. Reads only numbers, so that no row becomes an object. */
function plainShape(originColumn: string): RowShape {
  const { petId, before, after, origin } = stagedRowColumns;
  return {
    // Columns without values are left out: because of the trigger on the ledger SQLite first copies every named one.
    columns: ['pet_id', 'delta', 'quantity_after', originColumn],
    write: (numbers, at, cells, to) => {
      const quantity = numbers[at + after] ?? 0;
      cells[to] = numbers[at + petId] ?? 0;
      cells[to + 1] = quantity - (numbers[at + before] ?? 0);
      cells[to + 2] = quantity;
      cells[to + 3] = numbers[at + origin] ?? 0;
    },
  };
}

function fullShape(originColumn: string, cellsOf: (row: StagedRow) => readonly Cell[]): RowShape {
  return {
    columns: ['pet_id', 'delta', 'quantity_after', originColumn, 'kind', 'shortage', 'note'],
    write: (numbers, at, cells, to) => {
      for (const [index, cell] of cellsOf(stagedRowAt(numbers, at)).entries()) cells[to + index] = cell;
    },
  };
}

/** Inserts staged rows into the ledger as entries of a batch, many with one statement; `flush` inserts the rest. */
export function ledgerInsert(
  database: Database.Database,
  kind: BulkStockChange['kind'],
  { batchId, stamp }: RecordedBatch,
  notes: BulkStockChange['notes'],
): { readonly add: (numbers: Readonly<Float64Array>, at: number) => void; readonly flush: () => void } {
  const originColumn = kind === 'undo' ? 'reverses' : 'line';
  const fullCells = (row: StagedRow): readonly Cell[] => {
    const { petId, before, after, origin } = row;
    // A crossing undoes no entry.
    const from = row.kind !== null && kind === 'undo' ? null : origin;
    const note = row.note === 0 ? (stamp?.note ?? null) : notes.at(row.note);
    return [petId, after === null || before === null ? null : after - before, after, from, row.kind ?? kind, row.isShortage ? 1 : null, note];
  };
  const insert = sharedColumns(database, { kind, batch_id: batchId, ...stamp });
  const insertPlain = insert(plainShape(originColumn));
  const insertFull = insert(fullShape(originColumn, fullCells));
  const pending = new Float64Array(rowsPerStatement * stagedRowWidth);
  let filled = 0;
  let isPlain = true;
  const flush = (): void => {
    if (filled > 0) (isPlain ? insertPlain : insertFull)(pending, filled / stagedRowWidth);
    filled = 0;
    isPlain = true;
  };
  return {
    add: (numbers, at) => {
      for (let field = 0; field < stagedRowWidth; field += 1) pending[filled + field] = numbers[at + field] ?? 0;
      isPlain &&= isPlainAt(numbers, at);
      filled += stagedRowWidth;
      if (filled === pending.length) flush();
    },
    flush,
  };
}

/** Inserts rows of a shape; `shared` are the cells of the columns that are equal in all rows, bound once by name. */
function sharedColumns(
  database: Database.Database,
  shared: Readonly<Record<string, Cell | undefined>>,
): (shape: RowShape) => (numbers: Readonly<Float64Array>, rows: number) => void {
  return ({ columns, write }) => {
    const names = Object.keys(shared).filter((name) => shared[name] !== undefined && !columns.includes(name));
    const values = Object.fromEntries(names.map((name) => [name, shared[name]]));
    const row = `(${[...columns.map(() => '?'), ...names.map((name) => `@${name}`)].join(', ')})`;
    const compile = (rows: number): Database.Statement =>
      database.prepare(`INSERT INTO ledger (${[...columns, ...names].join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(', ')}`);
    const cells = Array.from({ length: rowsPerStatement * columns.length }, (): Cell => null);
    let whole: Database.Statement | undefined;
    return (numbers, rows) => {
      for (let index = 0; index < rows; index += 1) write(numbers, index * stagedRowWidth, cells, index * columns.length);
      if (rows === rowsPerStatement) (whole ??= compile(rowsPerStatement)).run(cells, values);
      else compile(rows).run(cells.slice(0, rows * columns.length), values);
    };
  };
}

/** Rows from which on they are written without the trigger of the ledger: a change of the schema makes all connections compile their statements again. */
const manyRows = 20_000;

/**
 * Writes rows to the ledger, many of them without its trigger on inserts, which takes a quarter of the time; the rows get new ids,
 * so it would not refuse them. No other connection sees the ledger without it: this is part of the transaction.
 */
export function withoutInsertTrigger(database: Database.Database, rows: number, write: () => void): void {
  if (rows < manyRows) return write();
  const trigger = database.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = 'ledger_keeps_order'").pluck().get();
  if (trigger === undefined) return write();
  database.exec('DROP TRIGGER ledger_keeps_order');
  write();
  database.exec(trigger);
}
