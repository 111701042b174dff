import { completeFiles } from '../completion/completers.js';
import { followedColumns, ledgerColumns } from './ledger-columns.js';
import { StoreError } from '../../domain/errors.js';
import type { LedgerPosition } from '../../domain/ledger/ledger-position.js';
import { listLedger } from '../../domain/ledger/list-ledger.js';
import type { Shop } from '../../domain/shop.js';
import type { Command, Context } from '../command.js';
import { listCommand, terminalRows, zoneOfRange } from '../list-command.js';
import { flag, readFlags, toggle, type FlagValues } from '../flags.js';
import { nameText } from '../readers.js';
import {
  batchLines,
  filterOf,
  logFilterFlags,
  positionOf,
  readEntries,
  savedPosition,
  savePosition,
  type Filter,
  type LogFlags,
  type LogStart,
} from './log-reader.js';
import type { NamedLine } from './ledger-columns.js';
import { chosenColumns, formatOfResult, writeGrowingTable, writeIds, writeRows } from '../output/view.js';

/** Reads from the newest entries on, again from the newest ones when a failover or a recovery removed the last ones. */
async function* followAlways(shop: Shop, filter: Filter, newest: number, note: Context['note']): ReturnType<typeof readEntries> {
  for (;;) {
    try {
      yield* readEntries(shop, filter, { newest }, true);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'cursor_expired') throw error;
      await note('The shop went back to an earlier state. Its newest entries are:');
    }
  }
}

/** Whether the output has the names of pets and categories, which take the shop another read. */
function showsNames(context: Pick<Context, 'io' | 'settings'>): boolean {
  const format = formatOfResult(context);
  return format === 'table' || chosenColumns(ledgerColumns, context.settings.fields, format).some(({ name }) => name === 'petName' || name === 'categoryName');
}

async function writeEntries(context: Context, entries: AsyncIterable<readonly NamedLine[]>, follows: boolean): Promise<void> {
  const { io, settings, globalFlags } = context;
  const format = formatOfResult(context);
  if (format === 'count') throw new StoreError('usage', 'A log that is followed, or read from a position, has no format count.');
  const columns = chosenColumns(follows ? followedColumns : ledgerColumns, settings.fields, format);
  if (format === 'ids') return writeIds(io.stdout, ledgerColumns, entries);
  if (format === 'table') return writeGrowingTable(context, columns, entries);
  // The JSON array of a list that never ends could not be closed.
  const out = follows ? (io.stdout.lineByLine ?? io.stdout) : io.stdout;
  return writeRows(out, follows && format === 'json' ? 'ndjson' : format, columns, entries, { header: globalFlags.header });
}

const readerFlags = {
  follow: toggle({ long: 'follow', summary: 'print new entries as they are written, until Ctrl-C' }),
  after: flag({ long: 'after', value: 'entry', summary: 'print everything after this entry; 0 for the whole ledger', read: positionOf }),
  cursorFile: flag({
    long: 'cursor-file',
    value: 'file',
    summary: 'go on where the last run with this file stopped, and keep the position in it',
    read: nameText,
    complete: completeFiles,
  }),
  new: toggle({ long: 'new', summary: 'with a cursor file that does not exist: start now, not at the beginning' }),
  batches: toggle({ long: 'batches', summary: 'print an import as one line with its totals' }),
};

type ReaderFlags = LogFlags & FlagValues<typeof readerFlags> & { readonly limit?: number | undefined };

function refuse(sentence: string): never {
  throw new StoreError('usage', sentence);
}

/** Refuses flags that exclude each other with `usage`. */
function checkFlags({ after, cursorFile, since, until, limit, follow, new: startsNow, batches }: Partial<ReaderFlags>, isFiltered: boolean): void {
  if ((after ?? cursorFile) === undefined) {
    if ((startsNow ?? batches) === true) refuse('--new and --batches go with --after or --cursor-file.');
    if (until !== undefined) refuse('--follow never ends, so it takes no --until.');
    return;
  }
  if (after !== undefined && cursorFile !== undefined) refuse('Give --after or --cursor-file, not both.');
  if ((since ?? until) !== undefined) refuse('--after and --cursor-file exclude --since and --until.');
  if (follow === true && limit !== undefined) refuse('--follow with a position takes no --limit.');
  if (cursorFile !== undefined && isFiltered) refuse('--cursor-file excludes --jq; pipe the output to jq.');
}

/** Follows the ledger, or prints what was written after a position; with a cursor file it keeps the position of what was printed. */
async function readLog(context: Context, values: ReaderFlags): Promise<void> {
  const { after, cursorFile, batches, limit } = values;
  const isFiltered = context.globalFlags.jq !== undefined;
  checkFlags(values, isFiltered);
  const follows = values.follow === true;
  // The output of jq and an array are complete at the end only.
  const savesEach = follows || (formatOfResult(context) !== 'json' && !isFiltered);
  const saved = cursorFile === undefined ? after : savedPosition(cursorFile, context.settings.store);
  const opened = await context.shop();
  const names = showsNames(context);
  const filter = { ...(await filterOf(values, context.settings.givenActor, opened.call)), names };
  const linesOf = batches === true ? batchLines(opened.call) : undefined;
  const start: LogStart = saved === undefined && values.new === true ? { newest: 0 } : { after: saved ?? { id: 0 }, limit };
  const isRead = (after ?? cursorFile) !== undefined;
  const read = isRead ? readEntries(opened, filter, start, follows) : followAlways(opened, filter, limit ?? terminalRows, context.note);
  let printed: LedgerPosition | undefined;
  const save = (): void => {
    if (cursorFile !== undefined && printed !== undefined) savePosition(cursorFile, printed);
  };
  async function* lines(): AsyncGenerator<readonly NamedLine[], void> {
    for await (const { entries, position } of read) {
      // Without entries at first, so that a table begins with its headings.
      if (entries.length > 0 || printed === undefined) yield linesOf === undefined ? entries : await linesOf(entries);
      // It goes on when the entries were written.
      printed = position;
      if (savesEach) save();
    }
  }
  await writeEntries(context, lines(), follows);
  save();
}

const list = listCommand({
  path: ['log'],
  summary: 'show the ledger, oldest first',
  flags: logFilterFlags,
  operation: listLedger,
  input: async (values, call, context) => ({
    ...(await filterOf(values, context.settings.givenActor, call)),
    ...zoneOfRange(values.since, values.until, context.zone),
    names: showsNames(context),
  }),
  columns: ledgerColumns,
  tail: (values) => ({ ...values, sort: '-id' }),
  // It has --follow instead.
  watches: false,
  examples: [
    'petstore log',
    'petstore log --pet 7',
    'petstore log --order 12 --json',
    'petstore log --since 2026-11-20 --kind sale',
    'petstore log --actor ana',
    'petstore log --cursor-file mirror.cursor --format ndjson',
  ],
});

/** The command `log`. */
export const logCommand: Command = {
  ...list,
  flags: { ...list.flags, ...readerFlags },
  run: async (context, words, flagTexts) => {
    const { follow, after, cursorFile, new: startsNow, batches, ...others } = flagTexts;
    if ((follow ?? after ?? cursorFile ?? startsNow ?? batches) === undefined) return list.run(context, words, others);
    return readLog(context, readFlags(logCommand.flags, flagTexts, { now: context.io.now(), zone: context.zone }) as ReaderFlags);
  },
};
