import { StoreError } from '../../domain/errors.js';
import type { Engine } from '../engine.js';
import type { ReadOptions, Work } from '../queries.js';
import { monotonicNow } from '../monotonic-clock.js';
import type { ClientReads, ReadStore, ReadStoreOptions } from '../read-store.js';
import type { SnapshotPosition, Seen } from '../read-positions.js';
import { explain } from './errors.js';
import { isRecoveryConflict, openStandby } from './standby.js';
import { NotReplayedError, positionOf } from './standby-reads.js';

/** The refusal of a read that cannot be repeated, because a part of its answer was used already. */
function explainBroken(error: unknown, where: string): unknown {
  if (!isRecoveryConflict(error)) return explain(error, where);
  return new StoreError('store_busy', `The standby ${where} cancelled this read, to go on following its primary.`, {
    advice: 'Run it again; hot_standby_feedback, or a longer max_standby_streaming_delay, of the standby prevents that.',
    cause: error,
  });
}

/**
 * Sends reads to a standby of the shop where that is allowed: where its snapshot has all that the client has read or
 * changed, so that no answer is older than one before. In any other case, and after any failure, the primary is read.
 */
export function openReadStore(options: ReadStoreOptions): ReadStore {
  const { where, primary, positions } = options;
  const standby = openStandby(options);

  /** Reads the standby, twice where the next snapshot may do; undefined when the primary is to be read instead. */
  const readStandby = async <T>(work: Work<T>, isRepeatable: boolean, seen: Seen): Promise<{ readonly value: T } | undefined> => {
    let hasBegun = false;
    const noted: Work<T> = (queries) => {
      hasBegun = true;
      return work(queries);
    };
    for (let tries = 1; tries <= 2; tries += 1) {
      try {
        const answer = await standby.read(noted, { isRepeatable, least: seen.least });
        positions.readStandby(seen, answer.added);
        return answer;
      } catch (error) {
        if (hasBegun && !isRepeatable) throw explainBroken(error, where);
        // The primary also decides about a refusal: what is missing here may have been added meanwhile.
        if (!isRecoveryConflict(error) && !(error instanceof NotReplayedError && error.canRetry)) break;
      }
    }
    return undefined;
  };

  /** Reads the primary; `onRead` gets the position of the snapshot, also when the work fails. */
  const readPrimary = <T>(work: Work<T>, how: ReadOptions, onRead: (position: SnapshotPosition) => void): Promise<T> =>
    primary.read(async (queries) => {
      const [position, outcome] = await Promise.allSettled([positionOf(queries), (async () => work(queries))()]);
      if (position.status === 'fulfilled') onRead(position.value);
      if (outcome.status === 'rejected') throw outcome.reason;
      if (position.status === 'rejected') throw position.reason;
      return outcome.value;
    }, how);

  return {
    readsOf: (client): ClientReads => {
      const read: Engine['read'] = async (work, { isRepeatable = false, waitedMs = 0 } = {}) => {
        const startedMs = monotonicNow();
        if (await standby.isUsable()) {
          const seen = positions.seenBy(client);
          const answer = seen.isComplete ? await readStandby(work, isRepeatable, seen) : undefined;
          if (answer !== undefined) return answer.value;
        }
        const seen = positions.seenBy(client);
        const how = { isRepeatable, waitedMs: waitedMs + monotonicNow() - startedMs };
        return readPrimary(work, how, (position) => positions.readPrimary(seen, position));
      };
      return {
        read,
        readNewest: (work, how = {}) => readPrimary(work, how, ({ added }) => positions.showToAll(added)),
        changed: () => positions.changed(client),
      };
    },
    state: standby.state,
    close: standby.close,
  };
}
