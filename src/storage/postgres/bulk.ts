import type { StockPort } from '../bulk/bulk-stock.js';
import { stagedRowAt, stagedRowWidth, type StagedRow } from '../bulk/staged-rows.js';
import type { Engine, TableLayout } from '../engine.js';
import type { ColumnType } from '../migrations/migration.js';
import { columnsOf } from '../migrations/migrations.js';
import { overlapped, type Cell, type Queries } from '../queries.js';
import { sql } from '../sql.js';
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

function rowsIn(block: Readonly<Float64Array>): readonly StagedRow[] {
  return Array.from({ length: block.length / stagedRowWidth }, (_, index) => stagedRowAt(block, index * stagedRowWidth));
}

/** Sets the stock of pets to what their last movements in a block left. */
async function updateStock(queries: Queries, rows: readonly StagedRow[]): Promise<void> {
  const last = rows.filter(({ isLast }) => isLast);
  const petIds = arrayOf('number', last, ({ petId }) => petId);
  const quantities = arrayOf('number', last, ({ after }) => after);
  await queries.run(sql`UPDATE stock SET quantity = v.quantity
    FROM unnest(CAST(${petIds} AS BIGINT[]), CAST(${quantities} AS BIGINT[])) AS v (pet_id, quantity) WHERE stock.pet_id = v.pet_id`);
}

/** Bulk stock changes: the rows of each block with one statement. */
export function stockPort({ read, write }: Pick<Engine, 'read' | 'write'>): StockPort {
  return {
    read: (work) => read(work, { isRepeatable: true }),
    write,
    insert: async (queries, { kind, notes, blocks }, { batchId, stamp }) => {
      const ofLine = kind === 'undo' ? 'reverses' : 'line';
      const names = ['id', 'kind', 'pet_id', 'delta', 'quantity_after', ofLine, 'batch_id', 'shortage', 'note', 'at', 'actor', 'source'] as const;
      const types = columnsOf('ledger');
      const layout: TableLayout = { name: 'ledger', columns: Object.fromEntries(names.map((name) => [name, types[name]])) };
      const { at = null, actor = null, source = null, note: noteOfAll = null } = stamp ?? {};
      let id = await highestId(queries, 'ledger');
      const cellsOf = ({ petId, before, after, lineOrEntry, isShortage, kind: crossing, note }: StagedRow): readonly Cell[] => {
        const line = crossing !== null && kind === 'undo' ? null : lineOrEntry;
        const delta = after === null ? null : after - (before ?? 0);
        const noted = note === 0 ? noteOfAll : notes.at(note);
        return [(id += 1), crossing ?? kind, petId, delta, after, line, batchId, isShortage ? 1 : null, noted, at, actor, source];
      };
      // A block has few pets: without this the planner may read all the stock for each.
      const plan = (value: 'on' | 'off') =>
        queries.all(sql`SELECT set_config('enable_hashjoin', ${value}, true), set_config('enable_mergejoin', ${value}, true)`);
      await plan('off');
      await overlapped(blocks(), (block) => {
        const rows = rowsIn(block);
        return [insertRows(queries, layout, rows.map(cellsOf)), updateStock(queries, rows)];
      });
      await plan('on');
    },
  };
}
