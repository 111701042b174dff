import type { JSX } from 'preact';
import type { NamedEntry } from '../../../domain/ledger/named-entry.js';
import { Facts } from '../../parts/facts.js';
import { useOpenDialog } from '../../parts/forms/open-dialog.js';
import { historyColumns } from '../../parts/ledger/entry-columns.js';
import { RowActions } from '../../parts/lists/row-actions.js';
import { Table } from '../../parts/lists/table.js';
import { PetLink } from '../../parts/name.js';
import { Panel, Screen } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { numberText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useLoaded } from '../../state/live/loaded.js';
import { call } from '../../state/server/call.js';
import { RefusalError } from '../../state/server/refusal.js';
import { may } from '../../state/session.js';
import { actionsFor, type OrderActionName, type OrderRow } from './order-actions.js';
import { OrderStatus } from './order-columns.js';
import { OrderDialog } from './order-dialog.js';

/** An order with its ledger entries. */
interface OrderHistory {
  /** Undefined for an order that was cancelled. */
  readonly order: OrderRow | undefined;
  readonly entries: readonly NamedEntry[];
}

const shownEntries = 100;

/** Reads an order and its ledger entries, newest first. A cancelled order is only in the ledger. */
async function readHistory(orderId: number, signal: AbortSignal): Promise<OrderHistory> {
  const { items: entries } = may('listLedger')
    ? await call('listLedger', { orderId: [orderId], names: true, sort: '-id', limit: shownEntries }, { signal })
    : { items: [] };
  try {
    return { order: await call('getOrder', { orderId }, { signal }), entries };
  } catch (error) {
    if (error instanceof RefusalError && error.code === 'order_not_found' && entries.length > 0) return { order: undefined, entries };
    throw error;
  }
}

function OrderFacts({ order }: { readonly order: OrderRow }): JSX.Element {
  const { petId, pet, quantity, shipDate, available } = order;
  return (
    <Facts
      of={{
        State: <OrderStatus of={order} />,
        Pet: petId === undefined ? 'none yet' : <PetLink id={petId} name={pet} />,
        Units: quantity === undefined ? 'not known yet' : numberText(quantity),
        'Ship date': shipDate === undefined ? 'no date' : <Time at={shipDate} />,
        ...(order.state === 'open' && available !== undefined && { 'Still available': numberText(available) }),
      }}
    />
  );
}

/** The screen of one order: its details, and its history from the ledger. */
export function OrderScreen({ orderId }: { readonly orderId: number }): JSX.Element {
  const dialog = useOpenDialog<{ readonly name: OrderActionName; readonly row: OrderRow }>();
  const found = useLoaded((signal) => readHistory(orderId, signal), `order ${orderId}`);
  const order = found.value?.order;
  return (
    <Screen
      title={`Order ${orderId}`}
      aside={
        order && <RowActions id={orderId} of={`order ${orderId}`} actions={actionsFor(order)} onChoose={(name) => dialog.open({ name, row: order })} isLarge />
      }
    >
      <Shown of={found}>
        {({ order: shown, entries }) => (
          <div class="panels">
            <Panel title="Details">{shown ? <OrderFacts order={shown} /> : <Facts of={{ State: <Status of="cancelled" /> }} />}</Panel>
            {may('listLedger') && (
              <Panel title="History">
                <Table
                  caption="History"
                  isCaptionHidden
                  columns={historyColumns}
                  rows={entries}
                  rowKey={({ id }) => id}
                  empty="The ledger has no entry of this order."
                />
              </Panel>
            )}
          </div>
        )}
      </Shown>
      {dialog.choice && <OrderDialog {...dialog.choice} onClose={dialog.close} />}
    </Screen>
  );
}
