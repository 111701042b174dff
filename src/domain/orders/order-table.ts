import type { OrderRecord, OrderWithPet } from './order.js';
import type { Slice } from '../values/pages.js';

/** Selects orders; cancelled ones are never listed. */
export interface OrderFilter {
  readonly petId?: readonly number[] | undefined;
  readonly complete?: boolean | undefined;
  /** Only orders without a pet, or only those with one. */
  readonly draft?: boolean | undefined;
  /** Only overdue orders at an instant (ms since 1970), which are open with a ship date before it, or only the others. */
  readonly overdue?: { readonly is: boolean; readonly now: number } | undefined;
  readonly shipDateFrom?: string | undefined;
  readonly shipDateTo?: string | undefined;
}

/** The sort orders of orders. */
export type OrderSort = 'id' | 'shipDate';

/** Read access to the orders. */
export interface OrderReader {
  /** An order in any state, also cancelled; undefined when its id was never assigned. */
  get(id: number): Promise<OrderWithPet | undefined>;
  list(filter: OrderFilter, slice: Slice<OrderSort>): Promise<readonly OrderWithPet[]>;
  count(filter: OrderFilter): Promise<number>;
}

/** Write access to the orders. */
export interface OrderWriter extends OrderReader {
  insert(order: Omit<OrderRecord, 'id'>): Promise<number>;
  update(order: OrderRecord): Promise<void>;
}
