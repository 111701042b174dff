import { changeText } from '../../../domain/ledger/change-text.js';
import type { NamedEntry } from '../../../domain/ledger/named-entry.js';
import type { UndoableChange } from '../../../domain/ledger/undoable-change.js';
import type { Call, CallOptions } from '../../../domain/call.js';
import { withNames } from '../../output/ledger-names.js';
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

interface NamedChange extends Omit<UndoableChange, 'entries'> {
  readonly entries: readonly NamedEntry[];
  readonly text: string;
}

/** The changes with the names of their pets, in one request. */
async function namedChanges(call: Call, changes: readonly UndoableChange[]): Promise<readonly NamedChange[]> {
  const named = await withNames(
    call,
    changes.flatMap(({ entries }) => entries),
  );
  const byId = new Map(named.map((entry) => [entry.id, entry]));
  return changes.map((change) => {
    const entries = change.entries.map((entry) => byId.get(entry.id) ?? entry);
    return { ...change, entries, text: changeText(change, entries) };
  });
}

function orderIds({ entries }: NamedChange): readonly number[] {
  return [...new Set(entries.flatMap(({ orderId }) => orderId ?? []))];
}

const undoColumns = columnsOf<NamedChange>(
  {
    entryId: { heading: 'Entry', numeric: true },
    at: { heading: 'When', leaveOut: 1, time: true },
    change: { heading: 'Change', least: 20, wraps: true, value: ({ text }) => text },
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
async function undoChange(context: Context, { entryId, allowShortage: allow }: UndoTarget, options: CallOptions): Promise<NamedChange> {
  const { call } = await context.shop();
  const change = await call(undoLast, { allowShortage: allow, body: { entryId } }, options);
  const [named] = await namedChanges(call, [change]);
  return named ?? { ...change, text: '' };
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
      return showList(context, undoColumns, await namedChanges(call, await call(listUndoable, {})), 'You have no recent change to undo.');
    }
    const target = { entryId: entry, allowShortage: allow === true };
    // A dry run first: a change that cannot be undone needs no confirmation, and the names of records that the undo deletes are read.
    // Not for a request with --key, which may be a repeat.
    const mayBeRepeat = values.yes === true && values.key !== undefined && values.dryRun !== true;
    const shown = mayBeRepeat ? undefined : await undoChange(context, target, { dryRun: true });
    if (shown !== undefined && values.dryRun !== true) await context.confirm(`Undo ${shown.text}, made ${relativeTime(shown.at, context.io.now())}?`, values);
    const undone =
      shown !== undefined && values.dryRun === true
        ? shown
        : await undoChange(context, { ...target, entryId: shown?.entryId ?? entry }, callOptions(context, values));
    await showChange(context, {
      columns: undoColumns,
      rows: [shown ?? undone],
      sentence: ({ text }, verb) => `${verb('Undid', 'Would undo')} ${text}.`,
      dryRun: values.dryRun,
    });
  },
  examples: ['petstore undo', 'petstore undo --list', 'petstore undo 88', 'petstore undo --dry-run', 'petstore undo --yes'],
});
