import { previewCount } from '../../../domain/counts/preview-count.js';
import type { Command } from '../../command.js';
import { actionNeededExitCode } from '../../exit-codes.js';
import { listCommand } from '../../list-command.js';
import { closeFlags } from './close-flags.js';
import { countChangeColumns } from './count-columns.js';
import { countArgument, requestedCount } from './open-count.js';

/** The command `count diff`. */
export const countDiff: Command = listCommand({
  path: ['count', 'diff'],
  summary: 'show what closing a count would change',
  arguments: { count: countArgument },
  flags: closeFlags,
  operation: previewCount,
  input: async ({ count, missing, allowShortage }, call) => ({
    countId: (await requestedCount(call, count, 'diff')).id,
    missing,
    allowShortage: allowShortage === true,
  }),
  columns: countChangeColumns,
  whenEmpty: 'No pet would change.',
  exitCode: () => actionNeededExitCode,
  examples: ['petstore count diff', 'petstore count diff 3 --missing zero', 'petstore count diff 3 --format csv'],
});
