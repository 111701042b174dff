import type Database from 'better-sqlite3';
import type { BulkStockChange, RecordedBatch } from '../bulk/bulk-port.js';
import type { Cell } from '../queries.js';
import { absentQuantity, isPlainAt, stagedRowAt, stagedRowColumns, stagedRowWidth } from '../bulk/staged-rows.js';

/** Rows per statement: more of them take longer to compile, fewer of them more calls. */
export const rowsPerStatement = 200;

/** Inserts staged rows into the ledger as entries of a batch, many with one statement; `flush` inserts the rest. */
export function ledgerInsert(
  database: Database.Database,
  kind: BulkStockChange['kind'],
  { batchId, stamp }: RecordedBatch,
  notes: BulkStockChange['notes'],
): { readonly add: (numbers: Readonly<Float64Array>, at: number) => void; readonly flush: () => void } {
  const { petId, before, after, lineOrEntry } = stagedRowColumns;
  // Because of the trigger on the ledger SQLite first copies every named column, so that those without values are left out.
  const columns = ['pet_id', 'delta', 'quantity_after', kind === 'undo' ? 'reverses' : 'line'];
  const insertPlain = multiRowInsert(database, columns, { kind, batch_id: batchId, ...stamp });
  // A note, a shortage and a crossing are rare.
  const insertAny = multiRowInsert(database, [...columns, 'kind', 'shortage', 'note'], { batch_id: batchId, ...stamp, note: undefined });
  const pending = new Float64Array(rowsPerStatement * stagedRowWidth);
  let filled = 0;
  let isPlain = true;
  /** Writes the cells of a row. Those of `columns` only from numbers, so that no row becomes an object. */
  const writeCells = (at: number, cells: Cell[], to: number): void => {
    const quantity = pending[at + after] ?? 0;
    const isMovement = quantity !== absentQuantity;
    cells[to] = pending[at + petId] ?? 0;
    cells[to + 1] = isMovement ? quantity - (pending[at + before] ?? 0) : null;
    cells[to + 2] = isMovement ? quantity : null;
    // A crossing undoes no entry.
    cells[to + 3] = isMovement || kind !== 'undo' ? (pending[at + lineOrEntry] ?? 0) : null;
    if (isPlain) return;
    const row = stagedRowAt(pending, at);
    cells[to + 4] = row.kind ?? kind;
    cells[to + 5] = row.isShortage ? 1 : null;
    cells[to + 6] = row.note === 0 ? (stamp?.note ?? null) : notes.at(row.note);
  };
  const flush = (): void => {
    if (filled > 0) (isPlain ? insertPlain : insertAny)(filled / stagedRowWidth, (index, cells, to) => writeCells(index * stagedRowWidth, cells, to));
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

/** Inserts rows, of which `write` writes the cells from `to` on. */
type InsertRows = (rows: number, write: (index: number, cells: Cell[], to: number) => void) => void;

/** Inserts rows into the ledger; `shared` are the cells of the columns that are equal in all rows, bound once by name. */
function multiRowInsert(database: Database.Database, columns: readonly string[], shared: Readonly<Record<string, Cell | undefined>>): InsertRows {
  const values = Object.fromEntries(Object.entries(shared).filter(([, value]) => value !== undefined));
  const names = Object.keys(values);
  const row = `(${[...columns.map(() => '?'), ...names.map((name) => `@${name}`)].join(', ')})`;
  const compile = (rows: number): Database.Statement =>
    database.prepare(`INSERT INTO ledger (${[...columns, ...names].join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(', ')}`);
  const cells = Array.from({ length: rowsPerStatement * columns.length }, (): Cell => null);
  let whole: Database.Statement | undefined;
  return (rows, write) => {
    for (let index = 0; index < rows; index += 1) write(index, cells, index * columns.length);
    if (rows === rowsPerStatement) (whole ??= compile(rowsPerStatement)).run(cells, values);
    else compile(rows).run(cells.slice(0, rows * columns.length), values);
  };
}
