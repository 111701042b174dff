import type { Versioned } from '../../domain/values/version.js';
import type { Column } from '../migrations/migrations.js';
import { type Nullable, type Columns, columnsIn, cellsOf, selection, insertInto, updateRow, withoutNulls } from './columns.js';
import { freeUnits, recordVersion } from './fragments.js';
import type { OrderWriter } from '../../domain/orders/order-table.js';
import type { OrderRecord, OrderWithPet } from '../../domain/orders/order.js';
import { formatDateTime, parseDateTime } from '../../domain/values/time.js';
import type { Queries } from '../queries.js';
import { queryFor, sql } from '../sql.js';
import { countOrders, orderQuery, orderTables } from './order-query.js';
import { insertNext } from './ids.js';

type OrderFields = Omit<OrderRecord, 'id' | keyof Versioned>;

const fieldColumns = { petId: 'pet_id', quantity: 'quantity', shipDate: 'ship_date', state: 'state', returned: 'returned' } as const satisfies Record<
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
  version: recordVersion(sql`l.order_id`, sql`o.id`),
  available: sql`CASE WHEN s.pet_id IS NOT NULL THEN (1 - p.hold) * ${freeUnits} END`,
};

const selectOrder = queryFor((id) => sql`SELECT ${selection(single)} FROM ${orderTables} LEFT JOIN stock s ON s.pet_id = p.id WHERE o.id = ${id}`);

/** The order in a row of `listed` or `single`. */
function toRecord(stored: Stored): OrderWithPet {
  const { shipDate } = stored;
  return withoutNulls<Omit<OrderWithPet, keyof Versioned | 'available'>>({ ...stored, shipDate: shipDate === null ? null : formatDateTime(shipDate) });
}

/** The cells of an order for its table. */
function cellsOfOrder({ shipDate, ...fields }: OrderFields) {
  return cellsOf(fieldColumns, { ...fields, shipDate: instant(shipDate) });
}

function instant(text: string | undefined): number | null {
  return text === undefined ? null : (parseDateTime(text) ?? null);
}

/** The orders of one transaction. */
export function orderTable(queries: Queries): OrderWriter {
  return {
    get: async (id) => {
      const found = await queries.get<StoredAlone>(selectOrder(id));
      return found && toRecord(found);
    },
    list: async (filter, slice) => (await queries.all<Stored>(orderQuery(filter, slice, selection(listed)))).map(toRecord),
    count: (filter) => countOrders(queries, filter),
    insert: async (fields) => {
      const cells = cellsOfOrder(fields);
      return insertNext(queries, 'orders', (id) => insertInto('orders', [{ id, ...cells }]));
    },
    update: ({ id, ...fields }) => queries.run(updateRow('orders', id, cellsOfOrder(fields))),
  };
}
