import type { Position, Slice } from '../../domain/values/pages.js';
import type { Queries } from '../queries.js';
import { join, nothing, sql, type Sql } from '../sql.js';

/** Counts matching rows, at most `bound` when given. */
export async function countRows(queries: Queries, from: Sql, where: Sql, bound: number | undefined): Promise<number> {
  const found = await queries.get<{ readonly count: number }>(
    bound === undefined
      ? sql`SELECT count(*) AS count FROM ${from} WHERE ${where}`
      : sql`SELECT count(*) AS count FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ${bound}) AS bounded`,
  );
  return found?.count ?? 0;
}

/** The most rows that are sorted, rather than more rows read in the order of an index. */
const mostSorted = 5000;

/** Counts rows of a kind that are few, so that a list finds and sorts them all instead of searching for them in its own order; undefined for more rows. */
export async function countFew(queries: Queries, from: Sql, where: Sql): Promise<number | undefined> {
  const count = await countRows(queries, from, where, mostSorted + 1);
  return count > mostSorted ? undefined : count;
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
export function orderBy(key: Sql, id: Sql, descending: boolean): Sql {
  const direction: Sql = descending ? { text: ' DESC', values: [] } : nothing;
  const keys = key.text === id.text ? [id] : [key, id];
  return sql`ORDER BY ${join(
    keys.map((part) => sql`${part}${direction}`),
    ', ',
  )}`;
}

/** A LIKE pattern that finds a folded text anywhere; wildcards in the text are escaped. */
export function likePattern(folded: string): string {
  return `%${folded.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** The first rows (id, key) of several queries of that form, each in the order of the slice; a list joins its columns to them. */
export function firstOf(parts: readonly Sql[], { descending, limit }: Pick<Slice<string>, 'descending' | 'limit'>): Sql {
  const each = parts.map((part) => sql`SELECT id, key FROM (${part}) AS part`);
  return sql`${join(each, ' UNION ALL ')} ${orderBy(sql`key`, sql`id`, descending)} LIMIT ${limit}`;
}
