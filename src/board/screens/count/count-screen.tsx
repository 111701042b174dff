import type { JSX } from 'preact';
import { Facts } from '../../parts/facts.js';
import { BatchLink, Name } from '../../parts/name.js';
import { Panel, Screen } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { numberText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { href } from '../../state/router.js';
import { may } from '../../state/session.js';
import { CountPets } from './count-pets.js';
import { showsExpected, type Count } from './count-text.js';
import { useCount } from './use-count.js';
import { EntryForm } from './entry-form.js';
import { LastLines } from './last-lines.js';
import { QueueStatus } from './queue-status.js';

/** How far a count is. */
function CountFacts({ of: count }: { readonly of: Count }): JSX.Element {
  const { state, pets, counted, agreeing, differing, blind, startedBy, startedAt, endedBy, endedAt, batchId, note } = count;
  return (
    <Facts
      of={{
        State: <Status of={state} />,
        Counted: `${numberText(counted)} of ${numberText(pets)}`,
        ...(showsExpected(count) && { Agreeing: numberText(agreeing), Differing: numberText(differing) }),
        'Not counted': numberText(pets - counted),
        Started: (
          <>
            <Time at={startedAt} /> by <Name of={startedBy} />
          </>
        ),
        ...(endedAt !== undefined && {
          [state === 'closed' ? 'Closed' : 'Cancelled']: (
            <>
              <Time at={endedAt} /> by <Name of={endedBy ?? ''} />
            </>
          ),
        }),
        ...(batchId !== undefined && { Changes: <BatchLink id={batchId} /> }),
        ...(blind && { Blind: 'what is expected is not shown while people count' }),
        ...(note !== undefined && { Note: <Name of={note} /> }),
      }}
    />
  );
}

function CloseLink({ of: { id, state } }: { readonly of: Count }): JSX.Element | null {
  if (state !== 'open') return null;
  return (
    <a class="button" href={href(`/counts/${id}/close`)}>
      {may('closeCount') ? 'Close' : 'What would change'}
    </a>
  );
}

/** The screen of one count: where its lines are typed, how far it is, and its pets. */
export function CountScreen({ countId }: { readonly countId: number }): JSX.Element {
  const count = useCount(countId);
  const mayCount = may('addCountLines');
  return (
    <Screen title={`Count ${countId}`} aside={count.value && <CloseLink of={count.value} />}>
      <Shown of={count}>
        {(value) => (
          <div class="panels count-panels">
            {value.state === 'open' && mayCount && <EntryForm of={value} />}
            {mayCount && <QueueStatus />}
            {mayCount && <LastLines of={value} />}
            <Panel title="So far">
              <CountFacts of={value} />
            </Panel>
            <CountPets of={value} />
          </div>
        )}
      </Shown>
    </Screen>
  );
}
