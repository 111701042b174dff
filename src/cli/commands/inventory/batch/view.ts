import { repeated } from '../../../arguments.js';
import { batchArgument } from '../../../shared-arguments.js';
import { batchColumns } from './batch-columns.js';
import { getBatch } from '../../../../domain/imports/get-batch.js';
import type { BatchDetails } from '../../../../domain/imports/batch.js';
import type { Command } from '../../../command.js';
import { viewCommand } from '../../../record-command.js';
import type { Columns } from '../../../output/view.js';

function errorText({ line, message }: BatchDetails['errors'][number]): string {
  return `Line ${line}: ${message}`;
}

const batchDetailColumns: Columns<BatchDetails> = {
  ...batchColumns,
  all: [
    ...batchColumns.all,
    { name: 'errors', heading: 'Errors', least: 12, value: ({ errors }) => errors, text: ({ errors }) => errors.map(errorText).join(' ') },
  ],
};

/** The command `inventory batch view`. */
export const inventoryBatchView: Command = viewCommand({
  path: ['inventory', 'batch', 'view'],
  aliases: ['show', 'get'],
  summary: 'show bulk imports and the rows they refused',
  arguments: { id: repeated(batchArgument('batch')) },
  operation: getBatch,
  input: ({ id }) => ({ batchId: id }),
  columns: batchDetailColumns,
  record: (row) => row,
  examples: ['petstore inventory batch view 41 --json'],
});
