import type { JSX } from 'preact';
import { Name } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { inertText } from '../../parts/text.js';
import { lastLines, type ShownLine } from '../../state/counts/last-lines.js';
import { dismissLine, takeIn, typedLines, undoLine } from '../../state/counts/line-sender.js';
import { useCall } from '../../state/live/loaded.js';
import { session } from '../../state/session.js';
import { petText, showsExpected, stateText, unitsOfLine, type Count } from './count-text.js';
import { focusEntry } from './entry-focus.js';

interface LineProps {
  readonly of: ShownLine;
  readonly count: Count;
}

/** The actions on a line. Each returns the focus to the field, because its button disappears. */
function LineButtons({ of: line, count }: LineProps): JSX.Element | null {
  const button = (label: string, work: () => void): JSX.Element => (
    <button
      type="button"
      class="small"
      onClick={() => {
        work();
        focusEntry();
      }}
    >
      {label}
      <span class="visually-hidden">
        {' '}
        {unitsOfLine(line)} × {petText(line.pet)}
      </span>
    </button>
  );
  const { state, key } = line;
  if (count.state !== 'open' && state.is !== 'refused') return null;
  if (state.is === 'refused') {
    return (
      <>
        {state.isOutside && count.state === 'open' && button('Take it in', () => takeIn(key))}
        {button('Dismiss', () => dismissLine(key))}
      </>
    );
  }
  return state.is === 'undone' || line.awaitsUndo ? null : button('Undo', () => undoLine(line));
}

function Line({ of: line, count }: LineProps): JSX.Element {
  const { pet, state, awaitsUndo, undoRefusal } = line;
  return (
    <li data-state={awaitsUndo ? 'waiting' : state.is}>
      <span class="line-units">{unitsOfLine(line)}</span>
      <span>
        <Name of={petText(pet)} />
        <small>
          {awaitsUndo ? 'Waiting to be undone' : stateText(state, showsExpected(count))}
          {undoRefusal !== undefined && ` · Not undone: ${inertText(undoRefusal)}`}
        </small>
      </span>
      <span class="line-buttons control">
        <LineButtons of={line} count={count} />
      </span>
    </li>
  );
}

const mostShown = 10;

/** The last lines that this person typed, newest first, and older ones that were refused. */
export function LastLines({ of: count }: { readonly of: Count }): JSX.Element {
  const by = typeof session.value === 'object' ? session.value.name : undefined;
  const { value: stored } = useCall('listCountLines', { countId: count.id, by, limit: mostShown });
  const lines = lastLines(count.id, typedLines.value, stored?.items ?? [], mostShown);
  const newest = lines.find(({ state }) => state.is !== 'waiting');
  return (
    <Panel title="Last lines">
      <p class="visually-hidden" role="status">
        {newest && `${unitsOfLine(newest)} × ${petText(newest.pet)}: ${stateText(newest.state, showsExpected(count))}`}
      </p>
      {lines.length === 0 && <p class="empty">Nothing was counted yet. Scan codes, each of which counts one, or type a pet and then its units.</p>}
      <ol class="count-lines">
        {lines.map((line) => (
          <Line key={line.key} of={line} count={count} />
        ))}
      </ol>
    </Panel>
  );
}
