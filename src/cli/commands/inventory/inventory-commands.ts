import type { Batch, BatchDetails } from '../../../domain/imports/batch.js';
import { getBatch } from '../../../domain/imports/get-batch.js';
import { listBatches } from '../../../domain/imports/list-batches.js';
import { checkUndoable } from '../../../domain/imports/undo-batch.js';
import { undoEntry } from '../../../domain/ledger/undo-entry.js';
import { pluralize } from '../../../domain/values/text.js';
import { HintedError } from '../../../settings/hint.js';
import { askedOnlyWithout, optional, repeated } from '../../arguments.js';
import type { Command, Context } from '../../command.js';
import { command } from '../../declare-command.js';
import { type FlagValues, flag, asOf, timeFlag, toggle } from '../../flags.js';
import { listCommand } from '../../list-command.js';
import { allowShortage, callOptions, mutationFlags } from '../../mutation-flags.js';
import { type Columns, chosenColumns, columnsOf } from '../../output/view.js';
import { idOf } from '../../readers.js';
import { makeChange, showChange, viewCommand } from '../../record-command.js';
import { batchArgument, petArgument } from '../../shared-arguments.js';
import { ledgerColumns } from '../ledger-columns.js';
import { getInventoryItem } from '../../../domain/inventory/get-inventory-item.js';
import { listInventory } from '../../../domain/inventory/list-inventory.js';
import { actionNeededExitCode } from '../../exit-codes.js';
import { stockFilterFlags, stockFilterInput } from '../pet/pet-fields.js';
import { inventoryAdjust, inventoryLowAt, inventorySet, inventoryColumns } from './change-stock.js';
import { inventoryEdit } from './edit.js';
import { inventoryDiff, inventoryExport, inventoryImport } from './import-commands.js';

const batchColumns = columnsOf<Batch, keyof Batch>(
  {
    id: { heading: 'ID', numeric: true },
    at: { heading: 'When', leaveOut: 4, time: true },
    actor: { heading: 'By', least: 8, leaveOut: 2 },
    kind: { heading: 'Kind' },
    state: { heading: 'State' },
    countId: { heading: 'Count', leaveOut: 5, onlyFilled: true, numeric: true },
    mode: { heading: 'Mode' },
    total: { heading: 'Rows', leaveOut: 3, numeric: true },
    applied: { heading: 'Applied', numeric: true },
    unchanged: { heading: 'Unchanged', leaveOut: 1, numeric: true },
    rejected: { heading: 'Rejected', numeric: true },
    note: { heading: 'Note', least: 12 },
    fileName: { heading: 'File', least: 10 },
    key: { heading: 'Key', least: 8 },
    sha256: { heading: 'SHA-256', least: 8 },
  },
  {
    shown: ['id', 'at', 'actor', 'state', 'total', 'applied', 'unchanged', 'rejected', 'fileName'],
    table: ['id', 'at', 'actor', 'state', 'total', 'applied', 'unchanged', 'rejected', 'countId', 'fileName'],
    json: ['id', 'kind', 'state', 'key', 'sha256', 'actor', 'at', 'mode', 'countId', 'note', 'fileName', 'total', 'applied', 'unchanged', 'rejected'],
  },
);

const inventoryBatchList = listCommand({
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

function errorText({ line, message }: BatchDetails['errors'][number]): string {
  return `Line ${line}: ${message}`;
}

const batchDetailColumns: Columns<BatchDetails> = {
  ...batchColumns,
  json: [...batchColumns.json, 'errors'],
  all: [
    ...batchColumns.all,
    { name: 'errors', heading: 'Errors', least: 12, value: ({ errors }) => errors, text: ({ errors }) => errors.map(errorText).join(' ') },
  ],
};

const inventoryBatchView = viewCommand({
  path: ['inventory', 'batch', 'view'],
  aliases: ['show', 'get'],
  summary: 'show bulk imports and the rows they refused',
  arguments: { id: repeated(batchArgument('batch')) },
  operation: getBatch,
  input: ({ id }) => ({ batchId: id }),
  columns: batchDetailColumns,
  examples: ['petstore inventory batch view 41 --json'],
});

const flags = {
  entry: flag({ long: 'entry', value: 'id', summary: 'undo one ledger entry instead of an import', read: idOf('entry') }),
  allowShortage,
  ...mutationFlags,
};

/** Up to this many rows are undone without confirmation. */
const fewRows = 100;

async function undoBatch(context: Context, id: number, { allowShortage: allow, ...mutation }: FlagValues<typeof flags>): Promise<void> {
  chosenColumns(batchColumns, context.settings.fields, 'tsv');
  const shop = await context.shop();
  const found = await shop.call(getBatch, { batchId: id });
  // With a key this may be a retry of an undo that was done already; the shop checks that.
  const isRepeat = found.state === 'undone' && mutation.key !== undefined;
  if (!isRepeat) checkUndoable(found);
  // Without a dry run, which of many rows would take long and hold up everybody else; what is undone already is refused above.
  if (!isRepeat && found.applied > fewRows) await context.confirm(`Undo ${found.applied} rows of batch ${id}?`, mutation);
  const { batch, rows } = await shop.undoBatch(id, { ...callOptions(context, mutation), allowShortage: allow === true });
  await showChange(context, {
    columns: batchColumns,
    rows: [batch],
    sentence: (_, verb) => `${verb('Undid', 'Would undo')} batch ${id} (${pluralize(rows, 'row')}).`,
    dryRun: mutation.dryRun,
  });
}

async function undoOneEntry(context: Context, entryId: number, { allowShortage: allow, ...mutation }: FlagValues<typeof flags>): Promise<void> {
  chosenColumns(ledgerColumns, context.settings.fields, 'tsv');
  await makeChange(context, mutation, {
    columns: ledgerColumns,
    make: (options, { call }) => call(undoEntry, { entryId, allowShortage: allow === true }, options),
    sentence: ({ petId, quantityAfter }, verb) =>
      `${verb('Undid', 'Would undo')} ledger entry ${entryId}: pet ${petId} ${verb('has', 'would have')} ${quantityAfter} on hand.`,
  });
}

const inventoryUndo = command({
  path: ['inventory', 'undo'],
  summary: 'undo a bulk import or one ledger entry; later changes are kept',
  arguments: { batch: optional(askedOnlyWithout(batchArgument('undoableBatch'), ['entry'])) },
  flags,
  operations: [undoEntry],
  mutates: true,
  fields: [...new Set([...batchColumns.all, ...ledgerColumns.all].map(({ name }) => name))],
  run: async (context, { batch, ...values }) => {
    if (batch !== undefined && values.entry === undefined) return undoBatch(context, batch, values);
    if (batch === undefined && values.entry !== undefined) return undoOneEntry(context, values.entry, values);
    throw new HintedError('usage', 'Give the id of a batch, or a ledger entry with --entry.', { command: ['inventory', 'batch', 'list'] });
  },
  examples: ['petstore inventory undo 41 --dry-run', 'petstore inventory undo 41 --yes', 'petstore inventory undo --entry 1208'],
});

const inventoryList = listCommand({
  path: ['inventory', 'list'],
  aliases: ['ls'],
  summary: 'list the stock of every pet',
  flags: {
    ...stockFilterFlags,
    notCountedSince: timeFlag('start', { long: 'not-counted-since', summary: 'only pets not counted since this day or time' }),
    at: asOf,
    exitStatus: toggle({ long: 'exit-status', summary: `exit with ${actionNeededExitCode} if anything is listed, for cron` }),
  },
  operation: listInventory,
  input: async ({ notCountedSince, at, ...filter }, call) => ({ ...(await stockFilterInput(filter, call)), notCountedSince, at }),
  columns: {
    ...inventoryColumns,
    shown: [...inventoryColumns.shown, 'lowAt'],
    table: inventoryColumns.shown,
    json: inventoryColumns.json.toSpliced(1, 0, 'name'),
  },
  table: ({ low }) => (low === true ? ['petId', 'name', 'quantity', 'lowAt', 'reserved', 'available', 'status'] : undefined),
  exitCode: ({ exitStatus }) => (exitStatus === true ? actionNeededExitCode : undefined),
  examples: [
    'petstore inventory list --low',
    'petstore inventory list --low --exit-status --format csv',
    'petstore inventory list --category Fish --json',
    'petstore inventory list --not-counted-since 90d',
    'petstore inventory list --at 2026-11-20',
  ],
});

const inventoryView = viewCommand({
  path: ['inventory', 'view'],
  aliases: ['show', 'get'],
  summary: 'show the stock of pets',
  arguments: { pet: repeated(petArgument) },
  operation: getInventoryItem,
  input: ({ pet }) => ({ petId: pet }),
  columns: inventoryColumns,
  examples: ['petstore inventory view 7', 'petstore inventory view 7 8 --json'],
});

/** The commands of inventory. */
export const inventoryCommands: readonly Command[] = [
  inventoryList,
  inventoryView,
  inventorySet,
  inventoryAdjust,
  inventoryEdit,
  inventoryLowAt,
  inventoryImport,
  inventoryDiff,
  inventoryExport,
  inventoryBatchList,
  inventoryBatchView,
  inventoryUndo,
];
