import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { inertText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { call } from '../../state/call.js';
import { RefusalError } from '../../state/refusal.js';
import { orderText, type OrderRow } from './order-actions.js';

/** What every dialog about an order gets. */
export interface OrderDialogProps {
  /** The order as it was shown when the dialog was opened. */
  readonly order: OrderRow;
  readonly onClose: () => void;
}

/** The order that somebody sees while they decide. It does not change by itself, so that nobody confirms what they have not seen. */
export function useSeenOrder(order: OrderRow): { readonly seen: ReadonlySignal<OrderRow>; readonly look: () => Promise<void> } {
  const seen = useSignal(order);
  const look = async (): Promise<void> => {
    try {
      seen.value = await call('getOrder', { orderId: order.id });
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
    }
  };
  // Rows of a list have no version, which If-Match needs.
  useEffect(() => void look(), []);
  return { seen, look };
}

/** An order on top of a dialog. */
export function OrderLine({ of }: { readonly of: OrderRow }): JSX.Element {
  return (
    <p class="stock-line">
      <bdi>{inertText(orderText(of))}</bdi>, {of.overdue ? 'overdue' : of.state}
      {of.shipDate !== undefined && (
        <>
          , ships <Time at={of.shipDate} />
        </>
      )}
    </p>
  );
}
