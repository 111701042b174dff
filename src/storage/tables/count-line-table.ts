import type { CountLine } from '../../domain/counts/count-line.js';
import { tallyOf } from '../../domain/counts/count-rules.js';
import type { CountLineFilter, CountWriter, LineDraft } from '../../domain/counts/count-table.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { Queries } from '../queries.js';
import type { Column } from '../migrations/migrations.js';
import { all, join, list, sql, type Sql } from '../sql.js';
import { columnsIn, insertInto, partsOf, selection, withoutNulls, type Columns, type Nullable } from './columns.js';
import type { Stamp } from './ledger-table.js';
import { countRows, sliceOf } from './slices.js';
import { highest } from './ids.js';

/** A line as the database returns it. */
type Stored = Nullable<Omit<CountLine, 'at' | 'adds' | 'undone'>> & { readonly at: number; readonly adds: 0 | 1; readonly undone: 0 | 1 };

const lineColumns = {
  id: 'id',
  petId: 'pet_id',
  number: 'number',
  adds: 'adds',
  by: 'actor',
  at: 'at',
  onHand: 'on_hand',
  key: 'key',
  undone: 'undone',
} as const satisfies Record<keyof Omit<CountLine, 'name'>, Column<'count_lines'>>;

const columns: Columns<Stored> = { ...columnsIn('n', lineColumns), name: sql`p.name` };
const select = sql`SELECT ${selection(columns)} FROM count_lines n CROSS JOIN pets p`;
const isOfPet = sql`p.id = n.pet_id`;

function toLine(row: Stored): CountLine {
  return withoutNulls<CountLine>({ ...row, at: formatDateTime(row.at), adds: row.adds === 1, undone: row.undone === 1 });
}

function matching(countId: number, { by, petId }: CountLineFilter): Sql {
  return all([sql`n.count_id = ${countId}`, petId !== undefined && sql`n.pet_id = ${petId}`, by !== undefined && sql`n.actor = ${by}`]);
}

/** Stores lines with the next ids. They name the newest ledger entry, which tells what was on hand. */
async function addLines(queries: Queries, stamp: Stamp, countId: number, drafts: readonly LineDraft[]): Promise<readonly CountLine[]> {
  if (drafts.length === 0) return [];
  const newest = await queries.get<{ readonly id: number; readonly entry: number }>(sql`SELECT ${highest('count_lines')} AS id, ${highest('ledger')} AS entry`);
  const { id: last = 0, entry = 0 } = newest ?? {};
  const at = formatDateTime(stamp.at);
  const lines = drafts.map(({ petId, name, number, adds, onHand, key }, index): CountLine => {
    return { id: last + 1 + index, petId, name, number, adds, by: stamp.actor, at, onHand, ...(key !== undefined && { key }), undone: false };
  });
  for (const part of partsOf(lines)) {
    const rows = part.map(({ id, petId, number, adds, onHand, key }) => ({
      id,
      count_id: countId,
      pet_id: petId,
      number,
      adds: adds ? 1 : 0,
      actor: stamp.actor,
      at: stamp.at,
      on_hand: onHand,
      after_entry: entry,
      key: key ?? null,
      undone: 0,
    }));
    await queries.run(insertInto('count_lines', rows));
  }
  return lines;
}

/** The lines of counts in one transaction. */
export function countLineTable(
  queries: Queries,
  stamp: Stamp,
): Pick<CountWriter, 'lines' | 'totalLines' | 'line' | 'linesUnder' | 'addLines' | 'undoLine' | 'tally'> {
  const linesWhere = async (where: Sql): Promise<readonly CountLine[]> =>
    (await queries.all<Stored>(sql`${select} WHERE ${isOfPet} AND ${where} ORDER BY n.id`)).map(toLine);
  return {
    lines: async (countId, filter, slice) => (await queries.all<Stored>(sliceOf(select, [isOfPet, matching(countId, filter)], slice, sql`n.id`))).map(toLine),
    totalLines: (countId, filter) => countRows(queries, sql`count_lines n`, matching(countId, filter)),
    line: async (countId, lineId) => {
      const [found] = await linesWhere(sql`n.count_id = ${countId} AND n.id = ${lineId}`);
      return found;
    },
    linesUnder: async (countId, keys) => {
      const found = new Map<string, CountLine>();
      for (const part of partsOf(keys)) {
        // A look-up for each key: without statistics PostgreSQL would read all lines of the count.
        const values = part.map((key) => sql`(CAST(${key} AS TEXT))`);
        const rows = await queries.all<{ readonly id: number | null }>(
          sql`SELECT (SELECT n.id FROM count_lines n WHERE n.count_id = ${countId} AND n.actor = ${stamp.actor} AND n.key = k.column1) AS id FROM (VALUES ${join(values)}) AS k`,
        );
        const ids = rows.flatMap(({ id }) => id ?? []);
        const lines = ids.length === 0 ? [] : await linesWhere(sql`n.id IN ${list(ids)}`);
        for (const line of lines) if (line.key !== undefined) found.set(line.key, line);
      }
      return found;
    },
    addLines: (countId, drafts) => addLines(queries, stamp, countId, drafts),
    undoLine: (countId, lineId) => queries.run(sql`UPDATE count_lines SET undone = 1 WHERE id = ${lineId} AND count_id = ${countId}`),
    // A pet has at most `maximumLinesOfPet`.
    tally: async (countId, petId) => tallyOf(await linesWhere(sql`n.count_id = ${countId} AND n.pet_id = ${petId}`)),
  };
}
