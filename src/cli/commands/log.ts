import { completeRecords } from '../completion/completers.js';
import { followedColumns, ledgerColumns } from './ledger-columns.js';
import { StoreError } from '../../domain/errors.js';
import { ledgerKind, type LedgerEntry } from '../../domain/ledger/ledger-entry.js';
import { positionAfter } from '../../domain/ledger/ledger-position.js';
import { findPets } from '../../domain/pets/find-pet.js';
import type { Call } from '../../domain/call.js';
import { listLedger } from '../../domain/ledger/list-ledger.js';
import { maximumPage } from '../../domain/values/pages.js';
import type { Shop } from '../../domain/shop.js';
import type { Command, Context } from '../command.js';
import { listCommand, terminalRows, zoneOfRange } from '../list-command.js';
import { repeatedChoice, repeatedFlag, resolvedFlags, timeFlag, toggle, type FlagValues } from '../flags.js';
import { idOf, petText } from '../readers.js';
import { withNames, type NamedEntry } from '../output/ledger-names.js';
import { chosenColumns, formatOfResult, writeGrowingTable, writeIds, writeRows } from '../output/view.js';

const flags = {
  pet: repeatedFlag({
    long: 'pet',
    value: 'pet',
    summary: 'only entries of this pet, by id or name; may be repeated',
    isMeantBy: () => true,
    read: petText,
    complete: completeRecords('pet'),
  }),
  order: repeatedFlag({
    long: 'order',
    value: 'id',
    summary: 'only entries of this order; may be repeated',
    read: idOf('order'),
    complete: completeRecords('order'),
  }),
  batch: repeatedFlag({
    long: 'batch',
    value: 'id',
    summary: 'only entries of this bulk import; may be repeated',
    read: idOf('batch'),
    complete: completeRecords('batch'),
  }),
  kind: repeatedChoice({ long: 'kind', value: 'kind', summary: 'only entries of this kind, such as sale; may be repeated', choices: ledgerKind.options }),
  since: timeFlag('start', { long: 'since', summary: 'only entries at or after this day or time' }),
  until: timeFlag('end', { long: 'until', summary: 'only entries at or before this day or time' }),
};

type LogFlags = FlagValues<typeof flags>;

async function filterOf({ pet, order, batch, kind, since, until }: LogFlags, actor: string | undefined, call: Call) {
  const petId = pet && (await findPets(call, pet));
  return { petId, orderId: order && [...order], batchId: batch && [...batch], actor, kind: kind && [...kind], since, until };
}

type Filter = Awaited<ReturnType<typeof filterOf>>;

function allows<T>(wanted: readonly T[] | undefined, found: T | undefined): boolean {
  return wanted === undefined || (found !== undefined && wanted.includes(found));
}

/** Whether a new entry matches the filter. Times are not compared: a new entry is later than --since, and --until is refused. */
function matcherOf({ petId, orderId, batchId, actor, kind }: Filter): (entry: LedgerEntry) => boolean {
  return (entry) =>
    allows(petId, entry.petId) &&
    allows(orderId, entry.orderId) &&
    allows(batchId, entry.batchId) &&
    allows(actor === undefined ? undefined : [actor], entry.actor) &&
    allows(kind, entry.kind);
}

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

/** Adds the names of pets and categories to entries. */
async function* addNames({ call }: Shop, chunks: AsyncIterable<readonly LedgerEntry[]>): AsyncGenerator<readonly NamedEntry[], void> {
  for await (const entries of chunks) yield await withNames(call, entries);
}

async function follow(context: Context, values: LogFlags & { readonly limit?: number | undefined }): Promise<void> {
  const { io, settings, globalFlags, shop, note } = context;
  const format = formatOfResult(context);
  if (format === 'count') throw new StoreError('usage', '--follow never ends, so it cannot count.');
  if (values.until !== undefined) throw new StoreError('usage', '--follow never ends, so it takes no --until.');
  const columns = chosenColumns(followedColumns, settings.fields, format);
  const opened = await shop();
  const rows = followAlways(opened, await filterOf(values, settings.givenActor, opened.call), values.limit ?? terminalRows, note);
  if (format === 'ids') return writeIds(io.stdout, ledgerColumns, rows);
  if (format === 'table') return writeGrowingTable(context, columns, addNames(opened, rows));
  // A JSON array could not be closed: the list never ends.
  return writeRows(io.stdout.lineByLine ?? io.stdout, format === 'json' ? 'ndjson' : format, columns, rows, { header: globalFlags.header });
}

const list = listCommand({
  path: ['log'],
  summary: 'show the ledger, oldest first',
  flags,
  operation: listLedger,
  input: async (values, call, { settings, zone }) => ({
    ...(await filterOf(values, settings.givenActor, call)),
    ...zoneOfRange(values.since, values.until, zone),
  }),
  columns: ledgerColumns,
  withNames,
  tail: (values) => ({ ...values, sort: '-id' }),
  // It has --follow instead.
  watches: false,
  examples: [
    'petstore log',
    'petstore log --pet 7',
    'petstore log --order 12 --json',
    'petstore log --since 2026-11-20 --kind sale',
    'petstore log --actor ana',
  ],
});

/** The command `log`. */
export const logCommand: Command = {
  ...list,
  flags: { ...list.flags, follow: toggle({ long: 'follow', summary: 'print new entries as they are written, until Ctrl-C' }) },
  run: async (context, words, { follow: goesOn, ...values }) =>
    goesOn === true
      ? follow(
          context,
          resolvedFlags(flags, values, () => ({ now: context.io.now(), zone: context.zone, note: (line) => void context.note(line) })) as LogFlags,
        )
      : list.run(context, words, values),
};
