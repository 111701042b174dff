import type { OrderRecord } from './order.js';
import type { Slice } from '../values/pages.js';

/** Which orders are asked for; cancelled ones never are. */
export interface OrderFilter {
  readonly petId?: readonly number[] | undefined;
  readonly complete?: boolean | undefined;
  /** Only orders that name no pet yet, or only those that do. */
  readonly draft?: boolean | undefined;
  readonly shipDateFrom?: string | undefined;
  readonly shipDateTo?: string | undefined;
}

/** What orders are sorted by. */
export type OrderSort = 'id' | 'shipDate';

/** The orders, for reading. */
export interface OrderReader {
  /** An order in any state, or undefined when its id was never assigned. */
  get(id: number): Promise<(OrderRecord & { readonly pet: string | undefined }) | undefined>;
  list(filter: OrderFilter, slice: Slice<OrderSort>): Promise<readonly (OrderRecord & { readonly pet: string | undefined })[]>;
  count(filter: OrderFilter, bound?: number): Promise<number>;
}

/** The orders. */
export interface OrderWriter extends OrderReader {
  insert(order: Omit<OrderRecord, 'id'>): Promise<number>;
  update(order: OrderRecord): Promise<void>;
}
