import { getBatch, listBatches, type Batch, type BatchDetails } from '../../domain/imports.js';
import { type Command } from '../command.js';
import { listCommand } from '../list-command.js';
import { viewCommand } from '../record-command.js';
import { idOf } from '../flags.js';
import { relativeTime, type Columns } from '../view.js';

/** The columns of bulk imports. */
export const batchColumns: Columns<Batch> = {
  all: [
    { name: 'id', value: ({ id }) => id, numeric: true },
    { name: 'at', value: ({ at }) => at, text: ({ at }, now) => relativeTime(at, now) },
    { name: 'actor', value: ({ actor }) => actor },
    { name: 'kind', value: ({ kind }) => kind },
    { name: 'state', value: ({ state }) => state },
    { name: 'mode', value: ({ mode }) => mode },
    { name: 'total', value: ({ total }) => total, numeric: true },
    { name: 'applied', value: ({ applied }) => applied, numeric: true },
    { name: 'unchanged', value: ({ unchanged }) => unchanged, numeric: true },
    { name: 'rejected', value: ({ rejected }) => rejected, numeric: true },
    { name: 'note', value: ({ note }) => note },
    { name: 'key', value: ({ key }) => key },
    { name: 'sha256', value: ({ sha256 }) => sha256 },
  ],
  shown: ['id', 'at', 'actor', 'state', 'total', 'applied', 'unchanged', 'rejected'],
  json: ['id', 'kind', 'state', 'key', 'sha256', 'actor', 'at', 'mode', 'note', 'total', 'applied', 'unchanged', 'rejected'],
  id: 'id',
};

const batchDetailColumns: Columns<BatchDetails> = {
  ...batchColumns,
  all: [...batchColumns.all, { name: 'errors', value: ({ errors }) => errors, text: ({ errors }) => errors.map(({ message }) => message).join(' ') }],
};

/** The commands of bulk imports. */
export const batchCommands: readonly Command[] = [
  listCommand({
    words: 'inventory batch list',
    summary: 'list bulk imports, the latest last',
    examples: ['petstore inventory batch list', 'petstore inventory batch list --json'],
    does: listBatches,
    columns: batchColumns,
    flags: {},
    tail: (asked) => ({ ...asked, sort: '-id' }),
    input: () => ({}),
  }),
  viewCommand({
    words: 'inventory batch view <id...>',
    summary: 'show bulk imports with the rows that were refused',
    examples: ['petstore inventory batch view 41 --json'],
    does: getBatch,
    columns: batchDetailColumns,
    record: (row) => row,
    id: idOf('batch'),
    input: (id) => ({ batchId: id }),
  }),
];
