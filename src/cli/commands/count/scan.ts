import { addCountLines } from '../../../domain/counts/add-count-lines.js';
import { checkCountIsOpen } from '../../../domain/counts/require-count.js';
import { HintedError } from '../../../settings/hint.js';
import type { Command } from '../../command.js';
import { command } from '../../declare-command.js';
import { canAsk } from '../../prompts/prompter.js';
import { addFile, lineFlags } from './add.js';
import { countLineColumns } from './count-columns.js';
import { countArgument, requestedCount } from './open-count.js';

/** The command `count scan`. */
export const countScan: Command = command({
  path: ['count', 'scan'],
  summary: 'count with a scanner or the keyboard',
  arguments: { count: countArgument },
  flags: { also: lineFlags.also, key: lineFlags.key },
  operations: [addCountLines],
  exits: ['pet_not_found', 'count_not_found', 'import_refused', 'not_utf8', 'payload_too_large', 'cancelled'],
  columns: countLineColumns,
  mutates: true,
  run: async (context, { count: given, also, key }) => {
    const { io, settings } = context;
    if (io.stdin.isTerminal && !canAsk(io, settings))
      throw new HintedError('input_required', 'Scanning needs a terminal, or lines on standard input.', { command: ['count', 'add', '--help'] });
    const { call } = await context.shop();
    const count = await requestedCount(call, given, 'scan');
    checkCountIsOpen(count);
    if (!io.stdin.isTerminal) return addFile(context, count, '-', { also, key, dryRun: undefined });
    const { scanCount } = await import('./scan-session.js');
    return scanCount(context, count, also === true);
  },
  examples: ['petstore count scan', 'petstore count scan 3 --also'],
});
