import { ledgerRowsOf } from '../bulk/staged-rows.js';
import type { Engine } from '../engine.js';
import type { ColumnType } from '../migrations/migration.js';
import { overlapped, type Cell, type Queries } from '../queries.js';
import { sql } from '../sql.js';
import { insertRecords } from '../tables/columns.js';
import { highestId } from '../tables/ids.js';

function textCell(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** A cell of each row, as the text of a PostgreSQL array. */
function arrayOf<Row>(type: ColumnType, rows: readonly Row[], cellOf: (row: Row) => Cell | undefined): string {
  const cells = rows.map((row) => {
    const value = cellOf(row) ?? null;
    return value === null ? 'NULL' : type === 'number' ? String(value) : textCell(String(value));
  });
  return `{${cells.join(',')}}`;
}

/** The type of the elements of an array. */
const elementTypes: Readonly<Record<ColumnType, string>> = { number: 'BIGINT', text: 'TEXT' };

/** Inserts rows with one statement; each column is sent as the text of an array. */
export const insertRows: Engine['insertRows'] = async (queries, { name, columns }, rows) => {
  if (rows.length === 0) return;
  const types = Object.values(columns);
  const arrays = types.map((type) => `CAST(? AS ${elementTypes[type]}[])`);
  const values = types.map((type, index) => arrayOf(type, rows, (row) => row[index]));
  const names = Object.keys(columns).map((column) => `"${column}"`);
  await queries.run({ text: `INSERT INTO ${name} (${names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`, values });
};

/** Sets the quantities of pets. */
async function setStock(queries: Queries, quantities: readonly (readonly number[])[]): Promise<void> {
  const [petIds, values] = [0, 1].map((index) => arrayOf('number', quantities, (one) => one[index]));
  await queries.run(sql`UPDATE stock SET quantity = v.quantity
    FROM unnest(CAST(${petIds ?? ''} AS BIGINT[]), CAST(${values ?? ''} AS BIGINT[])) AS v (pet_id, quantity) WHERE stock.pet_id = v.pet_id`);
}

/** Writes a bulk stock change, the rows of each block with one statement. */
export const insertStock: Engine['insertStock'] = async (queries, rows, batch) => {
  let newest = await highestId(queries, 'ledger');
  // A block has few pets: without this the planner may read all the stock for each.
  const plan = (value: 'on' | 'off') => queries.all(sql`SELECT set_config('enable_hashjoin', ${value}, true), set_config('enable_mergejoin', ${value}, true)`);
  await plan('off');
  await overlapped(rows.blocks(), (block) => {
    const entries = ledgerRowsOf(block, rows, batch, newest);
    newest += entries.length;
    // Of several movements of a pet the last one totals.
    const quantities = new Map(entries.flatMap(({ pet_id, quantity_after }) => (quantity_after === null ? [] : [[pet_id, quantity_after]])));
    return [insertRecords({ insertRows }, queries, 'ledger', entries), setStock(queries, [...quantities])];
  });
  await plan('on');
};
