import type { JSX } from 'preact';
import type { Column } from '../../parts/lists/table.js';
import { OrderLink, PetLink } from '../../parts/name.js';
import { Status } from '../../parts/status.js';
import { numberText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import type { OrderRow } from './order-actions.js';

/** The state of an order. */
export function OrderStatus({ of: { state, overdue } }: { readonly of: OrderRow }): JSX.Element {
  return <Status of={overdue ? 'overdue' : state} />;
}

/** The columns of a list of orders. */
export const orderColumns: readonly Column<OrderRow>[] = [
  { heading: 'Order', cell: ({ id }) => <OrderLink id={id} />, isHead: true },
  { heading: 'Pet', cell: ({ petId, pet }) => petId !== undefined && <PetLink id={petId} name={pet} />, onPhone: 'line' },
  { heading: 'Units', cell: ({ quantity }) => quantity !== undefined && numberText(quantity), isNumber: true },
  { heading: 'Ship date', cell: ({ shipDate }) => shipDate !== undefined && <Time at={shipDate} /> },
  { heading: 'State', cell: (order) => <OrderStatus of={order} />, onPhone: 'corner' },
];
