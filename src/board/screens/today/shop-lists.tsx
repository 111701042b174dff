import type { JSX } from 'preact';
import type { NamedEntry } from '../../../domain/ledger/named-entry.js';
import { foldedColumns } from '../../parts/ledger/entry-columns.js';
import { Table } from '../../parts/lists/table.js';
import { PetLink } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { numberText } from '../../parts/text.js';
import { dayOf } from '../../parts/time.js';
import { now } from '../../state/clock.js';
import { href } from '../../state/router.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { orderColumns } from '../orders/order-columns.js';

interface ListProps {
  readonly of: AnswerOf<'getSummary'>;
}

/** The open orders that ship today or should have shipped before. */
export function DueOrders({ of: { dueOrders = [] } }: ListProps): JSX.Element {
  return (
    <Panel title="Orders due" aside={<a href={href('/orders', { state: 'open', to: dayOf(now()) })}>All due orders</a>}>
      <Table caption="Orders due" isCaptionHidden columns={orderColumns} rows={dueOrders} rowKey={({ id }) => id} empty="Nothing is due today." />
    </Panel>
  );
}

/** The names of the pets at or below their low level. */
export function LowPets({ of: { low, lowPets } }: ListProps): JSX.Element {
  const more = low - lowPets.length;
  return (
    <Panel title="Low" aside={<a href={href('/stock', { show: 'low' })}>All low pets</a>}>
      {low === 0 && <p class="empty">No pet is low.</p>}
      <ul class="low-pets">
        {lowPets.map(({ petId, name, available }) => (
          <li key={petId}>
            <PetLink id={petId} name={name} />
            <span>{numberText(available)} available</span>
          </li>
        ))}
        {more > 0 && <li>and {numberText(more)} more</li>}
      </ul>
    </Panel>
  );
}

const runOf = ({ batchId, reverses }: NamedEntry): string => `${batchId} ${reverses !== undefined}`;

/** The changes with one line for each import, for its undo, and for a sale with its order: the first entry stands for all that follow it. */
function foldChanges(entries: readonly NamedEntry[]): readonly NamedEntry[] {
  return entries.filter((entry, index) => {
    const before = entries[index - 1];
    if (before === undefined) return true;
    if (entry.batchId !== undefined) return runOf(before) !== runOf(entry);
    return !(entry.kind === 'order.placed' && before.kind === 'sale' && before.orderId === entry.orderId && before.at === entry.at);
  });
}

/** The newest entries of the ledger, as they are written. */
export function LastChanges({ of: { lastEntries = [], lastBatches } }: ListProps): JSX.Element {
  return (
    <Panel title="Last changes" aside={<a href={href('/ledger')}>Ledger</a>}>
      <Table
        caption="Last changes"
        isCaptionHidden
        columns={foldedColumns(lastBatches)}
        rows={foldChanges(lastEntries)}
        rowKey={({ id }) => id}
        empty="Nothing has happened yet."
      />
    </Panel>
  );
}
