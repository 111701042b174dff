import { StoreError } from '../../../domain/errors.js';
import { listUndoable } from '../../../domain/ledger/list-undoable.js';
import { undoLast } from '../../../domain/ledger/undo-last.js';
import type { Command, Context } from '../../command.js';
import { command } from '../../declare-command.js';
import { toggle, type FlagValues } from '../../flags.js';
import { callOptions, mutationFlags } from '../../mutation-flags.js';
import { relativeTime } from '../../output/time-text.js';
import { showChange, showRecords } from '../../record-command.js';
import { allowShortage } from '../inventory/inventory-arguments.js';
import { namedChanges, undoColumns, type NamedChange } from './undo-columns.js';

const flags = {
  list: toggle({ long: 'list', summary: 'list the last ten changes that can be undone' }),
  allowShortage,
  ...mutationFlags,
};

async function showList(context: Context): Promise<void> {
  const { call } = await context.shop();
  const changes = await namedChanges(call, await call(listUndoable, {}));
  await showRecords(context, { columns: undoColumns }, changes, true);
  if (changes.length === 0) await context.note('Nothing to undo.');
}

/** Undoes a change that was shown, and answers what was undone. With --yes it was not shown, and a repeat with the same --key must be the same request. */
async function takeBack(context: Context, shown: NamedChange, { allowShortage: allow, yes, ...others }: FlagValues<typeof flags>): Promise<NamedChange> {
  const { entryId, batchId } = shown;
  const { call, undoBatch } = await context.shop();
  const options = callOptions(context, { ...others, yes });
  if (batchId !== undefined) {
    await undoBatch(batchId, { ...options, allowShortage: allow === true });
    return shown;
  }
  const body = yes === true && others.key !== undefined ? {} : { entryId };
  const [undone = shown] = await namedChanges(call, [await call(undoLast, { allowShortage: allow === true, body }, options)]);
  return undone;
}

/** The command `undo`. */
export const undoCommand: Command = command({
  path: ['undo'],
  summary: 'undo your last change: a sale, an order, a count, a delivery, a hold or an import',
  flags,
  operations: [listUndoable, undoLast],
  columns: undoColumns,
  mutates: true,
  run: async (context, { list, ...values }) => {
    if (list === true) return showList(context);
    const { call } = await context.shop();
    const [last] = await namedChanges(call, (await call(listUndoable, {})).slice(0, 1));
    if (last === undefined) throw new StoreError('not_undoable', 'You have no recent change to undo.');
    await context.confirm(`Undo ${last.text}, ${relativeTime(last.at, context.io.now())}?`, values);
    const undone = await takeBack(context, last, { ...values, list });
    await showChange(context, { columns: undoColumns }, [undone], false, ({ text }, verb) => `${verb('Undid', 'Would undo')} ${text}.`, values.dryRun);
  },
  examples: ['petstore undo', 'petstore undo --list', 'petstore undo --dry-run', 'petstore undo --yes'],
});
