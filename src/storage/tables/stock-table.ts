import { type Columns, selection, insertInto } from './columns.js';
import type { Stock } from '../../domain/inventory/stock.js';
import type { StockWriter } from '../../domain/inventory/stock-table.js';
import type { OpenOrders } from '../../domain/inventory/open-orders.js';
import { maximumNamed } from '../../domain/values/text.js';
import type { Queries } from '../queries.js';
import { settingValue } from './setting-table.js';
import { list, queryFor, sql } from '../sql.js';

interface Stored extends Omit<Stock, 'hold'> {
  readonly hold: 0 | 1;
}

const columns: Columns<Stored> = {
  petId: sql`s.pet_id`,
  name: sql`p.name`,
  hold: sql`p.hold`,
  quantity: sql`s.quantity`,
  lowAt: sql`s.low_at`,
  reserved: sql`s.reserved`,
};

/** The first open orders of several pets and their number, in one query. */
export async function openOrdersOf(queries: Queries, petIds: readonly number[]): Promise<ReadonlyMap<number, OpenOrders>> {
  if (petIds.length === 0) return new Map();
  const rows = await queries.all<{ readonly id: number; readonly petId: number; readonly count: number }>(sql`SELECT id, "petId", count FROM
    (SELECT o.id, o.pet_id AS "petId", row_number() OVER (PARTITION BY o.pet_id ORDER BY o.id) AS place, count(*) OVER (PARTITION BY o.pet_id) AS count
    FROM orders o WHERE o.state = 'open' AND o.pet_id IN ${list(petIds)}) AS ranked WHERE place <= ${maximumNamed} ORDER BY id`);
  const found = new Map<number, OpenOrders>();
  for (const { id, petId, count } of rows) found.set(petId, { first: [...(found.get(petId)?.first ?? []), id], count });
  return found;
}

const stockOf = queryFor((petId) => sql`SELECT ${selection(columns)} FROM stock s JOIN pets p ON p.id = s.pet_id WHERE p.archived = 0 AND s.pet_id = ${petId}`);

/** The stock of one transaction. */
export function stockTable(queries: Queries): StockWriter {
  return {
    get: async (petId) => {
      const found = await queries.get<Stored>(stockOf(petId));
      return found && { ...found, hold: found.hold === 1 };
    },
    openOrders: async (petId) => (await openOrdersOf(queries, [petId])).get(petId) ?? { first: [], count: 0 },
    ownLowAt: async (petId) => {
      const select = sql`SELECT low_at AS "lowAt" FROM stock WHERE pet_id = ${petId} AND low_own = 1`;
      const found = await queries.get<{ readonly lowAt: number }>(select);
      return found?.lowAt ?? null;
    },
    insert: async (petId, quantity) => {
      const row = { pet_id: petId, quantity, low_at: settingValue('lowAt'), low_own: 0, reserved: 0 };
      await queries.run(insertInto('stock', [row]));
    },
    setQuantity: (petId, quantity) => queries.run(sql`UPDATE stock SET quantity = ${quantity} WHERE pet_id = ${petId}`),
    remove: (petId) => queries.run(sql`DELETE FROM stock WHERE pet_id = ${petId}`),
    setLowAt: (petId, lowAt) =>
      queries.run(sql`UPDATE stock SET low_at = ${lowAt ?? settingValue('lowAt')}, low_own = ${lowAt === undefined ? 0 : 1} WHERE pet_id = ${petId}`),
    setSharedLowAt: async (lowAt) => {
      // Stored with every pet, because one partial index then finds all low pets.
      await queries.run(sql`UPDATE stock SET low_at = ${lowAt} WHERE low_own = 0`);
    },
  };
}
