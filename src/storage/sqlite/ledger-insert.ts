import type Database from 'better-sqlite3';
import type { BulkStockChange, Cell, RecordedBatch } from '../engine.js';
import type { StagedRow } from '../bulk/stage-stock.js';

/** Rows per statement: more of them take longer to compile, fewer of them more calls. */
const rowsPerStatement = 200;

/** How rows are inserted: the columns that differ from row to row, and their cells. */
interface RowShape {
  readonly columns: readonly string[];
  readonly cellsOf: (row: StagedRow, cells: Cell[]) => void;
}

/** Whether a row is a movement without anything else to say, as most are. */
function isPlain(row: StagedRow): boolean {
  return row.kind === null && !row.isShortage && row.note === 0;
}

/** Inserts staged rows into the ledger as entries of a batch, many with one statement; `flush` inserts the rest. */
export function ledgerInsert(
  database: Database.Database,
  kind: BulkStockChange['kind'],
  { batchId, stamp }: RecordedBatch,
  notes: BulkStockChange['notes'],
): { readonly add: (row: StagedRow) => void; readonly flush: () => void } {
  const originColumn = kind === 'undo' ? 'reverses' : 'line';
  // Columns without values are left out: because of the trigger on the ledger SQLite first copies every named one.
  const plain: RowShape = {
    columns: ['pet_id', 'delta', 'quantity_after', originColumn],
    cellsOf: ({ petId, before, after, origin }, cells) => void cells.push(petId, (after ?? 0) - (before ?? 0), after, origin),
  };
  const full: RowShape = {
    columns: ['pet_id', 'delta', 'quantity_after', originColumn, 'kind', 'shortage', 'note'],
    cellsOf: (row, cells) => {
      const { petId, before, after, origin } = row;
      // A crossing undoes no entry.
      const from = row.kind !== null && kind === 'undo' ? null : origin;
      cells.push(petId, after === null || before === null ? null : after - before, after, from);
      cells.push(row.kind ?? kind, row.isShortage ? 1 : null, row.note === 0 ? (stamp?.note ?? null) : notes.at(row.note));
    },
  };
  const insert = sharedColumns(database, { kind, batch_id: batchId, ...stamp });
  const insertPlain = insert(plain);
  const insertFull = insert(full);
  let pending: StagedRow[] = [];
  const flush = (): void => {
    if (pending.length > 0) (pending.every(isPlain) ? insertPlain : insertFull)(pending);
    pending = [];
  };
  return {
    add: (row) => {
      pending.push(row);
      if (pending.length === rowsPerStatement) flush();
    },
    flush,
  };
}

/** Inserts rows of a shape; `shared` are the cells of the columns that are equal in all rows, bound once by name. */
function sharedColumns(
  database: Database.Database,
  shared: Readonly<Record<string, Cell | undefined>>,
): (shape: RowShape) => (rows: readonly StagedRow[]) => void {
  return ({ columns, cellsOf }) => {
    const names = Object.keys(shared).filter((name) => shared[name] !== undefined && !columns.includes(name));
    const values = Object.fromEntries(names.map((name) => [name, shared[name]]));
    const row = `(${[...columns.map(() => '?'), ...names.map((name) => `@${name}`)].join(', ')})`;
    const compile = (rows: number): Database.Statement =>
      database.prepare(`INSERT INTO ledger (${[...columns, ...names].join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(', ')}`);
    let whole: Database.Statement | undefined;
    return (rows) => {
      const cells: Cell[] = [];
      for (const one of rows) cellsOf(one, cells);
      const statement = rows.length === rowsPerStatement ? (whole ??= compile(rowsPerStatement)) : compile(rows.length);
      statement.run(cells, values);
    };
  };
}

/**
 * Writes many rows to the ledger without its trigger on inserts, which takes a quarter of the time; the rows get new ids, so
 * it would not refuse them. No other connection sees the ledger without it: this is part of the transaction.
 */
export function withoutInsertTrigger(database: Database.Database, write: () => void): void {
  const trigger = database.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = 'ledger_keeps_order'").pluck().get();
  if (trigger === undefined) return write();
  database.exec('DROP TRIGGER ledger_keeps_order');
  write();
  database.exec(trigger);
}
