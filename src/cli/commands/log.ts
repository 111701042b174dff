import { completeFiles } from '../completion/completers.js';
import { followedColumns, ledgerColumns } from './ledger-columns.js';
import { StoreError } from '../../domain/errors.js';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.js';
import { positionAfter, type LedgerPosition } from '../../domain/ledger/ledger-position.js';
import { listLedger } from '../../domain/ledger/list-ledger.js';
import { maximumPage } from '../../domain/values/pages.js';
import type { Shop } from '../../domain/shop.js';
import type { Command, Context } from '../command.js';
import { listCommand, terminalRows, zoneOfRange } from '../list-command.js';
import { flag, readFlags, toggle, type FlagValues } from '../flags.js';
import { nameText } from '../readers.js';
import {
  filterOf,
  logFilterFlags,
  matcherOf,
  type Filter,
  type LogFlags,
  batchLines,
  positionOf,
  readAfter,
  savedPosition,
  savePosition,
} from './log-reader.js';
import { withNames, type NamedLine } from '../output/ledger-names.js';
import { chosenColumns, formatOfResult, writeGrowingTable, writeIds, writeRows } from '../output/view.js';

/** The newest entries, then new ones as they are written. Refuses with `cursor_expired` when the ledger no longer has the last one. */
async function* followFromNewest(shop: Shop, filter: Filter, limit: number): AsyncGenerator<readonly LedgerEntry[], void> {
  const newest = await shop.call(listLedger, { sort: '-id', limit: 1 });
  const { items } = await shop.call(listLedger, { ...filter, sort: '-id', limit: Math.min(limit, maximumPage) });
  yield items.toReversed();
  const wanted = matcherOf(filter);
  // Entries that were written between the two reads are in the list already.
  const last = [newest.items[0], items[0]].reduce((one, other) => ((other?.id ?? 0) > (one?.id ?? 0) ? other : one));
  for await (const entries of shop.follow(positionAfter(last))) {
    const matching = entries.filter(wanted);
    if (matching.length > 0) yield matching;
  }
}

/** Follows from the newest entries, again from the newest ones when a failover or a recovery removed the last ones. */
async function* followAlways(shop: Shop, filter: Filter, limit: number, note: Context['note']): AsyncGenerator<readonly LedgerEntry[], void> {
  for (;;) {
    try {
      yield* followFromNewest(shop, filter, limit);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'cursor_expired') throw error;
      await note('The shop went back to an earlier state. Its newest entries are:');
    }
  }
}

async function* addNames({ call }: Shop, chunks: AsyncIterable<readonly NamedLine[]>): AsyncGenerator<readonly NamedLine[], void> {
  for await (const entries of chunks) yield await withNames(call, entries);
}

async function writeEntries(context: Context, opened: Shop, entries: AsyncIterable<readonly NamedLine[]>, follows: boolean): Promise<void> {
  const { io, settings, globalFlags } = context;
  const format = formatOfResult(context);
  if (format === 'count') throw new StoreError('usage', 'A log that is followed, or read from a position, has no format count.');
  const columns = chosenColumns(follows ? followedColumns : ledgerColumns, settings.fields, format);
  if (format === 'ids') return writeIds(io.stdout, ledgerColumns, entries);
  if (format === 'table') return writeGrowingTable(context, columns, addNames(opened, entries));
  // The JSON array of a list that never ends could not be closed.
  const out = follows ? (io.stdout.lineByLine ?? io.stdout) : io.stdout;
  return writeRows(out, follows && format === 'json' ? 'ndjson' : format, columns, entries, { header: globalFlags.header });
}

async function follow(context: Context, values: LogFlags & { readonly limit?: number | undefined }): Promise<void> {
  if (values.until !== undefined) throw new StoreError('usage', '--follow never ends, so it takes no --until.');
  const opened = await context.shop();
  const filter = await filterOf(values, context.settings.givenActor, opened.call);
  await writeEntries(context, opened, followAlways(opened, filter, values.limit ?? terminalRows, context.note), true);
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

/** Prints what was written after a position; with a cursor file it keeps the position of what was printed. */
async function readFrom(context: Context, values: ReaderFlags): Promise<void> {
  const { after, cursorFile, batches, limit, since, until } = values;
  const follows = values.follow === true;
  if (after !== undefined && cursorFile !== undefined) throw new StoreError('usage', 'Give --after or --cursor-file, not both.');
  if ((since ?? until) !== undefined) throw new StoreError('usage', '--after and --cursor-file exclude --since and --until.');
  if (follows && limit !== undefined) throw new StoreError('usage', '--follow with a position takes no --limit.');
  const format = formatOfResult(context);
  // The output of jq and an array are complete at the end only.
  const isPartial = !follows && format !== 'json' && context.globalFlags.jq === undefined;
  if (cursorFile !== undefined && context.globalFlags.jq !== undefined) throw new StoreError('usage', '--cursor-file excludes --jq; pipe the output to jq.');
  const saved = cursorFile === undefined ? after : savedPosition(cursorFile);
  const opened = await context.shop();
  const filter = await filterOf(values, context.settings.givenActor, opened.call);
  const linesOf = batches === true ? batchLines(opened.call) : undefined;
  let printed: LedgerPosition | undefined;
  const save = (): void => {
    if (cursorFile !== undefined && printed !== undefined) savePosition(cursorFile, printed);
  };
  async function* lines(): AsyncGenerator<readonly NamedLine[], void> {
    const start = saved ?? (values.new === true ? 'newest' : { id: 0 });
    for await (const { entries, position } of readAfter(opened, filter, { after: start, limit, follows, matches: matcherOf(filter) })) {
      if (entries.length > 0) yield linesOf === undefined ? entries : await linesOf(entries);
      // It goes on when the entries were written.
      printed = position;
      if (follows || isPartial) save();
    }
  }
  await writeEntries(context, opened, lines(), follows);
  save();
}

const list = listCommand({
  path: ['log'],
  summary: 'show the ledger, oldest first',
  flags: logFilterFlags,
  operation: listLedger,
  input: async (values, call, { settings, zone }) => ({
    ...(await filterOf(values, settings.givenActor, call)),
    ...zoneOfRange(values.since, values.until, zone),
  }),
  columns: ledgerColumns,
  added: { isNeeded: (_, format) => format === 'table', add: withNames },
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
    const { follow: follows, after, cursorFile, new: startsNow, batches, ...others } = flagTexts;
    const isRead = (after ?? cursorFile) !== undefined;
    if (!isRead && (startsNow ?? batches) === true) throw new StoreError('usage', '--new and --batches go with --after or --cursor-file.');
    if (!isRead && follows !== true) return list.run(context, words, others);
    const values = readFlags(logCommand.flags, flagTexts, { now: context.io.now(), zone: context.zone });
    return isRead ? readFrom(context, values as ReaderFlags) : follow(context, values as LogFlags);
  },
};
