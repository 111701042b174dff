import { isDue, isOverdue, isReserving, reservedByPet, statusConditions } from './fragments.js';
import type { SummaryReader } from '../../domain/reports/summary.js';
import type { Queries } from '../engine.js';
import { sql, type Sql } from '../sql.js';

// A deleted pet has no stock, so that the stock alone counts the pets. Only a hold is in the table of the pets.
// Few pets have open orders. With the orders summed first, each count needs only one pass over the stock.
const reservations = sql`(${reservedByPet()}) AS r`;
const reserved = sql`LEFT JOIN ${reservations} ON r.pet_id = s.pet_id`;
const isStatus = statusConditions({ hold: sql`p.hold`, quantity: sql`s.quantity`, reserved: sql`coalesce(r.units, 0)` });

/** The figures of one transaction. */
export function summaryTable(queries: Queries): SummaryReader {
  const one = async (query: Sql): Promise<number> => (await queries.get<{ readonly value: number | null }>(query))?.value ?? 0;
  return {
    figures: async (now, endOfDay) => {
      const all = await one(sql`SELECT count(*) AS value FROM stock`);
      const held = await one(sql`SELECT count(*) AS value FROM pets WHERE hold = 1 AND archived = 0`);
      const soldOut = await one(sql`SELECT count(*) AS value FROM stock s JOIN pets p ON p.id = s.pet_id JOIN ${reservations} ON r.pet_id = p.id
        WHERE p.hold = 0 AND ${isStatus.pending}`);
      const sold = await one(sql`SELECT count(*) AS value FROM stock s JOIN pets p ON p.id = s.pet_id ${reserved} WHERE ${isStatus.sold}`);
      const onHand = await one(sql`SELECT CAST(sum(quantity) AS BIGINT) AS value FROM stock`);
      const reservedUnits = await one(sql`SELECT CAST(sum(quantity) AS BIGINT) AS value FROM orders WHERE ${isReserving}`);
      const low = await one(sql`SELECT count(*) AS value FROM stock s ${reserved}
        WHERE s.low_at IS NOT NULL AND s.quantity - coalesce(r.units, 0) <= s.low_at`);
      const short = await one(sql`SELECT count(*) AS value FROM stock s JOIN ${reservations} ON r.pet_id = s.pet_id WHERE s.quantity < r.units`);
      return {
        categories: await one(sql`SELECT count(*) AS value FROM categories WHERE archived = 0`),
        pets: { available: all - held - soldOut - sold, pending: held + soldOut, sold },
        orders: {
          draft: await one(sql`SELECT count(*) AS value FROM orders WHERE state = 'open' AND pet_id IS NULL`),
          open: await one(sql`SELECT count(*) AS value FROM orders WHERE ${isReserving}`),
          complete: await one(sql`SELECT count(*) AS value FROM orders WHERE state = 'complete'`),
        },
        units: { onHand, reserved: reservedUnits, available: onHand - reservedUnits },
        low,
        short,
        due: await one(sql`SELECT count(*) AS value FROM orders WHERE ${isDue(now, endOfDay)}`),
        overdue: await one(sql`SELECT count(*) AS value FROM orders WHERE ${isOverdue(now)}`),
      };
    },
  };
}
