import { StoreError } from '../../domain/errors.js';
import { monotonicNow } from '../monotonic-clock.js';
import { rollBack, type WaitingWrite } from './waiting-write.js';
import type { SideBySide, WorkOutcome, WritePort } from './write-port.js';

/** The writes to try again after an error that rolled back a group; the others are rejected. */
function afterError(port: WritePort, group: readonly WaitingWrite[], error: unknown): readonly WaitingWrite[] {
  // Which write has failed, or in which order they would not affect each other, shows when they run one after the other.
  if (!port.isTransient(error)) return group.map((one) => ({ ...one, isAlone: true }));
  const now = monotonicNow();
  for (const { deadlineMs, reject } of group) if (deadlineMs <= now) reject(port.explain(error));
  return group.filter(({ deadlineMs }) => deadlineMs > now);
}

/** Runs writes side by side in the current transaction and settles each after the commit. Returns those to try again. */
export async function performSideBySide(port: WritePort, group: readonly WaitingWrite[], { perform }: SideBySide): Promise<readonly WaitingWrite[]> {
  let outcomes: readonly WorkOutcome[] = [];
  let unknown: StoreError | undefined;
  try {
    const performed = await perform();
    outcomes = performed.outcomes;
    if (outcomes.some((outcome) => typeof outcome === 'object' && 'value' in outcome)) {
      const committing = port.commit(Math.min(...group.map(({ deadlineMs }) => deadlineMs)));
      const [committed, sent] = await Promise.allSettled([committing, performed.sent]);
      // A commit fails because of a change that failed before it.
      if (committed.status === 'rejected') throw sent.status === 'rejected' && !port.isTransient(sent.reason) ? sent.reason : committed.reason;
    } else await port.rollback();
  } catch (error) {
    await rollBack(port, group, error);
    // The commit may have succeeded.
    if (error instanceof StoreError) unknown = error;
    else return afterError(port, group, error);
  }
  return group.flatMap((one, index) => {
    const outcome = outcomes[index] ?? (unknown ? { error: unknown } : 'later');
    if (outcome === 'later') return [one];
    if (outcome === 'alone') return [{ ...one, isAlone: true }];
    if ('error' in outcome) one.reject(port.explain(outcome.error));
    else if (unknown) one.reject(unknown);
    else one.resolve(outcome.value);
    return [];
  });
}
