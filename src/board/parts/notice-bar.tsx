import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { dismissNotice, notice } from '../state/notices.js';
import { inertText } from './text.js';

/** What the last change did; screen readers say it. */
export function NoticeBar(): JSX.Element {
  const shown = notice.value;
  // It would cover the button that the focus returned to.
  useEffect(() => {
    if (shown !== undefined) document.querySelector('main :focus')?.scrollIntoView({ block: 'nearest' });
  }, [shown?.id]);
  return (
    <div class="notice-bar" role="status">
      {shown && (
        <div class="notice" key={shown.id}>
          <p>
            <strong>{inertText(shown.text)}</strong>
          </p>
          <button type="button" class="small" onClick={dismissNotice}>
            Dismiss
          </button>
        </div>
      )}
    </div>
  );
}
