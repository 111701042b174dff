import { HintedError } from '../../../settings/hint.js';
import { askedOnlyWithout, optional } from '../../arguments.js';
import { batchArgument } from '../../shared-arguments.js';
import { getBatch } from '../../../domain/imports/get-batch.js';
import { checkUndoable } from '../../../domain/imports/undo-batch.js';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.js';
import { undoEntry } from '../../../domain/ledger/undo-entry.js';
import { pluralize } from '../../../domain/values/text.js';
import { callOptions, mutationFlags } from '../../mutation-flags.js';
import { command } from '../../declare-command.js';
import type { Command, Context } from '../../command.js';
import { type ChangeSentence, showChange } from '../../record-command.js';
import { flag, type FlagValues } from '../../flags.js';
import { idOf } from '../../readers.js';
import { chosenColumns } from '../../output/view.js';
import { batchColumns } from './batch/batch-columns.js';
import { allowShortage } from './inventory-arguments.js';
import { ledgerColumns } from '../ledger-columns.js';

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
  const repeated = found.state === 'undone' && mutation.key !== undefined;
  if (!repeated) checkUndoable(found);
  if (!repeated && found.applied > fewRows) await context.confirm(`Undo ${found.applied} rows of batch ${id}?`, mutation);
  const { batch, rows } = await shop.undoBatch(id, { ...callOptions(context, mutation), allowShortage: allow === true });
  await showChange(context, {
    columns: batchColumns,
    record: () => batch,
    rows: [batch],
    sentence: (_, verb) => `${verb('Undid', 'Would undo')} batch ${id} (${pluralize(rows, 'row')}).`,
    dryRun: mutation.dryRun,
  });
}

async function undoOneEntry(context: Context, entryId: number, { allowShortage: allow, ...mutation }: FlagValues<typeof flags>): Promise<void> {
  chosenColumns(ledgerColumns, context.settings.fields, 'tsv');
  const { call } = await context.shop();
  const entry = await call(undoEntry, { entryId, allowShortage: allow === true }, callOptions(context, mutation));
  const sentence: ChangeSentence<LedgerEntry> = ({ petId, quantityAfter }, verb) =>
    `${verb('Undid', 'Would undo')} ledger entry ${entryId}: pet ${petId} ${verb('has', 'would have')} ${quantityAfter} on hand.`;
  await showChange(context, { columns: ledgerColumns, record: () => entry, rows: [entry], sentence, dryRun: mutation.dryRun });
}

/** The command `inventory undo`. */
export const inventoryUndo: Command = command({
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
