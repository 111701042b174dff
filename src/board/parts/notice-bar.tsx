import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { UndoOwn } from './ledger/undo-change.js';
import { dismissNotice, keepNotice, letNoticeGo, notice } from '../state/notices.js';
import { headingId } from './screen.js';
import { inertText } from './text.js';

/** What the last change did, for a while, with its undo; screen readers say it. */
export function NoticeBar(): JSX.Element {
  const shown = notice.value;
  const undone = useSignal<number | undefined>(undefined);
  const close = (): void => {
    undone.value = undefined;
    // The button of the bar is gone.
    if (document.activeElement === document.body) document.querySelector<HTMLElement>(`#${headingId}`)?.focus();
  };
  // It would cover the button that the focus returned to, or the end of the page that was in sight.
  useEffect(() => {
    if (shown === undefined) return;
    const bar = document.querySelector('.notice')?.clientHeight ?? 0;
    if (scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - bar - 1) scrollBy(0, bar);
    document.querySelector('main :focus')?.scrollIntoView({ block: 'nearest' });
  }, [shown?.id]);
  return (
    <>
      <div class="notice-bar" role="status">
        {shown && (
          <div class="notice" key={shown.id} onMouseEnter={keepNotice} onMouseLeave={letNoticeGo} onFocusIn={keepNotice} onFocusOut={letNoticeGo}>
            <p>
              <strong>{inertText(shown.text)}</strong>
            </p>
            <p>
              {shown.entryId !== undefined && (
                <button type="button" class="small" aria-keyshortcuts="u" data-undo onClick={() => (undone.value = shown.entryId)}>
                  Undo
                </button>
              )}
              <button type="button" class="small" onClick={dismissNotice}>
                Dismiss
              </button>
            </p>
          </div>
        )}
      </div>
      {undone.value !== undefined && <UndoOwn entryId={undone.value} onClose={close} />}
    </>
  );
}
