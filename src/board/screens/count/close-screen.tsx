import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/forms/action-form.js';
import { CheckboxField, Field, given } from '../../parts/forms/field.js';
import { formDialog } from '../../parts/forms/form-dialog.js';
import { useOpenDialog } from '../../parts/forms/open-dialog.js';
import { CheckFilter } from '../../parts/lists/filters.js';
import { PagedTable } from '../../parts/lists/paged-table.js';
import { pageInput } from '../../parts/lists/pages.js';
import type { Column } from '../../parts/lists/table.js';
import { CountLink, PetLink } from '../../parts/name.js';
import { Panel, Screen } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { countText, numberText, inertText, signedText } from '../../parts/text.js';
import { useAction } from '../../state/changes/action.js';
import { pendingLines } from '../../state/counts/line-sender.js';
import { useCall } from '../../state/live/loaded.js';
import { go, href, queryValue } from '../../state/router.js';
import type { AnswerOf, InputOf, RowOf } from '../../state/server/contract.js';
import { may } from '../../state/session.js';
import type { Count } from './count-text.js';
import { useCount } from './use-count.js';

const columns: readonly Column<RowOf<'previewCount'>>[] = [
  { heading: 'Pet', cell: ({ petId, name }) => <PetLink id={petId} name={name} />, isHead: true },
  {
    heading: 'Problem',
    cell: ({ problem }) => problem && <span class="refusal">{inertText(problem.message)}</span>,
    onPhone: 'line',
  },
  { heading: 'Counted', cell: ({ counted }) => numberText(counted), isNumber: true },
  { heading: 'Expected', cell: ({ expected }) => numberText(expected), isNumber: true },
  { heading: 'Change', cell: ({ difference }) => signedText(difference), isNumber: true },
  { heading: 'On hand now', cell: ({ before }) => before !== undefined && numberText(before), isNumber: true },
  { heading: 'After', cell: ({ after }) => after !== undefined && numberText(after), isNumber: true },
];

/** What closing a count would change, and what it could not. */
function CountChanges(policy: Pick<InputOf<'previewCount'>, 'countId' | 'missing' | 'allowShortage'>): JSX.Element {
  const changes = useCall('previewCount', { ...policy, ...pageInput() });
  return (
    <Panel title="What would change">
      <PagedTable
        of={changes}
        caption="What would change"
        columns={columns}
        rowKey={({ petId }) => petId}
        noun="pet"
        empty="Nothing would change: what was counted agrees with the stock."
      />
    </Panel>
  );
}

/** What the address chooses: how the count would be closed. */
function chosenPolicy(): { readonly missing: 'keep' | 'zero'; readonly allowShortage: boolean } {
  return { missing: queryValue('zero') === 'true' ? 'zero' : 'keep', allowShortage: queryValue('shortage') === 'true' };
}

function closedText({ id, batchId, changed, rejected }: AnswerOf<'closeCount'>): string {
  const left = rejected > 0 ? `, ${numberText(rejected)} left as ${rejected === 1 ? 'it was' : 'they were'}` : '';
  return `Closed count ${id}${batchId === undefined ? '' : ` (batch ${batchId})`}: ${countText(changed, 'pet')} changed${left}.`;
}

function CloseForm({ of: { id: countId, pets, counted } }: { readonly of: Count }): JSX.Element {
  const [isKeepGoing, note] = [useSignal(false), useSignal('')];
  const policy = chosenPolicy();
  const close = useAction('closeCount', closedText);
  const submit = async (): Promise<void> => {
    const mode = isKeepGoing.value ? ('keep-going' as const) : ('atomic' as const);
    const body = { ...policy, mode, note: given(note.value) };
    if (await close.run({ countId, body })) go(href(`/counts/${countId}`));
  };
  const toZero = policy.missing === 'zero' ? pets - counted : 0;
  return (
    <ActionForm
      label={toZero > 0 ? `Close and set ${countText(toZero, 'pet')} to 0` : 'Close the count'}
      isDangerous={toZero > 0}
      action={close}
      fields={['note']}
      onSubmit={submit}
    >
      <CheckboxField label="Leave pets as they are that cannot be changed, and change the others" value={isKeepGoing} />
      <Field label="Note (optional)" name="note" value={note} refusal={close.refusal.value} />
    </ActionForm>
  );
}

const CancelDialog = formDialog({
  operation: 'cancelCount',
  title: ({ id }: Count) => `Cancel count ${id}`,
  line: ({ counted }) => `No stock changes. What was counted of ${countText(counted, 'pet')} stays in the record.`,
  fields: {},
  label: 'Cancel count',
  isDangerous: true,
  hasNote: false,
  input: (_, { id }) => ({ countId: id }),
  sentence: (_, { countId }) => `Cancelled count ${countId}.`,
  onDone: (_, { id }) => go(href(`/counts/${id}`)),
});

/** What becomes of pets that were not counted. */
function missingText({ pets, counted }: Count): string {
  const missing = pets - counted;
  if (missing === 0) return 'All pets were counted.';
  const isOne = missing === 1;
  const fate = chosenPolicy().missing === 'zero' ? `${isOne ? 'is' : 'are'} set to 0` : `${isOne ? 'keeps its' : 'keep their'} stock`;
  return `${countText(missing, 'pet')} ${isOne ? 'was' : 'were'} not counted, and ${fate}.`;
}

function Choices({ of: count }: { readonly of: Count }): JSX.Element {
  return (
    <>
      <p>{missingText(count)}</p>
      {count.counted < count.pets && <CheckFilter label="Set what was not counted to 0" name="zero" />}
      <CheckFilter label="Accept fewer units than are reserved" name="shortage" />
    </>
  );
}

function OpenCount({ of: count }: { readonly of: Count }): JSX.Element {
  const dialog = useOpenDialog<object>();
  const waiting = pendingLines.value;
  return (
    <div class="panels">
      {may('closeCount') && (
        <Panel
          title="Close"
          aside={
            <button type="button" class="small" onClick={() => dialog.open({})}>
              Cancel the count
            </button>
          }
        >
          <div class="stack">
            {waiting > 0 && (
              <p class="refusal-box" role="alert">
                {countText(waiting, 'line')} of this page {waiting === 1 ? 'waits' : 'wait'} for the server; a closed count takes none.
              </p>
            )}
            <Choices of={count} />
            <CloseForm of={count} />
          </div>
        </Panel>
      )}
      <CountChanges countId={count.id} {...chosenPolicy()} />
      {dialog.choice && <CancelDialog row={count} onClose={dialog.close} />}
    </div>
  );
}

/** The screen that shows what closing a count would change, and closes or cancels it. */
export function CloseScreen({ countId }: { readonly countId: number }): JSX.Element {
  const count = useCount(countId);
  return (
    <Screen title={`${may('closeCount') ? 'Close' : 'Changes of'} count ${countId}`} aside={<CountLink id={countId} />}>
      <Shown of={count}>{(value) => (value.state === 'open' ? <OpenCount of={value} /> : <p>{`Count ${countId} is ${value.state}.`}</p>)}</Shown>
    </Screen>
  );
}
