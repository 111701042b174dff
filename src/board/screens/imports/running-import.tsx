import type { JSX } from 'preact';
import { sizeText } from '../../parts/text.js';
import type { Stage } from './import-stage.js';

/** How far a file is sent, and then that the shop works on it. */
export function RunningImport({ of: { name, file, sent, stop } }: { readonly of: Stage & { readonly name: 'checking' | 'importing' } }): JSX.Element {
  const isSent = sent >= file.size;
  const work = name === 'checking' ? 'The shop checks the rows' : 'The shop applies the rows';
  const text = isSent ? `${work} …` : `Sent ${sizeText(sent)} of ${sizeText(file.size)}`;
  // What is written already cannot be stopped any more.
  const canStop = name === 'checking' || !isSent;
  return (
    <div class="stack">
      {/* Without a value while the shop works: nobody knows how long. */}
      <progress aria-label={isSent ? work : 'Sent'} max={file.size} {...(!isSent && { value: sent })} />
      <p>{text}</p>
      {canStop && (
        <button type="button" onClick={stop}>
          Cancel
        </button>
      )}
    </div>
  );
}
