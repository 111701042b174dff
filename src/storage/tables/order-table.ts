import type { Versioned } from '../../domain/values/version.js';
import type { Column } from '../migrations/migrations.js';
import { type Nullable, type Columns, columnsIn, cellsOf, selection, insertInto, assignments } from './columns.js';
import { isOverdue, reservedUnits, shipDateOf, versionOf } from './fragments.js';
import type { OrderFilter, OrderWriter } from '../../domain/orders/order-table.js';
import type { OrderRecord } from '../../domain/orders/order.js';
import { formatDateTime, parseDateTime } from '../../domain/values/time.js';
import type { Queries } from '../engine.js';
import { all, list, sql, type Sql } from '../sql.js';
import { afterPosition, countRows, nextId, orderBy } from './slices.js';

type OrderFields = Omit<OrderRecord, 'id' | keyof Versioned>;

const fieldColumns = { petId: 'pet_id', quantity: 'quantity', shipDate: 'ship_date', state: 'state' } as const satisfies Record<
  keyof OrderFields,
  Column<'orders'>
>;

/** An order of a list as the database returns it. */
interface Stored extends Nullable<Omit<OrderFields, 'shipDate'>> {
  readonly id: number;
  /** In ms since 1970. */
  readonly shipDate: number | null;
  readonly pet: string | null;
}

/** One order, as the database answers it: with the available units of its pet, which a deleted pet does not have. */
interface StoredAlone extends Stored {
  readonly version: number;
  readonly available: number | null;
}

const listed: Columns<Stored> = { id: sql`o.id`, ...columnsIn('o', fieldColumns), pet: sql`p.name` };
const single: Columns<StoredAlone> = {
  ...listed,
  version: versionOf(sql`l.order_id`, sql`o.id`),
  available: sql`s.quantity - ${reservedUnits(sql`s.pet_id`)}`,
};
const tables = sql`orders o LEFT JOIN pets p ON p.id = o.pet_id`;
const byShipDate = shipDateOf(sql`o.ship_date`);

function toRecord({ id, petId, quantity, shipDate, state, pet }: Stored): OrderRecord & { readonly pet: string | undefined } {
  return {
    id,
    petId: petId ?? undefined,
    quantity: quantity ?? undefined,
    shipDate: shipDate === null ? undefined : formatDateTime(shipDate),
    state,
    pet: pet ?? undefined,
  };
}

/** The cells of an order for its table. */
function cellsOfOrder({ shipDate, ...fields }: OrderFields) {
  return cellsOf(fieldColumns, { ...fields, shipDate: instant(shipDate) });
}

function instant(text: string | undefined): number | null {
  return text === undefined ? null : (parseDateTime(text) ?? null);
}

function matching({ petId, complete, draft, overdue, shipDateFrom, shipDateTo }: OrderFilter): readonly Sql[] {
  return [
    // Needed also with a narrower condition: SQLite uses a partial index only if the query repeats the condition of the index.
    sql`o.state <> 'cancelled'`,
    ...(complete === undefined ? [] : [complete ? sql`o.state = 'complete'` : sql`o.state = 'open'`]),
    ...(draft === undefined ? [] : [draft ? sql`o.pet_id IS NULL` : sql`o.pet_id IS NOT NULL`]),
    ...(overdue === undefined ? [] : [overdue.is ? isOverdue(overdue.now) : sql`NOT (${isOverdue(overdue.now)})`]),
    ...(petId === undefined ? [] : [sql`o.pet_id IN ${list(petId)}`]),
    ...(shipDateFrom === undefined ? [] : [sql`o.ship_date IS NOT NULL AND ${byShipDate} >= ${instant(shipDateFrom)}`]),
    ...(shipDateTo === undefined ? [] : [sql`o.ship_date IS NOT NULL AND ${byShipDate} <= ${instant(shipDateTo)}`]),
  ];
}

/** The orders of one transaction. */
export function orderTable(queries: Queries): OrderWriter {
  return {
    get: async (id) => {
      const found = await queries.get<StoredAlone>(sql`SELECT ${selection(single)} FROM ${tables} LEFT JOIN stock s ON s.pet_id = p.id WHERE o.id = ${id}`);
      if (found === undefined) return undefined;
      const { version, available } = found;
      return { ...toRecord(found), version, ...(available !== null && { available }) };
    },
    list: async (filter, { sort, descending, from, limit }) => {
      const key = sort === 'id' ? sql`o.id` : byShipDate;
      const where = all([...matching(filter), ...afterPosition(from, key, sql`o.id`, descending)]);
      const rows = await queries.all<Stored>(
        sql`SELECT ${selection(listed)} FROM ${tables} WHERE ${where} ${orderBy(key, sql`o.id`, descending)} LIMIT ${limit}`,
      );
      return rows.map(toRecord);
    },
    count: (filter, bound) => countRows(queries, sql`orders o`, all(matching(filter)), bound),
    insert: async (fields) => {
      const row = { id: nextId('orders'), ...cellsOfOrder(fields) };
      const inserted = await queries.get<{ readonly id: number }>(sql`${insertInto('orders', [row])} RETURNING id`);
      return inserted?.id ?? 0;
    },
    update: async ({ id, ...fields }) => {
      await queries.run(sql`UPDATE orders SET ${assignments<'orders'>(cellsOfOrder(fields))} WHERE id = ${id}`);
    },
  };
}
