import { versionOf } from './fragments.js';
import type { Category, CategoryRow } from '../../domain/categories/category.js';
import type { CategoryFilter, CategoryWriter } from '../../domain/categories/category-table.js';
import { fold } from '../../domain/values/text.js';
import type { Queries } from '../engine.js';
import { all, sql, type Sql } from '../sql.js';
import { afterPosition, likePattern, countRows, nextId, orderBy } from './slices.js';

interface Stored {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly pets: number;
  /** Read with one category, not with a list. */
  readonly version?: number;
}

const columns = sql`c.id, c.name, c.description, (SELECT count(*) FROM pets p WHERE p.category_id = c.id AND p.archived = 0) AS pets`;

function toRow({ id, name, description, pets, version }: Stored): CategoryRow {
  return { id, name, ...(description !== null && { description }), pets, ...(version !== undefined && { version }) };
}

function matching({ name, q }: CategoryFilter): readonly Sql[] {
  return [
    sql`c.archived = 0`,
    ...(name === undefined ? [] : [sql`c.folded = ${fold(name.trim())}`]),
    ...(q === undefined ? [] : [sql`c.folded LIKE ${likePattern(fold(q))} ESCAPE '\\'`]),
  ];
}

/** The categories of one transaction. */
export function categoryTable(queries: Queries): CategoryWriter {
  return {
    get: async (id) => {
      const version = versionOf(sql`l.category_id`, sql`c.id`);
      const found = await queries.get<Stored>(sql`SELECT ${columns}, ${version} AS version FROM categories c WHERE c.id = ${id} AND c.archived = 0`);
      return found && toRow(found);
    },
    find: async (id) => {
      const found = await queries.get<Omit<Stored, 'pets'>>(sql`SELECT id, name, description FROM categories WHERE id = ${id} AND archived = 0`);
      return found && { id: found.id, name: found.name, ...(found.description !== null && { description: found.description }) };
    },
    list: async (filter, { sort, descending, from, limit }) => {
      const key = sort === 'name' ? sql`c.folded` : sql`c.id`;
      const where = all([...matching(filter), ...afterPosition(from, key, sql`c.id`, descending)]);
      const rows = await queries.all<Stored>(sql`SELECT ${columns} FROM categories c WHERE ${where} ${orderBy(key, sql`c.id`, descending)} LIMIT ${limit}`);
      return rows.map(toRow);
    },
    count: (filter, bound) => countRows(queries, sql`categories c`, all(matching(filter)), bound),
    insert: async ({ name, description }) => {
      const inserted = await queries.get<{ readonly id: number }>(
        sql`INSERT INTO categories (id, name, folded, description) VALUES (${nextId('categories')}, ${name}, ${fold(name)}, ${description ?? null}) RETURNING id`,
      );
      return inserted?.id ?? 0;
    },
    update: async ({ id, name, description }: Category) => {
      await queries.run(sql`UPDATE categories SET name = ${name}, folded = ${fold(name)}, description = ${description ?? null} WHERE id = ${id}`);
    },
    archive: async (id) => {
      await queries.run(sql`UPDATE categories SET archived = 1 WHERE id = ${id}`);
    },
  };
}
