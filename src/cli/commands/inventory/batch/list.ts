import { batchColumns } from './batch-columns.js';
import { listBatches } from '../../../../domain/imports/list-batches.js';
import type { Command } from '../../../command.js';
import { listCommand } from '../../../list-command.js';

/** The command `inventory batch list`. */
export const inventoryBatchList: Command = listCommand({
  path: ['inventory', 'batch', 'list'],
  aliases: ['ls'],
  summary: 'list bulk imports, oldest first',
  flags: {},
  operation: listBatches,
  input: () => ({}),
  columns: batchColumns,
  tail: (asked) => ({ ...asked, sort: '-id' }),
  examples: ['petstore inventory batch list', 'petstore inventory batch list --json'],
});
