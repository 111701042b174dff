import type { JSX } from 'preact';
import { useOpenDialog } from '../../parts/forms/open-dialog.js';
import { historyColumns } from '../../parts/ledger/entry-columns.js';
import { RowActions } from '../../parts/lists/row-actions.js';
import { Table } from '../../parts/lists/table.js';
import { Name } from '../../parts/name.js';
import { Panel, Screen } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { inertText } from '../../parts/text.js';
import { useCall, useLoaded } from '../../state/live/loaded.js';
import { href } from '../../state/router.js';
import { may } from '../../state/session.js';
import { orderColumns } from '../orders/order-columns.js';
import { actionsFor } from '../stock/stock-actions.js';
import { PetCodes } from './pet-codes.js';
import { PetDialog, type ChosenAction } from './pet-dialog.js';
import { PetFacts, readPet } from './pet-facts.js';

const petActions = [
  { name: 'edit', label: 'Edit pet', isMain: false, operation: 'updatePet' },
  { name: 'delete', label: 'Delete pet', isMain: false, operation: 'deletePet' },
] as const;

// Every order is for the same pet.
const columns = orderColumns.filter(({ heading }) => heading !== 'Pet');
const shownOrders = 10;
const shownEntries = 20;

function PetOrders({ petId }: { readonly petId: number }): JSX.Element {
  const orders = useCall('listOrders', { petId: [petId], sort: '-id', limit: shownOrders });
  return (
    <Panel title="Orders" aside={<a href={href('/orders', { pet: petId })}>All its orders</a>}>
      <Shown of={orders}>
        {({ items }) => <Table caption="Orders" isCaptionHidden columns={columns} rows={items} rowKey={({ id }) => id} empty="Nobody has ordered it yet." />}
      </Shown>
    </Panel>
  );
}

function PetHistory({ petId }: { readonly petId: number }): JSX.Element {
  const entries = useCall('listLedger', { petId: [petId], names: true, sort: '-id', limit: shownEntries });
  return (
    <Panel title="History" aside={<a href={href('/ledger', { pet: petId })}>All its entries</a>}>
      <Shown of={entries}>
        {({ items }) => (
          <Table caption="History" isCaptionHidden columns={historyColumns} rows={items} rowKey={({ id }) => id} empty="The ledger has no entry of this pet." />
        )}
      </Shown>
    </Panel>
  );
}

/** The screen of one pet: its stock and what can be done with it, its quantity over time, its orders and its history. */
export function PetScreen({ petId }: { readonly petId: number }): JSX.Element {
  const dialog = useOpenDialog<ChosenAction>();
  const shown = useLoaded((signal) => readPet(petId, signal), `pet ${petId}`);
  const { value } = shown;
  const actions = value && [...actionsFor(value.stock), ...petActions.filter(({ operation }) => may(operation))];
  return (
    <Screen
      title={value === undefined ? `Pet ${petId}` : inertText(value.stock.name)}
      aside={
        actions && <RowActions id={petId} of={<Name of={value.stock.name} />} actions={actions} onChoose={(name) => dialog.open({ name, of: value })} isLarge />
      }
    >
      <Shown of={shown}>{(both) => <PetFacts {...both} />}</Shown>
      {value && (
        <div class="panels split">
          <div class="panels">
            <PetCodes pet={value.pet} />
            {may('listOrders') && <PetOrders petId={petId} />}
          </div>
          {may('listLedger') && <PetHistory petId={petId} />}
        </div>
      )}
      {dialog.choice && <PetDialog {...dialog.choice} onClose={dialog.close} />}
    </Screen>
  );
}
