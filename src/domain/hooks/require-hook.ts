import { checkConditions } from '../conditions.js';
import type { ReadTransaction, WriteTransaction } from '../transaction.js';
import { requireRecord } from '../values/ids.js';
import type { Hook } from './hook.js';

/** Reads a hook. Refuses with `hook_not_found`. */
export async function requireHook(tx: Pick<ReadTransaction, 'hooks'>, hookId: number): Promise<Hook> {
  return requireRecord('hook', hookId, await tx.hooks.get(hookId));
}

/** Pauses or resumes a hook. Refuses with `hook_not_found`, or `precondition_failed`: a hook has no version. */
export async function setHookState(tx: WriteTransaction, hookId: number, state: Hook['state']): Promise<Hook> {
  await requireHook(tx, hookId);
  checkConditions(tx, `Hook ${hookId}`, undefined);
  await tx.hooks.setState(hookId, state);
  return requireHook(tx, hookId);
}
