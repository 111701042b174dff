import type { ReadStoreState } from '../../domain/read-store-state.js';
import { StoreError } from '../../domain/errors.js';
import { pauseMs } from '../../domain/values/back-off.js';
import { monotonicNow } from '../monotonic-clock.js';
import { codeOf, explain, isConnectionLost, reasonOf } from './errors.js';

/** How often a standby is compared with the primary while it is read. */
const checkMs = 1000;
/** How old the last comparison may be, and the oldest ledger entry that the standby lacks. */
const longestLagMs = 10_000;
/** When it is tried again after a failure. */
const backOff = { firstMs: 1000, longestMs: 30_000 };

/** How far a standby is behind. */
export type Lag = Pick<Required<ReadStoreState>, 'lagEntries' | 'lagMs'>;

/** Whether a standby may answer reads, and when to ask again. */
export interface StandbyHealth {
  readonly state: () => ReadStoreState;
  /** Whether it may answer reads, as far as is known. */
  readonly isUsable: () => boolean;
  /** Whether nothing is known yet. */
  readonly isUnknown: () => boolean;
  /** Whether it is time to compare it with the primary. */
  readonly isDue: () => boolean;
  readonly checkBegins: () => void;
  /** It was compared with the primary. */
  readonly compared: (lag: Lag) => void;
  /** It did not answer, or may not be used. */
  readonly failed: (error: unknown) => void;
}

/** What is known of a standby after an error: why it does not answer reads. */
function stateAfterError(error: unknown, where: string): Pick<ReadStoreState, 'state' | 'reason'> {
  if (codeOf(error) === '08004') return { state: 'refused', reason: reasonOf(error) };
  if (isConnectionLost(error)) return { state: 'unreachable', reason: reasonOf(error) };
  const explained = explain(error, where);
  return { state: 'unreachable', reason: explained instanceof StoreError ? explained.message.replace(/\.$/, '') : `a query failed (${codeOf(error)})` };
}

/** The health of a standby that was not asked yet; `leave` stops using the present server of its address. */
export function standbyHealth(where: string, leave: () => void, onChange: (state: ReadStoreState) => void = () => undefined): StandbyHealth {
  let known: ReadStoreState | undefined;
  let [comparedMs, dueMs, failures] = [0, 0, 0];
  const conclude = (state: Omit<ReadStoreState, 'where'>): void => {
    const before = known?.state;
    known = { where, ...state };
    if (before !== known.state) onChange(known);
  };
  return {
    state: () => known ?? { where, state: 'unreachable', reason: 'it was not asked yet' },
    isUsable: () => known?.state === 'used' && monotonicNow() - comparedMs < longestLagMs,
    isUnknown: () => known === undefined,
    isDue: () => monotonicNow() >= dueMs,
    checkBegins: () => (dueMs = monotonicNow() + checkMs),
    compared: (lag) => {
      [comparedMs, failures] = [monotonicNow(), 0];
      if (lag.lagMs <= longestLagMs) return conclude({ state: 'used', ...lag });
      leave();
      conclude({ state: 'lagging', ...lag, reason: 'it is too far behind' });
    },
    failed: (error) => {
      dueMs = monotonicNow() + pauseMs(failures, backOff);
      failures += 1;
      leave();
      conclude(stateAfterError(error, where));
    },
  };
}
