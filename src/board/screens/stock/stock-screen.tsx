import type { JSX } from 'preact';
import { useOpenDialog } from '../../parts/forms/open-dialog.js';
import { NoRows } from '../../parts/lists/no-rows.js';
import { Pages } from '../../parts/lists/pages.js';
import { RowActions } from '../../parts/lists/row-actions.js';
import { Table, type Column } from '../../parts/lists/table.js';
import { Name, PetLink } from '../../parts/name.js';
import { Screen } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { numberText } from '../../parts/text.js';
import { useCall } from '../../state/live/loaded.js';
import { isEnabled, isInSequence } from '../../state/shortcuts.js';
import { NoPets } from './no-pets.js';
import { actionsFor, type StockActionName, type StockRow } from './stock-actions.js';
import { StockDialog } from './stock-dialog.js';
import { pastDay, StockFilters, stockInput } from './stock-filters.js';
import { StockStatus } from './stock-status.js';

const columns: readonly Column<StockRow>[] = [
  { heading: 'Pet', cell: ({ petId, name }) => <PetLink id={petId} name={name} />, isHead: true },
  { heading: 'ID', cell: ({ petId }) => petId, isNumber: true, onPhone: 'none' },
  { heading: 'Category', cell: ({ category }) => <Name of={category} />, onPhone: 'line' },
  { heading: 'On hand', cell: ({ quantity }) => numberText(quantity), isNumber: true },
  { heading: 'Reserved', cell: ({ reserved }) => numberText(reserved), isNumber: true },
  { heading: 'Available', cell: ({ available }) => numberText(available), isNumber: true },
  { heading: 'Low at', cell: ({ lowAt }) => lowAt !== undefined && numberText(lowAt), isNumber: true },
  { heading: 'Status', cell: (row) => <StockStatus of={row} />, onPhone: 'corner' },
];

/** The columns of a day in the past, for which the shop has no low levels. */
const pastColumns = columns.filter(({ heading }) => heading !== 'Low at');

interface Chosen {
  readonly name: StockActionName;
  readonly row: StockRow;
}

const actionColumn = (open: (chosen: Chosen) => void): Column<StockRow> => ({
  heading: 'Actions',
  cell: (row) => <RowActions id={row.petId} of={<Name of={row.name} />} actions={actionsFor(row)} onChoose={(name) => open({ name, row })} />,
  isControl: true,
});

/** The screen Stock: what is on hand, and what is done with it all day. */
export function StockScreen(): JSX.Element {
  const dialog = useOpenDialog<Chosen>();
  const stock = useCall('listInventory', stockInput());
  const isPast = pastDay() !== undefined;
  const press = (row: StockRow, event: KeyboardEvent): void => {
    if (isPast || !isEnabled.value || isInSequence() || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actionsFor(row).find(({ key }) => key === event.key);
    if (action === undefined) return;
    // The dialog opens at once: the key would be typed into its first field.
    event.preventDefault();
    dialog.open({ name: action.name, row });
  };
  return (
    <Screen title="Stock">
      <StockFilters />
      <div class="panel">
        <Shown of={stock}>
          {(page) => (
            <>
              <Table
                caption="Stock"
                isCaptionHidden
                columns={isPast ? pastColumns : [...columns, actionColumn(dialog.open)]}
                rows={page.items}
                rowKey={({ petId }) => petId}
                empty={
                  <NoRows noun="pet">
                    <NoPets />
                  </NoRows>
                }
                onRowKey={press}
              />
              <Pages page={page} noun="pet" />
            </>
          )}
        </Shown>
      </div>
      {dialog.choice && <StockDialog {...dialog.choice} onClose={dialog.close} />}
    </Screen>
  );
}
