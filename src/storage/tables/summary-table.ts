import { isDue, isOverdue, isReserving } from './fragments.js';
import type { SummaryReader } from '../../domain/reports/summary.js';
import type { Movement } from '../../domain/reports/report-table.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { Queries } from '../queries.js';
import { sql, type Sql } from '../sql.js';
import { firstSince } from './ledger-table.js';
import { movements } from './report-table.js';

// A deleted pet has no stock, so that the stock alone counts the pets. Only a hold is in the table of the pets.
const onHold = sql`SELECT count(*) AS value FROM pets p JOIN stock_without_units w ON w.pet_id = p.id WHERE p.hold = 1 AND p.archived = 0`;

/** A bulk import whose entries follow each other in the ledger. */
interface ImportedEntries {
  readonly sha256: string;
  readonly at: number;
  readonly first_entry: number;
  readonly last_entry: number;
}

// Entries are never changed, so those of an import, up to a million, are summed up once.
const received = new Map<string, number>();
const mostKept = 1000;

async function receivedBy(queries: Queries, { sha256, at, first_entry: first, last_entry: last }: ImportedEntries): Promise<number> {
  const key = `${sha256} ${at} ${first} ${last}`;
  const kept = received.get(key);
  if (kept !== undefined) return kept;
  const sum = await queries.get<{ readonly units: number }>(sql`SELECT CAST(coalesce(sum(delta), 0) AS BIGINT) AS units FROM ledger
    WHERE id BETWEEN ${first} AND ${last} AND kind IN ('opening', 'adjust') AND delta > 0 AND actor IS NULL`);
  if (received.size >= mostKept) received.clear();
  received.set(key, sum?.units ?? 0);
  return sum?.units ?? 0;
}

/** The figures of one transaction. */
export function summaryTable(queries: Queries): SummaryReader {
  const one = async (query: Sql): Promise<number> => (await queries.get<{ readonly value: number | null }>(query))?.value ?? 0;
  const counted = async (rows: Sql): Promise<{ readonly count: number; readonly units: number }> =>
    (await queries.get(sql`SELECT count(*) AS count, CAST(coalesce(sum(quantity), 0) AS BIGINT) AS units FROM ${rows}`)) ?? { count: 0, units: 0 };
  return {
    movedSince: async (start) => {
      const first = await firstSince(queries, formatDateTime(start));
      const imports = await queries.all<ImportedEntries>(
        sql`SELECT sha256, at, first_entry, last_entry FROM batches WHERE last_entry >= ${first} AND last_entry >= first_entry ORDER BY id DESC`,
      );
      // The entries of imports have no actor of their own.
      const besideImports = sql`l.kind IN ('opening', 'adjust', 'sale', 'return', 'undo') AND l.id >= ${first} AND l.actor IS NOT NULL`;
      const others = await queries.all<Omit<Movement, 'gain'> & { readonly gain: number }>(movements(besideImports));
      let units = 0;
      for (const entries of imports) units += await receivedBy(queries, entries);
      return [...others.map((row) => ({ ...row, gain: row.gain === 1 })), { kind: 'adjust', gain: true, units }];
    },
    figures: async (now, endOfDay) => {
      const { count: all, units: onHand } = await counted(sql`stock`);
      const { count: open, units: reserved } = await counted(sql`orders WHERE ${isReserving}`);
      const held = await one(sql`SELECT count(*) AS value FROM pets WHERE hold = 1 AND archived = 0`);
      const heldAndSold = await one(sql`${onHold} AND w.shortage = 0`);
      const sold = (await one(sql`SELECT count(*) AS value FROM stock_without_units WHERE shortage = 0`)) - heldAndSold;
      const withoutUnits = await one(sql`SELECT count(*) AS value FROM stock_without_units WHERE shortage > 0`);
      const reservedOut = withoutUnits - (await one(sql`${onHold} AND w.shortage > 0`));
      const low = await one(sql`SELECT count(*) AS value FROM stock_at_level`);
      const heldUnits = await one(sql`SELECT CAST(sum(s.quantity - s.reserved) AS BIGINT) AS value FROM pets p JOIN stock s ON s.pet_id = p.id
        WHERE p.hold = 1 AND p.archived = 0 AND s.quantity > s.reserved`);
      const missing = await one(sql`SELECT CAST(sum(s.reserved - s.quantity) AS BIGINT) AS value FROM stock_without_units w
        JOIN stock s ON s.pet_id = w.pet_id WHERE w.shortage = 2`);
      const short = await one(sql`SELECT count(*) AS value FROM stock_without_units WHERE shortage = 2`);
      return {
        categories: await one(sql`SELECT count(*) AS value FROM categories WHERE archived = 0`),
        pets: { available: all - held - reservedOut - sold, pending: held + reservedOut, sold },
        orders: {
          draft: await one(sql`SELECT count(*) AS value FROM orders WHERE state = 'open' AND pet_id IS NULL`),
          open,
          complete: await one(sql`SELECT count(*) AS value FROM orders WHERE state = 'complete'`),
        },
        units: { onHand, reserved, held: heldUnits, available: onHand - reserved - heldUnits + missing },
        low,
        short,
        due: await one(sql`SELECT count(*) AS value FROM orders WHERE ${isDue(now, endOfDay)}`),
        overdue: await one(sql`SELECT count(*) AS value FROM orders WHERE ${isOverdue(now)}`),
      };
    },
  };
}
