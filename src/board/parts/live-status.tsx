import type { JSX } from 'preact';
import { isPaused, liveness } from '../state/live/live.js';
import { Dotted, type Tone } from './status.js';
import { clockText } from './time.js';

function describe(): readonly [text: string, tone: Tone] {
  const { value } = liveness;
  switch (value.state) {
    case 'live':
      return ['Live', 'good'];
    case 'connecting':
      return ['Connecting …', 'quiet'];
    case 'paused':
      return [`Paused since ${clockText(value.since)}`, 'busy'];
    case 'lost':
      return [`Not live since ${clockText(value.since)}`, 'bad'];
  }
}

/** Whether the figures follow the shop, and a button that stops them from moving (WCAG 2.2.2). */
export function LiveStatus(): JSX.Element {
  const [text, tone] = describe();
  return (
    <div class="live">
      <span role="status">
        <Dotted of={text} tone={tone} />
      </span>
      <button type="button" class="small control" onClick={() => (isPaused.value = !isPaused.value)}>
        {isPaused.value ? 'Resume' : 'Pause'}
      </button>
    </div>
  );
}
