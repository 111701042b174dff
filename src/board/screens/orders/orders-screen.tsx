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

function Chooser({ onChoose }: { readonly onChoose: (chosen: Chosen) => void }): JSX.Element | null {
  if (!may('placeOrder')) return null;
  return (
    <button type="button" onClick={() => onChoose({ name: 'place' })}>
      Place order
    </button>
  );
}

function actionsColumn(choose: (chosen: Chosen) => void): Column<OrderRow> {
  return {
    heading: 'Actions',
    cell: (order) => <RowActions id={order.id} of={`order ${order.id}`} actions={actionsFor(order)} onChoose={(name) => choose({ name, row: order })} />,
    isControl: true,
  };
}

function ChosenDialog({ of, onClose }: { readonly of: Chosen; readonly onClose: () => void }): JSX.Element {
  if ('row' in of) return <OrderDialog {...of} onClose={onClose} />;
  return <PlaceDialog row={undefined} onClose={onClose} />;
}

/** The screen Orders. */
export function OrdersScreen(): JSX.Element {
  const dialog = useOpenDialog<Chosen>();
  const orders = useCall('listOrders', ordersInput());
  const mayChange = may('updateOrder') || may('cancelOrder');
  return (
    <Screen title="Orders" aside={<Chooser onChoose={dialog.open} />}>
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
      {dialog.choice && <ChosenDialog of={dialog.choice} onClose={dialog.close} />}
    </Screen>
  );
}
