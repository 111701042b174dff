import { checkConditions } from '../conditions.js';
import type { ReadTransaction, WriteTransaction } from '../transaction.js';
import { notFound } from '../values/ids.js';
import type { Hook } from './hook.js';

/** Reads a hook. Refuses with `hook_not_found`. */
export async function requireHook(tx: Pick<ReadTransaction, 'hooks'>, hookId: number): Promise<Hook> {
  const found = await tx.hooks.get(hookId);
  if (found === undefined) throw notFound('hook', hookId);
  return found;
}

/** Pauses or resumes a hook. Refuses with `hook_not_found`, or `precondition_failed`: a hook has no version. */
export async function setHookState(tx: WriteTransaction, hookId: number, state: Hook['state']): Promise<Hook> {
  await requireHook(tx, hookId);
  checkConditions(tx, `Hook ${hookId}`, undefined);
  await tx.hooks.setState(hookId, state);
  return requireHook(tx, hookId);
}
