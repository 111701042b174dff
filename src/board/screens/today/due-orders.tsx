import type { JSX } from 'preact';
import { OrderLink, PetLink } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { Table, type Column } from '../../parts/table.js';
import { numberText } from '../../parts/text.js';
import { dayOf, Time } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import type { RowOf } from '../../state/contract.js';
import { useCall } from '../../state/loaded.js';
import { href } from '../../state/router.js';

type Order = RowOf<'listOrders'>;

const shownOrders = 8;

function isOverdue({ shipDate }: Order): boolean {
  return shipDate !== undefined && Date.parse(shipDate) < now();
}

const columns: readonly Column<Order>[] = [
  { heading: 'Order', cell: ({ id }) => <OrderLink id={id} />, isHead: true },
  { heading: 'Pet', cell: ({ petId, pet }) => petId !== undefined && <PetLink id={petId} name={pet} /> },
  { heading: 'Units', cell: ({ quantity = 1 }) => numberText(quantity), isNumber: true },
  { heading: 'Ships', cell: ({ shipDate }) => shipDate !== undefined && <Time at={shipDate} /> },
  { heading: 'State', cell: (order) => <Status of={isOverdue(order) ? 'overdue' : 'due'} /> },
];

/** The open orders that ship today or should have shipped before. */
export function DueOrders(): JSX.Element {
  const due = useCall('listOrders', {
    complete: false,
    draft: false,
    shipDateTo: dayOf(now()),
    tz: timeZone,
    sort: 'shipDate',
    limit: shownOrders,
  });
  return (
    <Panel title="Orders due" aside={<a href={href('/orders', { state: 'due' })}>All due orders</a>}>
      <Shown of={due}>
        {({ items }) => <Table caption="Orders due" isCaptionHidden columns={columns} rows={items} rowKey={({ id }) => id} empty="Nothing is due today." />}
      </Shown>
    </Panel>
  );
}
