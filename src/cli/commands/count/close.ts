import type { Call, CallOptions } from '../../../domain/call.js';
import { cancelCount } from '../../../domain/counts/cancel-count.js';
import { closeCount } from '../../../domain/counts/close-count.js';
import type { Count } from '../../../domain/counts/count.js';
import { previewCount } from '../../../domain/counts/preview-count.js';
import { checkCountIsOpen } from '../../../domain/counts/require-count.js';
import { pluralize } from '../../../domain/values/text.js';
import { isForPeople } from '../../../settings/output-format.js';
import { commandForShop } from '../../command-text.js';
import type { Command, Context } from '../../command.js';
import { command } from '../../declare-command.js';
import { actionNeededExitCode, exitCodes } from '../../exit-codes.js';
import { type FlagValues, choice, toggle } from '../../flags.js';
import { listCommand } from '../../list-command.js';
import { allowShortage as shortageFlag, callOptions, mutationFlags } from '../../mutation-flags.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { chosenColumns, writeTable } from '../../output/view.js';
import { writeText } from '../../output/wrapped-text.js';
import { canAsk } from '../../prompts/prompt.js';
import { type VerbForm, makeChange, showChange } from '../../record-command.js';
import { countChangeColumns, countColumns } from './count-columns.js';
import { countArgument, progressText, requestedCount } from './open-count.js';

const closeFlags = {
  missing: choice({
    long: 'missing',
    value: 'policy',
    summary: 'pets that nobody counted keep their stock, or have none',
    choices: ['keep', 'zero'],
    default: 'keep',
  }),
  allowShortage: shortageFlag,
};

/** The command `count diff`. */
export const countDiff: Command = listCommand({
  path: ['count', 'diff'],
  summary: 'show what closing a count would change',
  arguments: { count: countArgument },
  flags: closeFlags,
  operation: previewCount,
  input: async ({ count, missing, allowShortage }, call) => ({
    countId: (await requestedCount(call, count, 'diff')).id,
    missing,
    allowShortage: allowShortage === true,
  }),
  columns: countChangeColumns,
  whenEmpty: 'No pet would change.',
  exitCode: () => actionNeededExitCode,
  examples: ['petstore count diff', 'petstore count diff 3 --missing zero', 'petstore count diff 3 --format csv'],
});

const flags = {
  ...closeFlags,
  keepGoing: toggle({ long: 'keep-going', summary: 'change the other pets even if some cannot be changed' }),
  ...mutationFlags,
};

interface Closing {
  readonly context: Context;
  readonly call: Call;
  readonly count: Count;
  readonly values: FlagValues<typeof flags>;
}

type Closed = Awaited<ReturnType<typeof close>>;

function close({ call, count, values }: Closing, options: CallOptions) {
  const { missing, allowShortage, keepGoing, note } = values;
  const body = { missing, allowShortage: allowShortage === true, mode: keepGoing === true ? ('keep-going' as const) : ('atomic' as const) };
  return call(closeCount, { countId: count.id, body: { ...body, ...(note !== undefined && { note }) } }, options);
}

const maximumShown = 20;

/** Writes why pets cannot be changed, the first of them, to standard error. */
async function writeRefused(context: Context, { id, refused, rejected, deleted }: Closed): Promise<void> {
  const shown = refused.slice(0, maximumShown);
  const more = rejected + deleted - shown.length;
  const list = commandForShop(['count', 'diff', String(id)], context);
  const lines = [...shown.map(({ message }) => message), ...(more > 0 ? [`… and ${more} more; see: ${list}`] : [])];
  await writeText(context.io.stderr, lines.map((line) => `${sanitiseCell(line)}\n`).join(''));
}

/** Shows at a terminal what closing would change, and asks. */
async function confirmClose({ context, call, count, values }: Closing): Promise<void> {
  const { io, settings, note, confirm } = context;
  const { missing = 'keep', allowShortage } = values;
  const left = count.pets - count.counted;
  const zero = missing === 'zero' && left > 0 ? `; ${pluralize(left, 'pet')} not counted will have none` : '';
  // Without a terminal there is no question, except before pets that were not counted are set to 0.
  if (!canAsk(io, settings) && missing !== 'zero') return;
  if (!isForPeople(settings.format)) return confirm(`Close count ${count.id}${zero}?`, values);
  const { items, total = 0 } = await call(previewCount, {
    countId: count.id,
    missing,
    allowShortage: allowShortage === true,
    limit: maximumShown,
    count: true,
  });
  await writeTable(context, chosenColumns(countChangeColumns, undefined, 'table'), items);
  if (total > items.length) await note(`… and ${total - items.length} more.`);
  if (missing === 'keep' && left > 0) await note(`${pluralize(left, 'pet')} not counted ${left === 1 ? 'keeps its' : 'keep their'} stock.`);
  await confirm(`Close count ${count.id} and change ${pluralize(total, 'pet')}${zero}?`, values);
}

function sentenceOf({ id, changed, unchanged, rejected }: Closed, verb: VerbForm): string {
  const kept = rejected === 0 ? '' : `, ${rejected} not changed`;
  return `${verb('Closed', 'Would close')} count ${id}: ${pluralize(changed, 'pet')} changed, ${unchanged} as expected${kept}`;
}

/** The command `count close`. */
export const countClose: Command = command({
  path: ['count', 'close'],
  summary: 'end a count and change the stock by what it found',
  arguments: { count: countArgument },
  flags,
  operations: [closeCount, previewCount],
  exits: ['count_not_found', 'confirmation_required', 'cancelled', 'partial_failure'],
  columns: countColumns,
  mutates: true,
  run: async (context, { count, ...values }) => {
    const { call } = await context.shop();
    const found = await requestedCount(call, count, 'close');
    if (values.key === undefined) checkCountIsOpen(found);
    const { dryRun, yes } = values;
    const closing = { context, call, count: found, values };
    if (dryRun !== true && yes !== true) await confirmClose(closing);
    const closed = await close(closing, callOptions(context, values));
    if (closed.refused.length > 0) await writeRefused(context, closed);
    await showChange(context, { columns: countColumns, record: (row: Closed) => row, rows: [closed], sentence: sentenceOf, dryRun });
    if (dryRun !== true && closed.batchId !== undefined && closed.changed > 0)
      await context.note(`Undo: ${commandForShop(['inventory', 'undo', String(closed.batchId)], context)}`);
    if (closed.rejected > 0) return exitCodes.partial_failure;
  },
  examples: ['petstore count close', 'petstore count close 3 --missing zero --yes', 'petstore count close 3 --keep-going --dry-run'],
});

/** The command `count cancel`. */
export const countCancel: Command = command({
  path: ['count', 'cancel'],
  summary: 'end a count without changing the stock',
  arguments: { count: countArgument },
  flags: mutationFlags,
  operations: [cancelCount],
  exits: ['confirmation_required', 'cancelled'],
  columns: countColumns,
  mutates: true,
  run: async (context, { count, ...mutation }) => {
    const { call } = await context.shop();
    const found = await requestedCount(call, count, 'cancel');
    if (mutation.key === undefined) checkCountIsOpen(found);
    await makeChange(context, mutation, {
      columns: countColumns,
      make: (options) => call(cancelCount, { countId: found.id }, options),
      question: () => `Cancel count ${found.id} (${progressText(found)})? Its lines cannot be applied afterwards.`,
      sentence: ({ id }, verb) => `${verb('Cancelled', 'Would cancel')} count ${id}`,
    });
  },
  examples: ['petstore count cancel 3', 'petstore count cancel --yes'],
});
