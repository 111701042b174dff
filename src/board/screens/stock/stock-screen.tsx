import type { JSX } from 'preact';
import { useOpenDialog } from '../../parts/forms/open-dialog.js';
import { NoRows } from '../../parts/lists/no-rows.js';
import { PagedTable } from '../../parts/lists/paged-table.js';
import { RowActions } from '../../parts/lists/row-actions.js';
import type { Column } from '../../parts/lists/table.js';
import { Name, PetLink } from '../../parts/name.js';
import { Screen } from '../../parts/screen.js';
import { numberText } from '../../parts/text.js';
import { useCall } from '../../state/live/loaded.js';
import { href } from '../../state/router.js';
import { may } from '../../state/session.js';
import { areShortcutsOn, isInSequence } from '../../state/shortcuts.js';
import { NewRecords } from './new-records.js';
import { NoPets } from './no-pets.js';
import { actionsFor, type StockActionName, type StockRow } from './stock-actions.js';
import { StockDialog } from './stock-dialog.js';
import { StockFilters, stockInput } from './stock-filters.js';
import { StockStatus } from './stock-status.js';

const columns: readonly Column<StockRow>[] = [
  { heading: 'Pet', cell: ({ petId, name }) => <PetLink id={petId} name={name} />, isHead: true },
  { heading: 'ID', cell: ({ petId }) => petId, isNumber: true, onPhone: 'none' },
  { heading: 'Category', cell: ({ category }) => <Name of={category} />, onPhone: 'line' },
  { heading: 'On hand', cell: ({ quantity }) => numberText(quantity), isNumber: true },
  { heading: 'Reserved', cell: ({ reserved }) => numberText(reserved), isNumber: true, onPhone: 'none' },
  { heading: 'Available', cell: ({ available }) => numberText(available), isNumber: true },
  { heading: 'Low at', cell: ({ lowAt }) => lowAt !== undefined && numberText(lowAt), isNumber: true },
  { heading: 'Status', cell: (row) => <StockStatus of={row} />, onPhone: 'corner' },
];

interface Chosen {
  readonly name: StockActionName;
  readonly row: StockRow;
}

const actionColumn = (open: (chosen: Chosen) => void): Column<StockRow> => ({
  heading: 'Actions',
  cell: (row) => <RowActions id={row.petId} of={<Name of={row.name} />} actions={actionsFor(row)} onChoose={(name) => open({ name, row })} />,
  isControl: true,
});

/** The screen Stock: what is on hand, and the actions on it. */
export function StockScreen(): JSX.Element {
  const dialog = useOpenDialog<Chosen>();
  const stock = useCall('listInventory', stockInput());
  const press = (row: StockRow, event: KeyboardEvent): void => {
    if (!areShortcutsOn.value || isInSequence() || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actionsFor(row).find(({ key }) => key === event.key);
    if (action === undefined) return;
    // The dialog opens at once: the key would be typed into its first field.
    event.preventDefault();
    dialog.open({ name: action.name, row });
  };
  return (
    <Screen title="Stock" aside={stock.value?.total !== 0 && <NewRecords />}>
      <StockFilters />
      <div class="panel">
        <PagedTable
          of={stock}
          caption="Stock"
          columns={[...columns, actionColumn(dialog.open)]}
          rowKey={({ petId }) => petId}
          noun="pet"
          empty={
            <NoRows noun="pet">
              <NoPets />
            </NoRows>
          }
          onRowKey={press}
        />
        {may('getPetDetails') && stock.value !== undefined && stock.value.items.length > 0 && (
          <p class="control">
            <a href={href('/labels', { petId: stock.value.items.map(({ petId }) => petId).join(), sheet: true })} target="_blank">
              Labels of these pets, for a sheet of 24
            </a>
          </p>
        )}
      </div>
      {dialog.choice && <StockDialog {...dialog.choice} onClose={dialog.close} />}
    </Screen>
  );
}
