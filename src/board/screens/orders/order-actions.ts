import type { Changes, RowOf } from '../../state/server/contract.js';
import { may } from '../../state/session.js';

/** An order as somebody saw it. */
export type OrderRow = RowOf<'listOrders'>;

/** What can be done with an order. */
export type OrderActionName = 'complete' | 'return' | 'edit' | 'cancel' | 'reopen';

interface OrderAction {
  readonly name: OrderActionName;
  readonly label: string;
  /** Whether it is frequent, and so has its own button in a row. */
  readonly isMain: boolean;
  readonly operation: keyof Changes;
  readonly states: readonly OrderRow['state'][];
}

const orderActions: readonly OrderAction[] = [
  { name: 'complete', label: 'Complete', isMain: true, operation: 'updateOrder', states: ['open'] },
  { name: 'return', label: 'Return', isMain: true, operation: 'returnUnits', states: ['complete'] },
  { name: 'reopen', label: 'Reopen', isMain: false, operation: 'updateOrder', states: ['complete'] },
  { name: 'edit', label: 'Edit', isMain: false, operation: 'updateOrder', states: ['open', 'draft'] },
  { name: 'cancel', label: 'Cancel order', isMain: false, operation: 'cancelOrder', states: ['open', 'draft'] },
];

/** Whether units can come back: some that did not yet, and to a pet that the session may read. */
function canReturn({ quantity = 0, returned = 0 }: OrderRow): boolean {
  return returned < quantity && may('getPetDetails');
}

/** The actions that the session may do with an order. */
export function actionsFor(order: OrderRow): readonly OrderAction[] {
  return orderActions.filter(({ name, operation, states }) => may(operation) && states.includes(order.state) && (name !== 'return' || canReturn(order)));
}
