import { isDue, isOverdue, isReserving } from './fragments.js';
import type { SummaryReader } from '../../domain/reports/summary.js';
import type { Queries } from '../queries.js';
import { sql, type Sql } from '../sql.js';

// A deleted pet has no stock, so that the stock alone counts the pets. Only a hold is in the table of the pets.
const onHold = sql`SELECT count(*) AS value FROM pets p JOIN stock_without_units w ON w.pet_id = p.id WHERE p.hold = 1 AND p.archived = 0`;

/** The figures of one transaction. */
export function summaryTable(queries: Queries): SummaryReader {
  const one = async (query: Sql): Promise<number> => (await queries.get<{ readonly value: number | null }>(query))?.value ?? 0;
  const counted = async (rows: Sql): Promise<{ readonly count: number; readonly units: number }> =>
    (await queries.get(sql`SELECT count(*) AS count, CAST(coalesce(sum(quantity), 0) AS BIGINT) AS units FROM ${rows}`)) ?? { count: 0, units: 0 };
  return {
    figures: async (now, endOfDay) => {
      const { count: all, units: onHand } = await counted(sql`stock`);
      const { count: open, units: reserved } = await counted(sql`orders WHERE ${isReserving}`);
      const held = await one(sql`SELECT count(*) AS value FROM pets WHERE hold = 1 AND archived = 0`);
      const heldAndSold = await one(sql`${onHold} AND w.shortage = 0`);
      const sold = (await one(sql`SELECT count(*) AS value FROM stock_without_units WHERE shortage = 0`)) - heldAndSold;
      const withoutUnits = await one(sql`SELECT count(*) AS value FROM stock_without_units WHERE shortage > 0`);
      const reservedOut = withoutUnits - (await one(sql`${onHold} AND w.shortage > 0`));
      const low = await one(sql`SELECT count(*) AS value FROM stock_at_level`);
      const short = await one(sql`SELECT count(*) AS value FROM stock_without_units WHERE shortage = 2`);
      return {
        categories: await one(sql`SELECT count(*) AS value FROM categories WHERE archived = 0`),
        pets: { available: all - held - reservedOut - sold, pending: held + reservedOut, sold },
        orders: {
          draft: await one(sql`SELECT count(*) AS value FROM orders WHERE state = 'open' AND pet_id IS NULL`),
          open,
          complete: await one(sql`SELECT count(*) AS value FROM orders WHERE state = 'complete'`),
        },
        units: { onHand, reserved, available: onHand - reserved },
        low,
        short,
        due: await one(sql`SELECT count(*) AS value FROM orders WHERE ${isDue(now, endOfDay)}`),
        overdue: await one(sql`SELECT count(*) AS value FROM orders WHERE ${isOverdue(now)}`),
      };
    },
  };
}
