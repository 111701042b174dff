import type { JSX } from 'preact';
import { useOpenDialog } from '../../parts/forms/open-dialog.js';
import { EntryDetails } from '../../parts/ledger/entry-details.js';
import { UndoChange, undoWay, type UndoWay } from '../../parts/ledger/undo-change.js';
import { NoRows } from '../../parts/lists/no-rows.js';
import { PagedTable } from '../../parts/lists/paged-table.js';
import { pageSize } from '../../parts/lists/pages.js';
import { RowActions } from '../../parts/lists/row-actions.js';
import type { Column } from '../../parts/lists/table.js';
import { Name } from '../../parts/name.js';
import { headingId, Screen } from '../../parts/screen.js';
import { countText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useCall } from '../../state/live/loaded.js';
import { hrefWith } from '../../state/router.js';
import type { NamedEntry } from '../../state/server/ledger.js';
import { useHeldPage } from './held-page.js';
import { isOfFilter, LedgerFilters } from './ledger-filters.js';

const columns: readonly Column<NamedEntry>[] = [
  { heading: 'Change', cell: (entry) => <EntryDetails of={entry} />, isHead: true },
  { heading: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    heading: 'By',
    cell: ({ actor }) => (
      <a href={hrefWith({ actor })}>
        <Name of={actor} />
      </a>
    ),
  },
  { heading: 'Entry', cell: ({ id }) => id, isNumber: true },
];

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

interface NewerProps {
  readonly count: number;
  readonly onShow: () => void;
}

/** Says that there are new entries. It lies over the page, so that nothing below it moves. */
function Newer({ count, onShow }: NewerProps): JSX.Element {
  const show = (): void => {
    onShow();
    // The button disappears: the focus goes to where the new entries are.
    document.querySelector<HTMLElement>(`#${headingId}`)?.focus();
    scrollTo(0, 0);
  };
  const text = count >= pageSize ? `${pageSize} or more new changes` : countText(count, 'new change');
  return (
    <div class="newer control" role="status">
      {count > 0 && (
        <button type="button" class="primary" onClick={show}>
          {text}
        </button>
      )}
    </div>
  );
}

/** The screen Ledger: who changed what, newest first. */
export function LedgerScreen(): JSX.Element {
  const { page, isUndone, newer, renew, expectNewer } = useHeldPage();
  const own = useCall('listUndoable', {});
  const dialog = useOpenDialog<Chosen>();
  const undo = undoColumn((entry) => (isUndone(entry) ? undefined : undoWay(entry, own.value ?? [])), dialog.open);
  return (
    <Screen title="Ledger">
      <LedgerFilters refusal={page.refusal} />
      <Newer count={newer} onShow={renew} />
      {!isOfFilter(page.refusal) && (
        <div class="panel ledger">
          <PagedTable
            of={page}
            caption="Ledger"
            columns={[...columns, undo]}
            rowKey={({ id }) => id}
            noun="change"
            empty={<NoRows noun="change">Nothing has happened yet.</NoRows>}
          />
        </div>
      )}
      {dialog.choice && <UndoChange {...dialog.choice} onDone={expectNewer} onClose={dialog.close} />}
    </Screen>
  );
}
