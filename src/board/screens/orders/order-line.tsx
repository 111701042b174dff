import type { JSX } from 'preact';
import { orderText } from '../../parts/order-text.js';
import { inertText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useDialogRecord, type DialogRecord } from '../../state/changes/dialog-record.js';
import { call } from '../../state/server/call.js';
import type { OrderRow } from './order-actions.js';

/** What every dialog about an order gets. */
export interface OrderDialogProps {
  /** The order as it was shown when the dialog was opened. */
  readonly order: OrderRow;
  readonly onClose: () => void;
}

/** The order in a dialog. */
export function useOrderRecord({ order, onClose }: OrderDialogProps): DialogRecord<OrderRow> {
  return useDialogRecord(order, () => call('getOrder', { orderId: order.id }), onClose);
}

/** An order on top of a dialog. */
export function OrderLine({ of }: { readonly of: OrderRow }): JSX.Element {
  return (
    <p class="record-line">
      <bdi>{inertText(orderText(of))}</bdi>, {of.overdue ? 'overdue' : of.state}
      {of.shipDate !== undefined && (
        <>
          , ships <Time at={of.shipDate} />
        </>
      )}
    </p>
  );
}
