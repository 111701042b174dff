import type { JSX } from 'preact';
import { Panel, Screen } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { soundSetting } from '../../state/counts/sound.js';
import { href } from '../../state/router.js';
import { may } from '../../state/session.js';
import { CountFacts } from './count-facts.js';
import type { Count } from './count-text.js';
import { EntryForm } from './entry-form.js';
import { LastLines } from './last-lines.js';
import { QueueStatus } from './queue-status.js';
import { useCount } from './use-count.js';

function Links({ of: { id, state } }: { readonly of: Count }): JSX.Element {
  return (
    <div class="buttons">
      <a class="button" href={href(`/counts/${id}/pets`)}>
        Pets
      </a>
      {state === 'open' && (
        <a class="button" href={href(`/counts/${id}/close`)}>
          {may('closeCount') ? 'Close' : 'What would change'}
        </a>
      )}
    </div>
  );
}

/** The screen of one count: where its lines are typed, and how far it is. */
export function CountScreen({ countId }: { readonly countId: number }): JSX.Element {
  const count = useCount(countId);
  const mayCount = may('addCountLines');
  return (
    <Screen title={`Count ${countId}`} aside={count.value && <Links of={count.value} />}>
      <Shown of={count}>
        {(value) => (
          <div class="panels count-panels">
            {value.state === 'open' && mayCount && <EntryForm of={value} />}
            {mayCount && <QueueStatus />}
            {mayCount && <LastLines of={value} />}
            <Panel title="So far">
              <CountFacts of={value} />
              {value.state === 'open' && mayCount && <SoundSwitch />}
            </Panel>
          </div>
        )}
      </Shown>
    </Screen>
  );
}

function SoundSwitch(): JSX.Element {
  return (
    <label class="check control">
      <input type="checkbox" checked={soundSetting.isOn.value} onChange={(event) => soundSetting.turn(event.currentTarget.checked)} />
      <span>Sound: a short tone for each line, a long one for a refused line</span>
    </label>
  );
}
