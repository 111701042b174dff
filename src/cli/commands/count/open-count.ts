import { hidesExpected, type Count } from '../../../domain/counts/count.js';
import { getCount } from '../../../domain/counts/get-count.js';
import { listCounts } from '../../../domain/counts/list-counts.js';
import type { Call } from '../../../domain/call.js';
import { joinItems, pluralize } from '../../../domain/values/text.js';
import { HintedError } from '../../../settings/hint.js';
import { argument, optional } from '../../arguments.js';
import { completeRecords } from '../../completion/completers.js';
import { idOf } from '../../readers.js';

/** The id of a count; without it, the count that is open. */
export const countArgument = optional(argument({ read: (text) => idOf('count')(text), complete: completeRecords('count') }));

const shownCounts = 10;

/**
 * The count with this id, or the only one that is open. Refuses with `count_not_found` where none is open, with `usage` where
 * several are; its hint is the command line with one of them and the other `words`.
 */
export async function requestedCount(call: Call, countId: number | undefined, verb: string, words: readonly string[] = []): Promise<Count> {
  if (countId !== undefined) return call(getCount, { countId });
  const { items } = await call(listCounts, { state: 'open', limit: shownCounts + 1, sort: 'id', count: false });
  const [only, second] = items;
  if (only === undefined) throw new HintedError('count_not_found', 'No count is open.', { command: ['count', 'start'] });
  if (second === undefined) return only;
  const ids = items.map(({ id }) => id);
  throw new HintedError('usage', `Counts ${joinItems(ids)} are open; say which one.`, { command: ['count', verb, String(only.id), ...words] });
}

/** How far a count is: "12 of 40 pets counted, 2 differ"; an open blind one does not say how many differ. */
export function progressText(count: Count): string {
  const { pets, counted, differing } = count;
  const isShown = counted > 0 && !hidesExpected(count);
  const differ = isShown ? `, ${differing === 0 ? 'none' : differing} ${differing === 1 ? 'differs' : 'differ'}` : '';
  return `${counted} of ${pluralize(pets, 'pet')} counted${differ}`;
}
