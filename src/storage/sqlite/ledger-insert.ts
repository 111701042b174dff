import type Database from 'better-sqlite3';
import type { RecordedBatch } from '../bulk/bulk-stock.js';
import type { BulkStockChange } from '../bulk/stage-stock.js';
import type { Cell } from '../queries.js';
import { absentQuantity, isPlainAt, stagedRowAt, stagedRowColumns, stagedRowWidth } from '../bulk/staged-rows.js';

/** Rows per statement: more of them take longer to compile, fewer of them more calls. */
const rowsPerStatement = 200;

/** Inserts rows into the ledger; `cells` are those of `columns`, row by row. */
type InsertRows = (rows: number, cells: readonly Cell[]) => void;

/** `shared` are the cells of the columns that are equal in all rows, bound once by name. */
function multiRowInsert(database: Database.Database, columns: readonly string[], shared: Readonly<Record<string, Cell | undefined>>): InsertRows {
  const values = Object.fromEntries(Object.entries(shared).filter(([, value]) => value !== undefined));
  const names = Object.keys(values);
  const row = `(${[...columns.map(() => '?'), ...names.map((name) => `@${name}`)].join(', ')})`;
  const compile = (rows: number): Database.Statement =>
    database.prepare(`INSERT INTO ledger (${[...columns, ...names].join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(', ')}`);
  let whole: Database.Statement | undefined;
  return (rows, cells) => (rows === rowsPerStatement ? (whole ??= compile(rows)) : compile(rows)).run(cells, values);
}

/** Inserts blocks of staged rows into the ledger as entries of a batch, many rows with one statement. */
export function ledgerInsert(
  database: Database.Database,
  kind: BulkStockChange['kind'],
  { batchId, stamp }: RecordedBatch,
  notes: BulkStockChange['notes'],
): (block: Readonly<Float64Array>) => void {
  const { petId, before, after, lineOrEntry } = stagedRowColumns;
  // Because of the trigger on the ledger SQLite first copies every named column, so that those without values are left out.
  const columns = ['pet_id', 'delta', 'quantity_after', kind === 'undo' ? 'reverses' : 'line'];
  const insertPlain = multiRowInsert(database, columns, { kind, batch_id: batchId, ...stamp });
  // A note, a shortage and a crossing are rare.
  const insertAny = multiRowInsert(database, [...columns, 'kind', 'shortage', 'note'], { batch_id: batchId, ...stamp, note: undefined });
  const insert = (rows: Readonly<Float64Array>): void => {
    const cells: Cell[] = [];
    let isPlain = true;
    for (let at = 0; at < rows.length; at += stagedRowWidth) isPlain &&= isPlainAt(rows, at);
    for (let at = 0; at < rows.length; at += stagedRowWidth) {
      const quantity = rows[at + after] ?? 0;
      const isMovement = quantity !== absentQuantity;
      cells.push(rows[at + petId] ?? 0, isMovement ? quantity - (rows[at + before] ?? 0) : null, isMovement ? quantity : null);
      // A crossing undoes no entry.
      cells.push(isMovement || kind !== 'undo' ? (rows[at + lineOrEntry] ?? 0) : null);
      if (isPlain) continue;
      const row = stagedRowAt(rows, at);
      cells.push(row.kind ?? kind, row.isShortage ? 1 : null, row.note === 0 ? (stamp?.note ?? null) : notes.at(row.note));
    }
    (isPlain ? insertPlain : insertAny)(rows.length / stagedRowWidth, cells);
  };
  return (block) => {
    const together = rowsPerStatement * stagedRowWidth;
    for (let from = 0; from < block.length; from += together) insert(block.subarray(from, from + together));
  };
}
