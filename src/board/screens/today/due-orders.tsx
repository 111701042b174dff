import type { JSX } from 'preact';
import { Table } from '../../parts/lists/table.js';
import { Panel } from '../../parts/screen.js';
import { dayOf } from '../../parts/time.js';
import { now } from '../../state/clock.js';
import { href } from '../../state/router.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { orderColumns } from '../orders/order-columns.js';

/** The open orders that ship today or should have shipped before. */
export function DueOrders({ of: { dueOrders = [] } }: { readonly of: AnswerOf<'getSummary'> }): JSX.Element {
  return (
    <Panel title="Orders due" aside={<a href={href('/orders', { state: 'open', to: dayOf(now()) })}>All due orders</a>}>
      <Table caption="Orders due" isCaptionHidden columns={orderColumns} rows={dueOrders} rowKey={({ id }) => id} empty="Nothing is due today." />
    </Panel>
  );
}
