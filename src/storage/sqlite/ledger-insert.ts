import type { RecordedBatch } from '../bulk/bulk-stock.js';
import type { BulkStockChange } from '../bulk/stage-stock.js';
import type { Cell, Queries } from '../queries.js';
import type { Sql } from '../sql.js';
import { absentQuantity, isPlainAt, stagedRowAt, stagedRowColumns, stagedRowWidth } from '../bulk/staged-rows.js';

/** The most rows per statement: more of them take longer to compile, fewer of them more calls. */
const rowsPerStatement = 256;

/** Inserts rows into the ledger from the cells of `columns`, row by row; `shared` are those of the columns that are equal in all rows. */
function insertion(columns: readonly string[], shared: Readonly<Record<string, Cell | undefined>>): (cells: readonly Cell[]) => Sql {
  const bound = Object.fromEntries(Object.entries(shared).filter(([, value]) => value !== undefined));
  const names = Object.keys(bound);
  const row = `(${[...columns.map(() => '?'), ...names.map((name) => `@${name}`)].join(', ')})`;
  const texts = new Map<number, string>();
  return (cells) => {
    const rows = Array.from({ length: cells.length / columns.length }, () => row);
    const text = texts.get(rows.length) ?? `INSERT INTO ledger (${[...columns, ...names].join(', ')}) VALUES ${rows.join(', ')}`;
    texts.set(rows.length, text);
    // better-sqlite3 takes the values without a name as a list, and those with one, which are bound once, as a record.
    return { text, values: [cells, bound] as never };
  };
}

/** Inserts blocks of staged rows into the ledger as entries of a batch, many rows with one statement. */
export function ledgerInsert(
  queries: Queries,
  kind: BulkStockChange['kind'],
  { batchId, stamp }: RecordedBatch,
  notes: BulkStockChange['notes'],
): (block: Readonly<Float64Array>) => Promise<void> {
  const { petId, before, after, lineOrEntry } = stagedRowColumns;
  // Because of the trigger on the ledger SQLite first copies every named column, so that those without values are left out.
  const columns = ['pet_id', 'delta', 'quantity_after', kind === 'undo' ? 'reverses' : 'line'];
  const plain = insertion(columns, { kind, batch_id: batchId, ...stamp });
  // A note, a shortage and a crossing are rare.
  const other = insertion([...columns, 'kind', 'shortage', 'note'], { batch_id: batchId, ...stamp, note: undefined });
  const insert = async (rows: Readonly<Float64Array>): Promise<void> => {
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
    await queries.runAndCount((isPlain ? plain : other)(cells));
  };
  return async (block) => {
    let together = rowsPerStatement * stagedRowWidth;
    for (let from = 0; from < block.length; from += together) {
      // Powers of two, so that there are few texts.
      while (together > block.length - from) together /= 2;
      await insert(block.subarray(from, from + together));
    }
  };
}
