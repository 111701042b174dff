import { sql, type Sql } from '../sql.js';

/**
 * The state of pet `p` before the ledger entry `end`, as parts of a query over the pets. Each part reads a few index
 * entries of the pet; none scans the ledger.
 */

/** The last entry that changed its quantity; NULL when the pet was created later. */
export function lastMovement(end: number): Sql {
  return sql`(SELECT m.id FROM ledger m WHERE m.pet_id = p.id AND m.id < ${end} AND m.delta IS NOT NULL ORDER BY m.id DESC LIMIT 1)`;
}

/** Whether it was not archived, derived from the first deletion or restoration after `end`. */
export function existedBefore(end: number): Sql {
  return sql`(coalesce((SELECT CASE a.kind WHEN 'pet.restored' THEN 1 ELSE 0 END FROM ledger a
    WHERE a.pet_id = p.id AND a.id >= ${end} AND a.kind IN ('pet.archived', 'pet.restored') ORDER BY a.id LIMIT 1), p.archived) = 0)`;
}

/** Whether it was on hold, derived from the first change after `end`. */
export function heldBefore(end: number): Sql {
  return sql`coalesce((SELECT CASE h.kind WHEN 'pet.released' THEN 1 ELSE 0 END FROM ledger h
    WHERE h.pet_id = p.id AND h.id >= ${end} AND h.kind IN ('pet.held', 'pet.released') ORDER BY h.id LIMIT 1), p.hold)`;
}

/**
 * The units that open orders reserved. Candidates are orders that are still open and orders that changed since. The
 * ledger does not record quantities, so an order that was edited since counts with its present quantity.
 */
export function reservedBefore(end: number): Sql {
  const candidates = sql`SELECT w.id FROM orders w WHERE w.pet_id = p.id AND w.state = 'open'
    UNION ALL SELECT l.order_id FROM ledger l WHERE l.pet_id = p.id AND l.id >= ${end} AND l.order_id IS NOT NULL`;
  // A return of units has current values; the order stays complete.
  const state = sql`(SELECT k.kind FROM ledger k WHERE k.order_id = o.id AND k.id < ${end} AND k.kind <> 'order.updated' AND k.current IS NULL ORDER BY k.id DESC LIMIT 1)`;
  return sql`(SELECT CAST(coalesce(sum(o.quantity), 0) AS BIGINT) FROM orders o
    WHERE o.id IN (${candidates}) AND o.pet_id = p.id AND ${state} IN ('order.placed', 'order.restored', 'return'))`;
}
