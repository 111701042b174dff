import { checkConditions } from '../conditions.js';
import { StoreError } from '../errors.js';
import type { ReadTransaction, WriteTransaction } from '../transaction.js';
import { requireRecord } from '../values/ids.js';
import type { Count } from './count.js';

/** Reads a count. Refuses with `count_not_found`. */
export async function requireCount(tx: ReadTransaction, countId: number): Promise<Count> {
  return requireRecord('count', countId, await tx.counts.get(countId));
}

/** Refuses with `count_not_open` a count that is closed or cancelled. */
export function checkCountIsOpen({ id, state }: Pick<Count, 'id' | 'state'>): void {
  if (state !== 'open') throw new StoreError('count_not_open', `Count ${id} is ${state}; its lines can no longer change.`, { details: { countId: id } });
}

/** Reads a count that is to be changed. Refuses with `count_not_found`, `count_not_open` or `precondition_failed`: a count has no version. */
export async function requireOpenCount(tx: WriteTransaction, countId: number): Promise<Count> {
  const found = await requireCount(tx, countId);
  checkConditions(tx, `Count ${countId}`, undefined);
  checkCountIsOpen(found);
  return found;
}
