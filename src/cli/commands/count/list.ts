import { countStates } from '../../../domain/counts/count.js';
import { listCounts } from '../../../domain/counts/list-counts.js';
import type { Command } from '../../command.js';
import { choice } from '../../flags.js';
import { listCommand } from '../../list-command.js';
import { countColumns } from './count-columns.js';

/** The command `count list`. */
export const countList: Command = listCommand({
  path: ['count', 'list'],
  aliases: ['ls'],
  summary: 'list counts, oldest first',
  flags: { state: choice({ long: 'state', value: 'state', summary: 'only counts in this state', choices: countStates }) },
  operation: listCounts,
  input: ({ state }) => ({ state }),
  columns: countColumns,
  tail: (asked) => ({ ...asked, sort: '-id' }),
  examples: ['petstore count list', 'petstore count list --state open'],
});
