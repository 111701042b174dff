import type { ReadTransaction } from '../transaction.js';
import { notFound } from '../values/ids.js';
import type { Hook } from './hook.js';

/** Reads a hook. Refuses with `hook_not_found`. */
export async function requireHook(tx: Pick<ReadTransaction, 'hooks'>, hookId: number): Promise<Hook> {
  const found = await tx.hooks.get(hookId);
  if (found === undefined) throw notFound('hook', hookId);
  return found;
}
