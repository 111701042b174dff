import { changeText } from '../../../domain/ledger/change-text.js';
import type { UndoableChange } from '../../../domain/ledger/undoable-change.js';
import type { CallOptions } from '../../../domain/call.js';
import { columnsOf, showList } from '../../output/view.js';
import { listUndoable } from '../../../domain/ledger/list-undoable.js';
import { undoLast } from '../../../domain/ledger/undo-last.js';
import { argument, optional } from '../../arguments.js';
import type { Command, Context } from '../../command.js';
import { command } from '../../declare-command.js';
import { toggle } from '../../flags.js';
import { allowShortage, callOptions, mutationFlags } from '../../mutation-flags.js';
import { relativeTime } from '../../output/time-text.js';
import { idOf } from '../../readers.js';
import { showChange } from '../../record-command.js';

function orderIds({ entries }: UndoableChange): readonly number[] {
  return [...new Set(entries.flatMap(({ orderId }) => orderId ?? []))];
}

const undoColumns = columnsOf<UndoableChange>(
  {
    entryId: { heading: 'Entry', numeric: true },
    at: { heading: 'When', leaveOut: 1, time: true },
    change: { heading: 'Change', least: 20, wraps: true, value: changeText },
    orderIds: { heading: 'Orders', value: orderIds, cell: (change) => orderIds(change).join(' ') },
    batchId: { heading: 'Batch', numeric: true },
    entries: { heading: 'Entries', value: ({ entries }) => entries.map(({ id }) => id), cell: ({ entries }) => entries.map(({ id }) => id).join(' ') },
  },
  { shown: ['entryId', 'at', 'change'] },
);

const flags = {
  list: toggle({ long: 'list', readsOnly: true, summary: 'list the last ten changes that can be undone' }),
  allowShortage,
  ...mutationFlags,
};

const entryArgument = argument({ read: (text) => idOf('entry')(text) });

interface UndoTarget {
  readonly entryId: number | undefined;
  readonly allowShortage: boolean;
}

/** Undoes a change, an import as a whole, and answers what was undone. */
async function undoChange(context: Context, { entryId, allowShortage: allow }: UndoTarget, options: CallOptions): Promise<UndoableChange> {
  const { call } = await context.shop();
  return call(undoLast, { allowShortage: allow, body: { entryId } }, options);
}

/** The command `undo`. */
export const undoCommand: Command = command({
  path: ['undo'],
  summary: 'undo your last change: a sale, an order, an edit, a count, a delivery, an import or a deletion',
  arguments: { entry: optional(entryArgument) },
  flags,
  operations: [listUndoable, undoLast],
  columns: undoColumns,
  mutates: true,
  run: async (context, { entry, list, allowShortage: allow, ...values }) => {
    if (list === true) {
      const { call } = await context.shop();
      return showList(context, undoColumns, await call(listUndoable, {}), 'You have no recent change to undo.');
    }
    const target = { entryId: entry, allowShortage: allow === true };
    // A dry run first: a change that cannot be undone needs no confirmation.
    // Not for a request with --key, which may be a repeat.
    const mayBeRepeat = values.yes === true && values.key !== undefined && values.dryRun !== true;
    const shown = mayBeRepeat ? undefined : await undoChange(context, target, { dryRun: true });
    if (shown !== undefined && values.dryRun !== true)
      await context.confirm(`Undo ${changeText(shown)}, made ${relativeTime(shown.at, context.io.now())}?`, values);
    const undone =
      shown !== undefined && values.dryRun === true
        ? shown
        : await undoChange(context, { ...target, entryId: shown?.entryId ?? entry }, callOptions(context, values));
    await showChange(context, {
      columns: undoColumns,
      rows: [shown ?? undone],
      sentence: (change, verb) => `${verb('Undid', 'Would undo')} ${changeText(change)}.`,
      dryRun: values.dryRun,
    });
  },
  examples: ['petstore undo', 'petstore undo --list', 'petstore undo 88', 'petstore undo --dry-run', 'petstore undo --yes'],
});
