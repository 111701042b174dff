import type { JSX } from 'preact';
import { useOpenDialog } from '../../parts/forms/open-dialog.js';
import { NoRows } from '../../parts/lists/no-rows.js';
import { PagedTable } from '../../parts/lists/paged-table.js';
import { RowActions } from '../../parts/lists/row-actions.js';
import type { Column } from '../../parts/lists/table.js';
import { Screen } from '../../parts/screen.js';
import { useCall } from '../../state/live/loaded.js';
import { may } from '../../state/session.js';
import { actionsFor, type OrderActionName, type OrderRow } from './order-actions.js';
import { orderColumns } from './order-columns.js';
import { OrderDialog, PlaceDialog } from './order-dialog.js';
import { OrderFilters, ordersInput } from './order-filters.js';

type Chosen = { readonly name: OrderActionName; readonly row: OrderRow } | { readonly name: 'place' };

function actionsColumn(choose: (chosen: Chosen) => void): Column<OrderRow> {
  return {
    heading: 'Actions',
    cell: (order) => <RowActions id={order.id} of={`order ${order.id}`} actions={actionsFor(order)} onChoose={(name) => choose({ name, row: order })} />,
    isControl: true,
  };
}

/** The screen Orders. */
export function OrdersScreen(): JSX.Element {
  const dialog = useOpenDialog<Chosen>();
  const orders = useCall('listOrders', ordersInput());
  const mayChange = may('updateOrder') || may('cancelOrder');
  const place = may('placeOrder') && (
    <button type="button" onClick={() => dialog.open({ name: 'place' })}>
      Place order
    </button>
  );
  return (
    <Screen title="Orders" aside={place}>
      <OrderFilters />
      <div class="panel">
        <PagedTable
          of={orders}
          caption="Orders"
          columns={mayChange ? [...orderColumns, actionsColumn(dialog.open)] : orderColumns}
          rowKey={({ id }) => id}
          noun="order"
          empty={<NoRows noun="order">No order was placed yet.</NoRows>}
        />
      </div>
      {dialog.choice &&
        ('row' in dialog.choice ? <OrderDialog {...dialog.choice} onClose={dialog.close} /> : <PlaceDialog row={undefined} onClose={dialog.close} />)}
    </Screen>
  );
}
