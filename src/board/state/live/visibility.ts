import { signal } from '@preact/signals';
import { after } from '../clock.js';

/** Whether the page can be seen. */
export const isVisible = signal(!document.hidden);

/** Whether the page was seen within the last minute. */
export const isInUse = signal(true);

const hiddenForMs = 60_000;
let cancel = (): void => undefined;

/** Follows whether the page can be seen. */
export function startWatchingVisibility(): void {
  document.addEventListener('visibilitychange', () => {
    cancel();
    isVisible.value = !document.hidden;
    if (document.hidden) cancel = after(hiddenForMs, () => (isInUse.value = false));
    else isInUse.value = true;
  });
}
