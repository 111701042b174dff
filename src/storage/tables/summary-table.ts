import type { SummaryReader } from '../../domain/reports/summary.js';
import type { Queries } from '../engine.js';
import { sql, type Sql } from '../sql.js';

const live = sql`pets p JOIN stock s ON s.pet_id = p.id`;
// The pets of open orders are few beside all pets: summing up the orders first keeps the count to one pass.
const reservations = sql`(SELECT pet_id, sum(quantity) AS units FROM orders WHERE state = 'open' AND pet_id IS NOT NULL GROUP BY pet_id) AS r`;

/** The figures of one transaction. */
export function summaryTable(queries: Queries): SummaryReader {
  const one = async (query: Sql): Promise<number> => (await queries.get<{ readonly value: number | null }>(query))?.value ?? 0;
  return {
    figures: async () => {
      const all = await one(sql`SELECT count(*) AS value FROM stock`);
      const pending = await one(sql`SELECT count(*) AS value FROM ${live} LEFT JOIN ${reservations} ON r.pet_id = p.id
        WHERE p.archived = 0 AND (p.hold = 1 OR (r.units > 0 AND s.quantity <= r.units))`);
      const sold = await one(sql`SELECT count(*) AS value FROM ${live} LEFT JOIN ${reservations} ON r.pet_id = p.id
        WHERE p.archived = 0 AND p.hold = 0 AND s.quantity = 0 AND r.units IS NULL`);
      const onHand = await one(sql`SELECT CAST(sum(s.quantity) AS BIGINT) AS value FROM ${live} WHERE p.archived = 0`);
      const reserved = await one(sql`SELECT CAST(sum(quantity) AS BIGINT) AS value FROM orders WHERE state = 'open' AND pet_id IS NOT NULL`);
      const low = await one(sql`SELECT count(*) AS value FROM ${live} LEFT JOIN ${reservations} ON r.pet_id = p.id
        WHERE p.archived = 0 AND s.low_at IS NOT NULL AND s.quantity - coalesce(r.units, 0) <= s.low_at`);
      return {
        categories: await one(sql`SELECT count(*) AS value FROM categories WHERE archived = 0`),
        pets: { available: all - pending - sold, pending, sold },
        orders: {
          draft: await one(sql`SELECT count(*) AS value FROM orders WHERE state = 'open' AND pet_id IS NULL`),
          open: await one(sql`SELECT count(*) AS value FROM orders WHERE state = 'open' AND pet_id IS NOT NULL`),
          complete: await one(sql`SELECT count(*) AS value FROM orders WHERE state = 'complete'`),
        },
        units: { onHand, reserved, available: onHand - reserved },
        low,
      };
    },
  };
}
