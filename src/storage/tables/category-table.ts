import type { Column } from '../migrations/migrations.js';
import type { Versioned } from '../../domain/values/version.js';
import { type Columns, columnsIn, type Nullable, selection, withoutNulls, cellsOf, updateRow } from './columns.js';
import { recordVersion } from './fragments.js';
import type { Category, CategoryFields, CategoryRow } from '../../domain/categories/category.js';
import type { CategoryFilter, CategoryWriter } from '../../domain/categories/category-table.js';
import { fold } from '../../domain/values/text.js';
import type { Queries } from '../queries.js';
import { all, sql, type Sql } from '../sql.js';
import { insertReturningId, nextId } from './ids.js';
import { countRows, likePattern, sliceOf } from './slices.js';

const fieldColumns = { name: 'name', description: 'description' } as const satisfies Record<keyof CategoryFields, Column<'categories'>>;

type Listed = Omit<CategoryRow, keyof Versioned>;
type Single = Listed & { readonly version: number };

/** The columns of the record of category `c`. */
export const categoryRecord: Columns<Category> = { id: sql`c.id`, ...columnsIn('c', fieldColumns) };
const listed: Columns<Listed> = {
  ...categoryRecord,
  pets: sql`(SELECT count(*) FROM pets p WHERE p.category_id = c.id AND p.archived = 0)`,
};
const single: Columns<Single> = { ...listed, version: recordVersion(sql`l.category_id`, sql`c.id`) };

function matching({ name, q }: CategoryFilter): Sql {
  return all([
    sql`c.archived = 0`,
    name !== undefined && sql`c.folded = ${fold(name.trim())}`,
    q !== undefined && sql`c.folded LIKE ${likePattern(fold(q))} ESCAPE '\\'`,
  ]);
}

const selectRecord = sql`SELECT ${selection(categoryRecord)} FROM categories c WHERE`;

/** The categories of one transaction. */
export function categoryTable(queries: Queries): CategoryWriter {
  const find = async (id: number, archived: 0 | 1): Promise<Category | undefined> => {
    const found = await queries.get<Nullable<Category>>(sql`${selectRecord} c.id = ${id} AND c.archived = ${archived}`);
    return found && withoutNulls<Category>(found);
  };
  return {
    get: async (id) => {
      const found = await queries.get<Nullable<Single>>(sql`SELECT ${selection(single)} FROM categories c WHERE c.id = ${id} AND c.archived = 0`);
      return found && withoutNulls<Single>(found);
    },
    find: (id) => find(id, 0),
    findArchived: (id) => find(id, 1),
    findNamed: async (name) => {
      const where = matching({ name });
      const found = await queries.get<Nullable<Category>>(sql`SELECT ${selection(categoryRecord)} FROM categories c WHERE ${where} ORDER BY c.id LIMIT 1`);
      return found && withoutNulls<Category>(found);
    },
    list: async (filter, slice) => {
      const page = sliceOf(
        sql`SELECT ${selection(listed)} FROM categories c`,
        [matching(filter)],
        slice,
        sql`c.id`,
        slice.sort === 'name' ? sql`c.folded` : sql`c.id`,
      );
      const rows = await queries.all<Nullable<Listed>>(page);
      return rows.map((row) => withoutNulls<Listed>(row));
    },
    count: (filter) => countRows(queries, sql`categories c`, matching(filter)),
    insert: async (fields) => {
      const row = { id: nextId('categories'), folded: fold(fields.name), archived: 0, ...cellsOf(fieldColumns, fields) };
      return insertReturningId(queries, 'categories', row);
    },
    update: (id, fields) => queries.run(updateRow('categories', id, { folded: fold(fields.name), ...cellsOf(fieldColumns, fields) })),
    archive: (id) => queries.run(updateRow('categories', id, { archived: 1 })),
    restore: (id) => queries.run(updateRow('categories', id, { archived: 0 })),
  };
}
