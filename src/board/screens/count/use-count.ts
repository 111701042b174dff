import { useEffect } from 'preact/hooks';
import { isPaused } from '../../state/live/live.js';
import { useCall, type Loaded } from '../../state/live/loaded.js';
import { markStale } from '../../state/live/stale.js';
import type { Count } from './count-text.js';

/** Lines of a count are not in the ledger, so no event tells of those of others. */
const refreshMs = 10_000;

/** A count, read again while it is shown, unless the page is paused. */
export function useCount(countId: number): Loaded<Count> {
  useEffect(() => {
    const timer = setInterval(() => isPaused.peek() || markStale(), refreshMs);
    return () => clearInterval(timer);
  }, []);
  return useCall('getCount', { countId });
}
