import type { CallOptions } from '../call.js';
import type { Patch } from '../values/fields.js';
import type { Hook, HookFilter } from './hook.js';

/** A hook to create. */
export interface HookDraft extends HookFilter, Pick<Hook, 'url' | 'batch' | 'allowPrivate'> {
  /** A secret of the owner; without it one is made. */
  readonly secret?: string | undefined;
}

/** The fields of a hook to change; null takes a filter away. */
export type HookChange = Patch<Omit<HookDraft, 'allowPrivate' | 'secret'>>;

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
