import { versionOf } from './fragments.js';
import type { OrderFilter, OrderWriter } from '../../domain/orders/order-table.js';
import type { OrderRecord, OrderState } from '../../domain/orders/order.js';
import { formatDateTime, parseDateTime } from '../../domain/values/time.js';
import type { Queries } from '../engine.js';
import { all, list, sql, type Sql } from '../sql.js';
import { afterPosition, countRows, nextId, orderBy } from './slices.js';

interface Stored {
  readonly id: number;
  readonly petId: number | null;
  readonly quantity: number | null;
  readonly shipDate: number | null;
  readonly state: OrderState;
  readonly pet: string | null;
  /** Read with one order, not with a list. */
  readonly version?: number;
}

const columns = sql`o.id, o.pet_id AS "petId", o.quantity, o.ship_date AS "shipDate", o.state, p.name AS pet`;
const tables = sql`orders o LEFT JOIN pets p ON p.id = o.pet_id`;
const byShipDate = sql`coalesce(o.ship_date, 9000000000000000)`;

function toRecord({ id, petId, quantity, shipDate, state, pet, version }: Stored): OrderRecord & { readonly pet: string | undefined } {
  return {
    id,
    petId: petId ?? undefined,
    quantity: quantity ?? undefined,
    shipDate: shipDate === null ? undefined : formatDateTime(shipDate),
    state,
    pet: pet ?? undefined,
    ...(version !== undefined && { version }),
  };
}

function instant(text: string | undefined): number | null {
  return text === undefined ? null : (parseDateTime(text) ?? null);
}

function matching({ petId, complete, draft, shipDateFrom, shipDateTo }: OrderFilter): readonly Sql[] {
  return [
    complete === undefined ? sql`o.state <> 'cancelled'` : complete ? sql`o.state = 'complete'` : sql`o.state = 'open'`,
    ...(complete === undefined ? [] : [sql`o.state <> 'cancelled'`]),
    ...(draft === undefined ? [] : [draft ? sql`o.pet_id IS NULL` : sql`o.pet_id IS NOT NULL`]),
    ...(petId === undefined ? [] : [sql`o.pet_id IN ${list(petId)}`]),
    ...(shipDateFrom === undefined ? [] : [sql`o.ship_date IS NOT NULL AND ${byShipDate} >= ${instant(shipDateFrom)}`]),
    ...(shipDateTo === undefined ? [] : [sql`o.ship_date IS NOT NULL AND ${byShipDate} <= ${instant(shipDateTo)}`]),
  ];
}

/** The orders of one transaction. */
export function orderTable(queries: Queries): OrderWriter {
  return {
    get: async (id) => {
      const version = versionOf(sql`l.order_id`, sql`o.id`);
      const found = await queries.get<Stored>(sql`SELECT ${columns}, ${version} AS version FROM ${tables} WHERE o.id = ${id}`);
      return found && toRecord(found);
    },
    list: async (filter, { sort, descending, from, limit }) => {
      const key = sort === 'id' ? sql`o.id` : byShipDate;
      const where = all([...matching(filter), ...afterPosition(from, key, sql`o.id`, descending)]);
      const rows = await queries.all<Stored>(sql`SELECT ${columns} FROM ${tables} WHERE ${where} ${orderBy(key, sql`o.id`, descending)} LIMIT ${limit}`);
      return rows.map(toRecord);
    },
    count: (filter, bound) => countRows(queries, sql`orders o`, all(matching(filter)), bound),
    insert: async ({ petId, quantity, shipDate, state }) => {
      const inserted = await queries.get<{ readonly id: number }>(
        sql`INSERT INTO orders (id, pet_id, quantity, ship_date, state) VALUES (${nextId('orders')}, ${petId ?? null}, ${quantity ?? null}, ${instant(shipDate)}, ${state}) RETURNING id`,
      );
      return inserted?.id ?? 0;
    },
    update: async ({ id, petId, quantity, shipDate, state }) => {
      await queries.run(
        sql`UPDATE orders SET pet_id = ${petId ?? null}, quantity = ${quantity ?? null}, ship_date = ${instant(shipDate)}, state = ${state} WHERE id = ${id}`,
      );
    },
  };
}
