import type { JSX } from 'preact';
import { given } from '../../parts/forms/field.js';
import { formDialog } from '../../parts/forms/form-dialog.js';
import { useOpenDialog } from '../../parts/forms/open-dialog.js';
import { Toggles } from '../../parts/lists/filters.js';
import { PagedTable } from '../../parts/lists/paged-table.js';
import { pageInput } from '../../parts/lists/pages.js';
import type { Column } from '../../parts/lists/table.js';
import { CountLink, Name } from '../../parts/name.js';
import { Screen } from '../../parts/screen.js';
import { Status } from '../../parts/status.js';
import { numberText, countText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useCall } from '../../state/live/loaded.js';
import { queryValue, go, href } from '../../state/router.js';
import { may } from '../../state/session.js';
import type { Count } from './count-text.js';

/** Starts a count of the pets that meet all that is chosen, and opens it. */
const StartDialog = formDialog({
  operation: 'startCount',
  title: 'Start a count',
  fields: {
    categoryIds: { type: 'category', label: 'Category', isShown: () => may('listCategories') },
    q: { label: 'Name contains (optional)' },
    low: { type: 'check', label: 'Only pets that are low' },
    blind: { type: 'check', label: 'Blind: do not show what is expected' },
    note: { label: 'Note (optional)' },
  },
  categories: () => [{ value: '', label: 'Every category' }],
  label: 'Start',
  hasNote: false,
  input: ({ categoryIds, q, note, low, blind }) => ({
    body: { categoryIds: categoryIds === '' ? undefined : [Number(categoryIds)], q: given(q), note: given(note), low, blind },
  }),
  sentence: ({ id, pets }) => `Started count ${id} of ${countText(pets, 'pet')}.`,
  onDone: ({ id }) => go(href(`/counts/${id}`)),
});

const states = ['open', 'closed', 'cancelled'] as const;
const stateLabels = { open: 'Open', closed: 'Closed', cancelled: 'Cancelled' } as const;

const columns: readonly Column<Count>[] = [
  { heading: 'Count', cell: ({ id }) => <CountLink id={id} />, isHead: true },
  { heading: 'Note', cell: ({ note }) => note !== undefined && <Name of={note} />, onPhone: 'line' },
  { heading: 'Pets', cell: ({ pets }) => numberText(pets), isNumber: true },
  { heading: 'Counted', cell: ({ counted }) => numberText(counted), isNumber: true },
  { heading: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { heading: 'By', cell: ({ startedBy }) => <Name of={startedBy} /> },
  { heading: 'State', cell: ({ state }) => <Status of={state} />, onPhone: 'corner' },
];

/** The screen Counts: those that are open, and those of the past. */
export function CountsScreen(): JSX.Element {
  const dialog = useOpenDialog<object>();
  const state = states.find((one) => one === queryValue('state')) ?? 'open';
  const counts = useCall('listCounts', { state, sort: '-id', ...pageInput() });
  const start = may('startCount') && (
    <button type="button" class="primary control" onClick={() => dialog.open({})}>
      Start a count
    </button>
  );
  return (
    <Screen title="Counts" aside={start}>
      <div class="filters">
        <Toggles label="State" name="state" choices={states.map((one) => ({ value: one === 'open' ? undefined : one, label: stateLabels[one] }))} />
      </div>
      <div class="panel">
        <PagedTable
          of={counts}
          caption="Counts"
          columns={columns}
          rowKey={({ id }) => id}
          noun="count"
          empty={state === 'open' ? 'No count is open.' : `No count was ${state}.`}
        />
      </div>
      {dialog.choice && <StartDialog row={undefined} onClose={dialog.close} />}
    </Screen>
  );
}
