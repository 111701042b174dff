import { sql, type Sql } from '../sql.js';

/** The pets `t` of counts that tell when a pet was last counted: closed and not undone; a pet that the close left as it was is not among them. */
const counted = sql`count_pets t JOIN counts n ON n.id = t.count_id AND n.state = 'closed' JOIN batches u ON u.id = n.batch_id AND u.state <> 'undone'
  WHERE t.counted_at IS NOT NULL AND t.refused IS NULL`;

/** A column of the row of the latest of these counts of a pet, which is in one open count at a time; NULL for none. */
function ofLatest(column: Sql, petId: Sql): Sql {
  return sql`(SELECT ${column} FROM ${counted} AND t.pet_id = ${petId} ORDER BY t.counted_at DESC LIMIT 1)`;
}

/** When the last line of a pet was written in the latest count that was closed and not undone, in ms since 1970. */
export function lastCountedAt(petId: Sql): Sql {
  return ofLatest(sql`t.counted_at`, petId);
}

/** Who wrote that line. */
export function lastCountedBy(petId: Sql): Sql {
  return ofLatest(sql`t.counted_by`, petId);
}

/** The condition that no line of a pet in these counts was written at an instant (ms since 1970) or later. */
export function isNotCountedSince(petId: Sql, instant: number): Sql {
  return sql`NOT EXISTS (SELECT 1 FROM ${counted} AND t.pet_id = ${petId} AND t.counted_at >= ${instant})`;
}
