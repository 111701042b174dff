import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { countText, sizeText } from '../../parts/text.js';
import { after, now } from '../../state/clock.js';
import type { Stage } from './import-stage.js';

/** The seconds since an instant, counted while they are shown. */
function useSeconds(since: number): number {
  const seconds = useSignal(0);
  const { value } = seconds;
  useEffect(() => after(1000, () => (seconds.value = Math.max(value + 1, Math.round((now() - since) / 1000)))), [value]);
  return value;
}

/** How far a file is sent, and then that the shop works on it. */
export function RunningImport({ of: { name, file, sent, since, stop } }: { readonly of: Stage & { readonly name: 'checking' | 'importing' } }): JSX.Element {
  const seconds = useSeconds(since);
  const isSent = sent >= file.size;
  const work = name === 'checking' ? 'The shop checks the rows' : 'The shop applies the rows';
  const text = isSent ? `${work} …` : `Sent ${sizeText(sent)} of ${sizeText(file.size)}`;
  // What is written already cannot be stopped any more.
  const canStop = name === 'checking' || !isSent;
  return (
    <div class="stack">
      {/* Without a value while the shop works: nobody knows how long. */}
      <progress aria-label={isSent ? work : 'Sent'} max={file.size} {...(!isSent && { value: sent })} />
      <p>
        {text} {seconds > 1 && countText(seconds, 'second')}
      </p>
      {canStop && (
        <button type="button" onClick={stop}>
          Cancel
        </button>
      )}
    </div>
  );
}
