import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { randomText } from '../clock.js';
import { markStale } from '../live/stale.js';
import { newestEntryId } from '../live/live.js';
import { announce, offerUndo } from '../notices.js';
import { may } from '../session.js';
import { call, type CallOptions } from '../server/call.js';
import type { AnswerOf, Changes, InputOf } from '../server/contract.js';
import { RefusalError, unlessRefused } from '../server/refusal.js';

/** A change that somebody can make. */
export interface Action<Id extends keyof Changes> {
  readonly isRunning: ReadonlySignal<boolean>;
  readonly refusal: ReadonlySignal<RefusalError | undefined>;
  /** Makes the change and announces it; undefined where it was refused, or is running already. */
  readonly run: (input: InputOf<Id>, options?: Pick<CallOptions, 'ifMatch' | 'note'>) => Promise<AnswerOf<Id> | undefined>;
}

/** A change as it was sent, with its idempotency key. */
interface Intent {
  readonly text: string;
  readonly key: string;
}

/** Offers to undo the change that a notice tells of: the last one of this session, if it has written entries after `newest`. */
async function offerItsUndo(noticeId: number, newest: number): Promise<void> {
  if (!may('undoLast')) return;
  const [last] = (await unlessRefused(call('listUndoable', {}))) ?? [];
  if (last !== undefined && last.entryId > newest) offerUndo(noticeId, last.entryId);
}

/**
 * A change by one operation; `sentence` says what it did. The same change keeps its idempotency key until the shop has made it,
 * so that neither a second click nor a repeat after a lost answer makes it twice. The shop stores no key of a refused change.
 */
export function useAction<Id extends keyof Changes>(id: Id, sentence: (answer: AnswerOf<Id>, input: InputOf<Id>) => string): Action<Id> {
  const isRunning = useSignal(false);
  const refusal = useSignal<RefusalError | undefined>(undefined);
  const intent = useRef<Intent | undefined>(undefined);
  const run: Action<Id>['run'] = async (input, options = {}) => {
    if (isRunning.peek()) return undefined;
    isRunning.value = true;
    const text = JSON.stringify([input, options]);
    const { key } = intent.current?.text === text ? intent.current : { key: randomText() };
    intent.current = { text, key };
    const newest = newestEntryId();
    try {
      const answer = await call(id, input, { ...options, key });
      intent.current = undefined;
      refusal.value = undefined;
      void offerItsUndo(announce(sentence(answer, input)), newest);
      return answer;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      // The page asks to sign in again; the change can then be made as it was typed.
      refusal.value = error.code === 'unauthenticated' ? undefined : error;
      return undefined;
    } finally {
      isRunning.value = false;
      markStale();
    }
  };
  return { isRunning, refusal, run };
}
