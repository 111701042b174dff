import type { Position, Slice } from '../../domain/values/pages.js';
import type { Queries } from '../queries.js';
import { all, join, nothing, sql, type OptionalCondition, type Sql } from '../sql.js';

/** Counts matching rows, all without a condition; at most `bound` when given. */
export async function countRows(queries: Queries, from: Sql, where?: Sql, bound?: number): Promise<number> {
  const rows = where === undefined ? sql`FROM ${from}` : sql`FROM ${from} WHERE ${where}`;
  const found = await queries.get<{ readonly count: number }>(
    bound === undefined ? sql`SELECT count(*) AS count ${rows}` : sql`SELECT count(*) AS count FROM (SELECT 1 ${rows} LIMIT ${bound}) AS bounded`,
  );
  return found?.count ?? 0;
}

/** The condition for rows after a position, in a form for which both engines use the index; undefined without a position. */
export function afterPosition(from: Position | undefined, key: Sql, id: Sql, descending: boolean): Sql | undefined {
  if (from === undefined) return undefined;
  if (key.text === id.text) return descending ? sql`${id} < ${from.id}` : sql`${id} > ${from.id}`;
  return descending
    ? sql`${key} <= ${from.key} AND (${key} < ${from.key} OR ${id} < ${from.id})`
    : sql`${key} >= ${from.key} AND (${key} > ${from.key} OR ${id} > ${from.id})`;
}

/** The order of a slice: by the key, then by the id. */
function orderBy(key: Sql, id: Sql, descending: boolean): Sql {
  const direction: Sql = descending ? { text: ' DESC', values: [] } : nothing;
  const keys = key.text === id.text ? [id] : [key, id];
  return sql`ORDER BY ${join(keys.map((part) => sql`${part}${direction}`))}`;
}

/** A LIKE pattern that finds a folded text anywhere; wildcards in the text are escaped. */
export function likePattern(folded: string): string {
  return `%${folded.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** The rows of a slice, in the order of `key` and then `id`; `select` is the query without its conditions. */
export function sliceOf(select: Sql, where: readonly OptionalCondition[], { descending, from, limit }: Omit<Slice<string>, 'sort'>, id: Sql, key = id): Sql {
  return sql`${select} WHERE ${all([...where, afterPosition(from, key, id, descending)])} ${orderBy(key, id, descending)} LIMIT ${limit}`;
}

/** What a list shows of the rows that `mergedSlices` finds: its columns, its tables, and the conditions that join them to `listed.id`. */
interface ListedRows {
  readonly columns: Sql;
  readonly tables: Sql;
  readonly where: readonly Sql[];
}

/** The rows of a slice that several queries find (id, key), each in the order of the slice. */
export function mergedSlices(parts: readonly Sql[], { columns, tables, where }: ListedRows, { descending, limit }: Omit<Slice<string>, 'sort'>): Sql {
  const each = parts.map((part) => sql`SELECT id, key FROM (${part}) AS part`);
  const first = sql`${join(each, ' UNION ALL ')} ${orderBy(sql`key`, sql`id`, descending)} LIMIT ${limit}`;
  return sql`SELECT ${columns} FROM (${first}) AS listed CROSS JOIN ${tables} WHERE ${all(where)} ${orderBy(sql`listed.key`, sql`listed.id`, descending)}`;
}
