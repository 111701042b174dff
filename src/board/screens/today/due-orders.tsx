import type { JSX } from 'preact';
import { Table } from '../../parts/lists/table.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { dayOf } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import { useCall } from '../../state/live/loaded.js';
import { href } from '../../state/router.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { orderColumns } from '../orders/order-columns.js';

const shownOrders = 8;

function OrderTable(): JSX.Element {
  const due = useCall('listOrders', {
    complete: false,
    draft: false,
    shipDateTo: dayOf(now()),
    tz: timeZone,
    sort: 'shipDate',
    limit: shownOrders,
  });
  return (
    <Shown of={due}>
      {({ items }) => <Table caption="Orders due" isCaptionHidden columns={orderColumns} rows={items} rowKey={({ id }) => id} empty="Nothing is due today." />}
    </Shown>
  );
}

/** The open orders that ship today or should have shipped before. They are read only where the summary counts some. */
export function DueOrders({ of: { due, overdue } }: { readonly of: AnswerOf<'getSummary'> }): JSX.Element {
  return (
    <Panel title="Orders due" aside={<a href={href('/orders', { state: 'open', to: dayOf(now()) })}>All due orders</a>}>
      {due + overdue > 0 ? <OrderTable /> : <p class="empty">Nothing is due today.</p>}
    </Panel>
  );
}
