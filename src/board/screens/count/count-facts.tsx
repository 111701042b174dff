import type { JSX } from 'preact';
import { Facts } from '../../parts/facts.js';
import { BatchLink, Name } from '../../parts/name.js';
import { Status } from '../../parts/status.js';
import { numberText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { showsExpected, type Count } from './count-text.js';

/** How far a count is. */
export function CountFacts({ of: count }: { readonly of: Count }): JSX.Element {
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
