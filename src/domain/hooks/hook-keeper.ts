import type { CallOptions } from '../call.js';
import type { LedgerKind } from '../ledger/ledger-entry.js';
import type { Hook } from './hook.js';

/** A hook to create. */
export interface HookDraft extends Pick<Hook, 'url' | 'rows' | 'batch' | 'allowPrivate' | 'categoryId'> {
  readonly kinds?: readonly LedgerKind[] | undefined;
  readonly petId?: readonly number[] | undefined;
  /** A secret of the owner; without it one is made. */
  readonly secret?: string | undefined;
}

/** The fields of a hook to change; null takes a filter away. */
export interface HookChange {
  readonly url?: string | undefined;
  readonly kinds?: readonly LedgerKind[] | null | undefined;
  readonly petId?: readonly number[] | null | undefined;
  readonly categoryId?: number | null | undefined;
  readonly rows?: boolean | undefined;
  readonly batch?: number | undefined;
}

/** A hook and its new secret, which cannot be shown again. */
export interface NewSecret {
  readonly hook: Hook;
  readonly secret: string;
}

type DryRun = Pick<CallOptions, 'dryRun'>;

/** What only the owner of the shop does with webhooks, on its own machine. */
export interface HookKeeper {
  /** Creates a hook that sends what happens from now on. Refuses with `validation_failed`. The secret of a dry run is not valid. */
  readonly create: (draft: HookDraft, options?: DryRun) => Promise<NewSecret>;
  /** Refuses with `hook_not_found` and `validation_failed`. */
  readonly edit: (id: number, change: HookChange, options?: DryRun) => Promise<Hook>;
  /** Refuses with `hook_not_found`. */
  readonly remove: (id: number, options?: DryRun) => Promise<Hook>;
  /** Gives a hook a new secret; for 24 hours the former one signs too. Refuses with `hook_not_found` and `validation_failed`. */
  readonly rotate: (id: number, secret: string | undefined, options?: DryRun) => Promise<NewSecret>;
  /** Moves a hook before a ledger entry: it sends that one and all that follow again. Refuses with `hook_not_found` and `entry_not_found`. */
  readonly resend: (id: number, from: number, options?: DryRun) => Promise<Hook>;
}
