import { listCountLines } from '../../../domain/counts/list-count-lines.js';
import { undoCountLine } from '../../../domain/counts/undo-count-line.js';
import type { Call } from '../../../domain/call.js';
import { maximumPage } from '../../../domain/values/pages.js';
import { HintedError } from '../../../settings/hint.js';
import { argument, optional } from '../../arguments.js';
import type { Command } from '../../command.js';
import { command } from '../../declare-command.js';
import { callOptions, mutationFlags } from '../../mutation-flags.js';
import { idOf } from '../../readers.js';
import { showChange } from '../../record-command.js';
import { countLineColumns } from './count-columns.js';
import { countArgument, requestedCount } from './open-count.js';

/** The newest line of whoever asks that is not undone. Refuses with `line_not_found`. */
async function ownLastLine(call: Call, countId: number): Promise<number> {
  let cursor: string | undefined;
  do {
    const page = await call(listCountLines, { countId, mine: true, limit: maximumPage, ...(cursor !== undefined && { cursor }) });
    const found = page.items.find(({ undone }) => !undone);
    if (found !== undefined) return found.id;
    cursor = page.next;
  } while (cursor !== undefined);
  throw new HintedError('line_not_found', `Count ${countId} has no line of yours to undo.`, { command: ['count', 'view', String(countId)] });
}

/** The command `count undo`. */
export const countUndo: Command = command({
  path: ['count', 'undo'],
  summary: 'undo your last line, or another',
  arguments: { count: countArgument, line: optional(argument({ read: (text) => idOf('line')(text) })) },
  flags: { dryRun: mutationFlags.dryRun, yes: mutationFlags.yes, key: mutationFlags.key },
  operations: [undoCountLine, listCountLines],
  exits: ['count_not_found', 'line_not_found'],
  columns: countLineColumns,
  mutates: true,
  run: async (context, { count, line, ...mutation }) => {
    const { call } = await context.shop();
    const { id: countId } = await requestedCount(call, count, 'undo');
    const lineId = line ?? (await ownLastLine(call, countId));
    const undone = await call(undoCountLine, { countId, lineId }, callOptions(context, { ...mutation, note: undefined }));
    await showChange(
      context,
      { columns: countLineColumns },
      [undone],
      false,
      ({ id, petId, name, number, adds, countedSoFar }, verb) => {
        const left = countedSoFar === undefined ? 'not counted' : `${countedSoFar} counted`;
        return `${verb('Undid', 'Would undo')} line ${id}: ${adds ? '+' : ''}${number} × ${name} (pet ${petId}), now ${left}`;
      },
      mutation.dryRun,
    );
  },
  examples: ['petstore count undo', 'petstore count undo 3', 'petstore count undo 3 118'],
});
