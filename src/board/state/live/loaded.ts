import { useEffect, useRef, useState } from 'preact/hooks';
import { jitter, now, wait } from '../clock.js';
import { call } from '../server/call.js';
import type { AnswerOf, InputOf, OperationId, Reads } from '../server/contract.js';
import { isUncertain, RefusalError } from '../server/refusal.js';
import { newestKnown } from './live.js';
import { presentChange, resolvesWhen, staleSince } from './stale.js';
import { isVisible } from './visibility.js';

/** What was read from the shop. The last value stays while it is read again, also when that is refused. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly refusal: RefusalError | undefined;
  /** Whether the value is that of an earlier input, whose successor is being read. */
  readonly isOutdated: boolean;
}

interface Kept<Value> {
  readonly key: string | undefined;
  readonly value?: Value | undefined;
  readonly refusal?: RefusalError | undefined;
}

const leastPauseMs = 1000;
// A read that takes long is repeated less often, but figures never stay old for long: the first read of a busy server may take seconds.
const pausePerRead = 3;
const longestPauseMs = 5000;
/** The pause before a read is repeated whose answer got lost, or that the shop could not answer. */
const retryMs = 5000;

/** The refusal of an answer that the page cannot read, as of a server of another version. The page goes on reading; the error is in the console. */
function unreadable(error: unknown): RefusalError {
  reportError(error);
  return new RefusalError('foreign_answer', 'The page cannot read what the server answered. Load the page again.', 0);
}

/** Reads again whenever the shop changed or could not answer, and the page can be seen, at most once a second, until `until` is aborted. */
async function keepLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  show: (next: { readonly value: Value } | { readonly refusal: RefusalError }) => void,
  until: AbortSignal,
): Promise<void> {
  await newestKnown;
  while (!until.aborted) {
    const [change, start] = [presentChange(), now()];
    let isFailed = false;
    try {
      show({ value: await load(until) });
    } catch (error) {
      if (until.aborted) return;
      const refusal = error instanceof RefusalError ? error : unreadable(error);
      isFailed = isUncertain(refusal);
      show({ refusal });
    }
    await wait(Math.min(longestPauseMs, Math.max(leastPauseMs, (now() - start) * pausePerRead)), until);
    await staleSince(change, isFailed ? AbortSignal.any([until, AbortSignal.timeout(retryMs * jitter())]) : until);
    await resolvesWhen(() => isVisible.value, until);
  }
}

/** Reads from the shop and keeps the value fresh. `key` names what is read: another key reads at once. */
export function useLoaded<Value>(load: (signal: AbortSignal) => Promise<Value>, key: string): Loaded<Value> {
  const [kept, keep] = useState<Kept<Value>>({ key: undefined });
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const stop = new AbortController();
    const show = (next: Pick<Kept<Value>, 'value' | 'refusal'>): void => {
      if (!stop.signal.aborted) keep((last) => ({ key, value: last.value, ...next, refusal: next.refusal }));
    };
    void keepLoaded((signal) => latest.current(signal), show, stop.signal);
    return () => stop.abort();
  }, [key]);
  return { value: kept.value, refusal: kept.refusal, isOutdated: kept.key !== key };
}

/** Reads with one operation and keeps the answer fresh. */
export function useCall<Id extends OperationId & keyof Reads>(id: Id, input: InputOf<Id>): Loaded<AnswerOf<Id>> {
  return useLoaded((signal) => call(id, input, { signal }), `${id} ${JSON.stringify(input)}`);
}
