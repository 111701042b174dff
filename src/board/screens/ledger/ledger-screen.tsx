import type { JSX } from 'preact';
import type { NamedEntry } from '../../../domain/ledger/named-entry.js';
import { useOpenDialog } from '../../parts/forms/open-dialog.js';
import { entryColumns } from '../../parts/ledger/entry-columns.js';
import { UndoChange, undoWay, type UndoWay } from '../../parts/ledger/undo-change.js';
import { NoRows } from '../../parts/lists/no-rows.js';
import { PagedTable } from '../../parts/lists/paged-table.js';
import { RowActions } from '../../parts/lists/row-actions.js';
import type { Column } from '../../parts/lists/table.js';
import { Name } from '../../parts/name.js';
import { Screen } from '../../parts/screen.js';
import { useCall } from '../../state/live/loaded.js';
import { hrefWith } from '../../state/router.js';
import { ledgerInput, LedgerFilters } from './ledger-filters.js';

const actorColumn: Column<NamedEntry> = {
  heading: 'By',
  cell: ({ actor }) => (
    <a href={hrefWith({ actor })}>
      <Name of={actor} />
    </a>
  ),
};

interface Chosen {
  readonly entry: NamedEntry;
  readonly way: UndoWay;
}

/** A column with a button for each entry that can be undone. */
function undoColumn(wayOf: (entry: NamedEntry) => UndoWay | undefined, choose: (chosen: Chosen) => void): Column<NamedEntry> {
  return {
    heading: 'Actions',
    cell: (entry) => {
      const way = wayOf(entry);
      return (
        way && (
          <RowActions
            id={entry.id}
            of={`entry ${entry.id}`}
            actions={[{ name: 'undo', label: 'Undo', isMain: true }]}
            onChoose={() => choose({ entry, way })}
          />
        )
      );
    },
    isControl: true,
  };
}

/** The screen Ledger: who changed what, newest first. */
export function LedgerScreen(): JSX.Element {
  const page = useCall('listLedger', ledgerInput());
  const own = useCall('listUndoable', {});
  const dialog = useOpenDialog<Chosen>();
  const undo = undoColumn((entry) => (entry.undoneBy === undefined ? undoWay(entry, own.value ?? []) : undefined), dialog.open);
  return (
    <Screen title="Ledger">
      <LedgerFilters />
      <div class="panel">
        <PagedTable
          of={page}
          caption="Ledger"
          columns={[...entryColumns, actorColumn, undo]}
          rowKey={({ id }) => id}
          noun="change"
          empty={<NoRows noun="change">Nothing has happened yet.</NoRows>}
        />
      </div>
      {dialog.choice && <UndoChange {...dialog.choice} onClose={dialog.close} />}
    </Screen>
  );
}
