import type { NumberedTable, Queries } from '../engine.js';
import { about, type Sql } from '../sql.js';
import type { Subject } from '../subjects.js';
import { nextId } from './slices.js';

/**
 * Inserts a row with the next id and returns that. Where the engine hands out ids, nothing waits for the answer of the
 * statement. `subjects` are those that it changes.
 */
export async function insertNext(
  queries: Queries,
  table: NumberedTable,
  insert: (id: number | Sql) => Sql,
  subjects: (id: number) => readonly Subject[],
): Promise<number> {
  const id = queries.newest?.takeId?.(table);
  if (id !== undefined) {
    await queries.run(about(insert(id), subjects(id)));
    return id;
  }
  const { text, values } = insert(nextId(table));
  return (await queries.get<{ readonly id: number }>({ text: `${text} RETURNING id`, values }))?.id ?? 0;
}
