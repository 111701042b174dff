import { isPlain, ledgerRowsOf, stagedRowColumns, stagedRowWidth, stampCells, type RecordedBatch, type RowsToWrite } from '../bulk/staged-rows.js';
import type { Engine } from '../engine.js';
import type { Queries } from '../queries.js';
import { sql } from '../sql.js';
import { insertRecords } from '../tables/columns.js';
import { highestId } from '../tables/ids.js';
import { insertRows } from './connection.js';

/** The most rows per statement: more of them take longer to compile, fewer of them more calls. */
const rowsPerStatement = 256;

/** Inserts plain rows, with few columns: because of the trigger on the ledger SQLite first copies every named column. */
async function insertPlain(queries: Queries, block: Readonly<Float64Array>, kind: RowsToWrite['kind'], { batchId, stamp }: RecordedBatch): Promise<void> {
  const { petId, before, after, lineOrEntry } = stagedRowColumns;
  const named = { kind, batch_id: batchId, ...(stamp && stampCells(stamp)) };
  const names = Object.keys(named);
  const row = `(?, ?, ?, ?, ${names.map((name) => `@${name}`).join(', ')})`;
  const insert = `INSERT INTO ledger (pet_id, delta, quantity_after, ${kind === 'undo' ? 'reverses' : 'line'}, ${names.join(', ')}) VALUES`;
  let rows = rowsPerStatement;
  for (let from = 0; from < block.length; from += rows * stagedRowWidth) {
    // Powers of two, so that there are few texts.
    while (rows * stagedRowWidth > block.length - from) rows /= 2;
    const values: number[] = [];
    for (let at = from; at < from + rows * stagedRowWidth; at += stagedRowWidth) {
      const quantity = block[at + after] ?? 0;
      values.push(block[at + petId] ?? 0, quantity - (block[at + before] ?? 0), quantity, block[at + lineOrEntry] ?? 0);
    }
    await queries.run({ text: `${insert} ${`${row}, `.repeat(rows - 1)}${row}`, values, named });
  }
}

/** Writes a bulk stock change. */
export const insertStock: Engine['insertStock'] = async (queries, rows, batch) => {
  for (const block of rows.blocks()) {
    const newest = await highestId(queries, 'ledger');
    if (isPlain(block)) await insertPlain(queries, block, rows.kind, batch);
    else await insertRecords({ insertRows }, queries, 'ledger', ledgerRowsOf(block, rows, batch));
    // Now, while the entries of the block are in the page cache. Every pet has a row, so that this inserts none; it is faster than
    // UPDATE … FROM. Of several movements of a pet the last one counts.
    await queries.run(
      sql`INSERT INTO stock (pet_id, quantity) SELECT pet_id, quantity_after FROM ledger WHERE id > ${newest} AND quantity_after IS NOT NULL ORDER BY id
        ON CONFLICT (pet_id) DO UPDATE SET quantity = excluded.quantity`,
    );
  }
};
