import { cancelCount } from '../../../domain/counts/cancel-count.js';
import { checkCountIsOpen } from '../../../domain/counts/require-count.js';
import type { Command } from '../../command.js';
import { command } from '../../declare-command.js';
import { callOptions, mutationFlags } from '../../mutation-flags.js';
import { showChange } from '../../record-command.js';
import { countColumns } from './count-columns.js';
import { countArgument, progressText, requestedCount } from './open-count.js';

/** The command `count cancel`. */
export const countCancel: Command = command({
  path: ['count', 'cancel'],
  summary: 'end a count without changing the stock',
  arguments: { count: countArgument },
  flags: mutationFlags,
  operations: [cancelCount],
  exits: ['confirmation_required', 'cancelled'],
  columns: countColumns,
  mutates: true,
  run: async (context, { count, ...mutation }) => {
    const { call } = await context.shop();
    const found = await requestedCount(call, count, 'cancel');
    if (mutation.key === undefined) checkCountIsOpen(found);
    await context.confirm(`Cancel count ${found.id} (${progressText(found)})? Its lines cannot be applied afterwards.`, mutation);
    const cancelled = await call(cancelCount, { countId: found.id }, callOptions(context, mutation));
    await showChange(context, {
      columns: countColumns,
      rows: [cancelled],
      sentence: ({ id }, verb) => `${verb('Cancelled', 'Would cancel')} count ${id}`,
      dryRun: mutation.dryRun,
    });
  },
  examples: ['petstore count cancel 3', 'petstore count cancel --yes'],
});
