import type { JSX } from 'preact';
import { Panel, Screen } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { href } from '../../state/router.js';
import { may } from '../../state/session.js';
import { CountFacts } from './count-facts.js';
import { CountPets } from './count-pets.js';
import type { Count } from './count-text.js';
import { EntryForm } from './entry-form.js';
import { LastLines } from './last-lines.js';
import { QueueStatus } from './queue-status.js';
import { useCount } from './use-count.js';

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
