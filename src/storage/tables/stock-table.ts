import { type Columns, selection, insertInto } from './columns.js';
import type { Stock } from '../../domain/inventory/stock.js';
import type { StockWriter } from '../../domain/inventory/stock-table.js';
import type { OpenOrders } from '../../domain/inventory/open-orders.js';
import { maximumNamed } from '../../domain/values/text.js';
import type { Queries } from '../queries.js';
import { builtOnce, declared, list, sql } from '../sql.js';

interface Stored extends Omit<Stock, 'hold'> {
  readonly hold: 0 | 1;
}

const columns: Columns<Stored> = {
  petId: sql`s.pet_id`,
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

const selectStock = builtOnce(
  (petId: number) => sql`SELECT ${selection(columns)} FROM stock s JOIN pets p ON p.id = s.pet_id WHERE s.pet_id = ${petId} AND p.archived = 0`,
);

const updateQuantity = builtOnce((quantity: number, petId: number) => sql`UPDATE stock SET quantity = ${quantity} WHERE pet_id = ${petId}`);

/** The stock of one transaction. */
export function stockTable(queries: Queries): StockWriter {
  const lowDefault = async (): Promise<number | null> => {
    const found = await queries.get<{ readonly value: string }>(declared(sql`SELECT value FROM settings WHERE name = ${'low-at'}`, ['settings']));
    return found === undefined ? null : Number(found.value);
  };
  return {
    get: async (petId) => {
      const found = await queries.get<Stored>(declared(selectStock(petId), [`pet ${petId}`]));
      return found && { ...found, hold: found.hold === 1 };
    },
    openOrders: async (petId) => {
      const open = sql`SELECT id, count(*) OVER () AS count FROM orders WHERE pet_id = ${petId} AND state = 'open' ORDER BY id LIMIT ${maximumNamed}`;
      const rows = await queries.all<{ readonly id: number; readonly count: number }>(declared(open, [`pet ${petId}`]));
      return { first: rows.map(({ id }) => id), count: rows[0]?.count ?? 0 };
    },
    ownLowAt: async (petId) => {
      const select = sql`SELECT low_at AS "lowAt" FROM stock WHERE pet_id = ${petId} AND low_own = 1`;
      const found = await queries.get<{ readonly lowAt: number }>(declared(select, [`pet ${petId}`]));
      return found?.lowAt ?? null;
    },
    lowDefault,
    insert: async (petId, quantity) => {
      const row = { pet_id: petId, quantity, low_at: await lowDefault(), low_own: 0, reserved: 0 };
      await queries.run(declared(insertInto('stock', [row]), [`pet ${petId}`]));
    },
    setQuantity: async (petId, quantity) => {
      await queries.run(declared(updateQuantity(quantity, petId), [`pet ${petId}`]));
    },
    remove: async (petId) => {
      await queries.run(declared(sql`DELETE FROM stock WHERE pet_id = ${petId}`, [`pet ${petId}`]));
    },
    setLowAt: async (petId, lowAt) => {
      const level = lowAt ?? (await lowDefault());
      const own = lowAt === undefined ? 0 : 1;
      await queries.run(declared(sql`UPDATE stock SET low_at = ${level}, low_own = ${own} WHERE pet_id = ${petId}`, [`pet ${petId}`]));
    },
    setLowDefault: async (lowAt) => {
      if (lowAt === null) await queries.run(sql`DELETE FROM settings WHERE name = ${'low-at'}`);
      else
        await queries.run(
          sql`INSERT INTO settings (name, value) VALUES (${'low-at'}, ${String(lowAt)}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        );
      // Stored with every pet, because one partial index then finds all low pets.
      await queries.run(sql`UPDATE stock SET low_at = ${lowAt} WHERE low_own = 0`);
    },
  };
}
