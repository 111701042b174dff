import type { PetStatus } from '../../domain/pets/pet-status.js';
import { sql, type Sql } from '../sql.js';

/** The condition for an order that reserves units: it is open and has a pet. */
export const isReserving = sql`state = 'open' AND pet_id IS NOT NULL`;

/** SQLite uses a partial index only if the query repeats the condition of the index. */
const isListed = sql`state <> 'cancelled'`;

/** The ship date of an order (ms since 1970), for an order without one a time after all others: the expression of an index. */
export function shipDateOf(column: Sql): Sql {
  return sql`coalesce(${column}, 9000000000000000)`;
}

/** The condition for an order that is overdue at an instant (ms since 1970). */
export function isOverdue(now: number): Sql {
  return sql`${isReserving} AND ${isListed} AND ${shipDateOf(sql`ship_date`)} < ${now}`;
}

/** The condition for an open order with a ship date from an instant to another (ms since 1970). */
export function isDue(from: number, to: number): Sql {
  return sql`${isReserving} AND ${isListed} AND ${shipDateOf(sql`ship_date`)} BETWEEN ${from} AND ${to}`;
}

/** The expressions of a query that the status of a pet depends on. */
export interface StatusInputs {
  readonly hold: Sql;
  readonly quantity: Sql;
  readonly reserved: Sql;
}

/** The units of stock `s` that no order reserves, never fewer than 0: `available` of the domain in SQL, for a pet that is not on hold. A test compares the two. */
export const freeUnits = sql`CASE WHEN s.quantity > s.reserved THEN s.quantity - s.reserved ELSE 0 END`;

/** The status of a pet: `statusOf` of the domain in SQL. A test compares the two. */
export function statusText({ hold, quantity, reserved }: StatusInputs): Sql {
  return sql`CASE WHEN ${hold} = 1 THEN 'pending' WHEN ${quantity} > ${reserved} THEN 'available' WHEN ${reserved} > 0 THEN 'pending' ELSE 'sold' END`;
}

/** The same rule as one condition per status, for filters and counts. */
export function statusConditions({ hold, quantity, reserved }: StatusInputs): Readonly<Record<PetStatus, Sql>> {
  return {
    available: sql`(${hold} = 0 AND ${quantity} > ${reserved})`,
    pending: sql`(${hold} = 1 OR (${reserved} > 0 AND ${quantity} <= ${reserved}))`,
    sold: sql`(${hold} = 0 AND ${quantity} = 0 AND ${reserved} = 0)`,
  };
}

/** The ledger `l` with the batches `b` of its entries. */
export const ledgerWithBatches = sql`ledger l LEFT JOIN batches b ON b.id = l.batch_id`;

/** The time of entry `l`, ms since 1970: entries of a batch take it from their batch `b`. */
export const entryTime = sql`coalesce(l.at, b.at)`;

/** The actor of entry `l`, which may be that of its batch `b`. */
export const entryActor = sql`coalesce(l.actor, b.actor)`;

/** The source of entry `l`, which may be that of its batch `b`. */
export const entrySource = sql`coalesce(l.source, b.source)`;

/** The version of a record: the id of the newest ledger entry `l` about it. */
export function recordVersion(subject: Sql, id: Sql): Sql {
  return sql`(SELECT max(l.id) FROM ledger l WHERE ${subject} = ${id})`;
}

/** The pets `t` of counts that tell when a pet was last counted: closed and not undone; a pet that the close left as it was is not among them. */
const counted = sql`count_pets t JOIN counts n ON n.id = t.count_id AND n.state = 'closed' JOIN batches u ON u.id = n.batch_id AND u.state <> 'undone'
  WHERE t.counted_at IS NOT NULL AND t.refused IS NULL`;

/** A column of the newest of these rows of a pet; NULL if there is none. */
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
