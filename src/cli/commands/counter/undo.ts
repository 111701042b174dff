import { changeText } from '../../../domain/ledger/change-text.js';
import type { UndoableChange } from '../../../domain/ledger/undoable-change.js';
import { columnsOf, showList } from '../../output/view.js';
import { listUndoable } from '../../../domain/ledger/list-undoable.js';
import { undoLast } from '../../../domain/ledger/undo-last.js';
import { argument, optional } from '../../arguments.js';
import type { Command } from '../../command.js';
import { command } from '../../declare-command.js';
import { toggle } from '../../flags.js';
import { allowShortage, mutationFlags } from '../../mutation-flags.js';
import { relativeTime } from '../../output/time-text.js';
import { idOf } from '../../readers.js';
import { makeChange } from '../../record-command.js';

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
    let entryId = entry;
    await makeChange(context, values, {
      columns: undoColumns,
      make: async (options, { call }) => {
        const undone = await call(undoLast, { allowShortage: allow === true, body: { entryId } }, options);
        // What was confirmed is undone, and nothing else that was changed meanwhile.
        ({ entryId } = undone);
        return undone;
      },
      question: (changes) => changes.map((change) => `Undo ${changeText(change)}, made ${relativeTime(change.at, context.io.now())}?`).join(' '),
      sentence: (change, verb) => `${verb('Undid', 'Would undo')} ${changeText(change)}.`,
    });
  },
  examples: ['petstore undo', 'petstore undo --list', 'petstore undo 88', 'petstore undo --dry-run', 'petstore undo --yes'],
});
