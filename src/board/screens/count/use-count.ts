import { useCall, type Loaded } from '../../state/live/loaded.js';
import { useRefresh } from '../../state/live/minutes.js';
import type { Count } from './count-text.js';

/** Lines of a count are not in the ledger, so no event tells of those of others. */
const refreshMs = 10_000;

/** A count, read again while it is shown. */
export function useCount(countId: number): Loaded<Count> {
  useRefresh(refreshMs);
  return useCall('getCount', { countId });
}
