import type { LedgerPosition } from '../ledger/ledger-position.js';
import type { Hook, HookDelivery, HookFilter } from './hook.js';
import type { DueEvents } from './hook-event.js';

/** A hook with what its sender needs. */
export interface SendingHook extends HookFilter, Pick<Hook, 'id' | 'url' | 'allowPrivate' | 'batch' | 'attempts'> {
  /** The secrets that sign, newest first. */
  readonly secrets: readonly string[];
  readonly position: LedgerPosition;
  /** When it is tried again, in ms since 1970; 0 for at once. */
  readonly nextAttemptAt: number;
}

/** What a sender found out about a hook that it has taken. */
export interface HookProgress extends Pick<SendingHook, 'id' | 'position' | 'attempts' | 'nextAttemptAt'> {
  /** The position that the sender started from; another one in the store means that the owner has moved the hook. */
  readonly from: LedgerPosition;
  readonly error: string | undefined;
  readonly pauses: boolean;
  readonly lastSentAt: number | undefined;
  /** Until when the sender keeps the hook, in ms since 1970; 0 gives it up. */
  readonly heldUntil: number;
  readonly deliveries: readonly Omit<HookDelivery, 'id'>[];
}

/** The webhooks as their sender sees them. */
export interface HookQueue {
  /** The active hooks, with their secrets, that no sender holds, that may be tried now, and whose position is not the end of the ledger. */
  readonly free: () => Promise<readonly SendingHook[]>;
  readonly get: (id: number) => Promise<SendingHook | undefined>;
  /** The id that begins every event id of this shop. */
  readonly shopId: () => Promise<string>;
  /** What hooks have to send after their positions, in the same order; undefined for one whose position the ledger no longer has. */
  readonly due: (hooks: readonly (HookFilter & Pick<SendingHook, 'position'>)[]) => Promise<readonly (DueEvents | undefined)[]>;
  /** Takes hooks that are active and that no other sender holds; answers the ids of those. */
  readonly take: (ids: readonly number[], holder: string, until: number) => Promise<readonly number[]>;
  /** Stores progress; answers the ids of the hooks that are still held from the same position. */
  readonly store: (progress: readonly HookProgress[], holder: string) => Promise<readonly number[]>;
  /** Stores the positions of hooks that had nothing to send, unless somebody holds or moved them. */
  readonly skip: (moves: readonly Pick<HookProgress, 'id' | 'from' | 'position'>[]) => Promise<void>;
}
