import { StoreError } from '../../domain/errors.js';
import { ledgerKind, type LedgerEntry } from '../../domain/ledger/ledger-entry.js';
import { listLedger } from '../../domain/ledger/list-ledger.js';
import { maximumPage } from '../../domain/values/pages.js';
import type { Shop } from '../../domain/shop.js';
import type { Command, Context } from '../command.js';
import { listCommand, terminalRows } from '../list-command.js';
import { flag, idOf, instantAt, repeatedChoice, repeatedFlag, toggle, type FlagValues } from '../flags.js';
import { withNames, type NamedEntry } from '../output/ledger-names.js';
import { chosen, relativeTime, writeGrowingTable, writeIds, writeRows, type Columns } from '../output/view.js';

function signed(delta: number | undefined): string {
  return delta === undefined ? '' : delta > 0 ? `+${delta}` : String(delta);
}

const idText = (id: number | undefined): string => (id === undefined ? '' : String(id));

/** The columns of the ledger. */
export const ledgerColumns: Columns<NamedEntry> = {
  all: [
    { name: 'id', heading: 'ID', usual: '99999', value: ({ id }) => id, numeric: true },
    { name: 'at', heading: 'When', leaveOut: 6, usual: 'just now', value: ({ at }) => at, text: ({ at }, now) => relativeTime(at, now) },
    { name: 'actor', heading: 'By', least: 8, leaveOut: 4, value: ({ actor }) => actor },
    { name: 'source', heading: 'Via', value: ({ source }) => source },
    { name: 'kind', heading: 'Kind', least: 12, usual: 'order.cancelled', value: ({ kind }) => kind },
    {
      name: 'pet',
      heading: 'Pet',
      least: 10,
      usual: 'Guppy (13)',
      value: ({ petId }) => petId,
      text: ({ petName, petId }) => petName ?? idText(petId),
      idAfter: ({ petName, petId }) => (petName === undefined ? undefined : petId),
    },
    { name: 'order', heading: 'Order', leaveOut: 2, onlyFilled: true, usual: '999', value: ({ orderId }) => orderId, numeric: true },
    {
      name: 'category',
      heading: 'Category',
      least: 8,
      leaveOut: 1,
      onlyFilled: true,
      value: ({ categoryId }) => categoryId,
      text: ({ categoryName, categoryId }) => categoryName ?? idText(categoryId),
    },
    { name: 'petId', heading: 'Pet ID', value: ({ petId }) => petId, numeric: true },
    { name: 'orderId', heading: 'Order ID', value: ({ orderId }) => orderId, numeric: true },
    { name: 'categoryId', heading: 'Category ID', value: ({ categoryId }) => categoryId, numeric: true },
    {
      name: 'delta',
      heading: 'Change',
      usual: '-99',
      value: ({ delta }) => delta,
      text: ({ delta }) => signed(delta),
      numeric: true,
      colour: ({ delta = 0 }) => (delta < 0 ? 'red' : delta > 0 ? 'green' : undefined),
    },
    { name: 'quantityAfter', heading: 'On hand', leaveOut: 3, value: ({ quantityAfter }) => quantityAfter, numeric: true },
    { name: 'batchId', heading: 'Batch', value: ({ batchId }) => batchId, numeric: true },
    { name: 'line', heading: 'Line', value: ({ line }) => line, numeric: true },
    { name: 'reverses', heading: 'Reverses', value: ({ reverses }) => reverses, numeric: true },
    { name: 'note', heading: 'Note', least: 12, leaveOut: 5, onlyFilled: true, usual: 'a word or two about it', value: ({ note }) => note },
  ],
  shown: ['id', 'at', 'actor', 'kind', 'pet', 'order', 'delta', 'quantityAfter', 'note'],
  table: ['id', 'at', 'actor', 'kind', 'pet', 'category', 'order', 'delta', 'quantityAfter', 'note'],
  json: ['id', 'at', 'actor', 'source', 'kind', 'petId', 'orderId', 'categoryId', 'delta', 'quantityAfter', 'batchId', 'line', 'reverses', 'note'],
  id: 'id',
};

const flags = {
  pet: repeatedFlag('--pet <id>', 'only entries of this pet; may be repeated', idOf('pet')),
  order: repeatedFlag('--order <id>', 'only entries of this order; may be repeated', idOf('order')),
  batch: repeatedFlag('--batch <id>', 'only entries of this bulk import; may be repeated', idOf('batch')),
  kind: repeatedChoice('--kind <kind>', 'only entries of this kind; may be repeated', ledgerKind.options),
  since: flag('--since <time>', 'only entries from this day (UTC) or time on', instantAt('start')),
  until: flag('--until <time>', 'only entries up to this day (UTC) or time', instantAt('end')),
};

type Asked = FlagValues<typeof flags>;

function filterOf({ pet, order, batch, kind, since, until }: Asked, actor: string | undefined) {
  return { petId: pet && [...pet], orderId: order && [...order], batchId: batch && [...batch], actor, kind: kind && [...kind], since, until };
}

function agrees<T>(wanted: readonly T[] | undefined, found: T | undefined): boolean {
  return wanted === undefined || (found !== undefined && wanted.includes(found));
}

/** Whether an entry that was just written is one of those asked for; times need no look, since it is new. */
function isAsked({ petId, orderId, batchId, actor, kind }: ReturnType<typeof filterOf>): (entry: LedgerEntry) => boolean {
  return (entry) =>
    agrees(petId, entry.petId) &&
    agrees(orderId, entry.orderId) &&
    agrees(batchId, entry.batchId) &&
    agrees(actor === undefined ? undefined : [actor], entry.actor) &&
    agrees(kind, entry.kind);
}

/** The newest entries, then each as it is written. */
async function* newestAndOn(shop: Shop, filter: ReturnType<typeof filterOf>, limit: number): AsyncGenerator<readonly LedgerEntry[], void> {
  const newest = await shop.call(listLedger, { sort: '-id', limit: 1 });
  const { items } = await shop.call(listLedger, { ...filter, sort: '-id', limit: Math.min(limit, maximumPage) });
  yield items.toReversed();
  const wanted = isAsked(filter);
  // Whatever was written between the two looks is in the list already.
  for await (const entries of shop.follow(Math.max(newest.items[0]?.id ?? 0, items[0]?.id ?? 0))) {
    const news = entries.filter(wanted);
    if (news.length > 0) yield news;
  }
}

/** The same entries with names beside their ids, as they come. */
async function* namedAsTheyCome({ call }: Shop, chunks: AsyncIterable<readonly LedgerEntry[]>): AsyncGenerator<readonly NamedEntry[], void> {
  for await (const entries of chunks) yield await withNames(call, entries);
}

async function follow({ io, settings, paint, shop, note }: Context, asked: Asked & { readonly limit?: number | undefined }): Promise<void> {
  const format = settings.format ?? (io.stdout.isTerminal ? 'table' : 'tsv');
  if (format === 'count') throw new StoreError('usage', '--follow goes on and on, so there is nothing to count.');
  const columns = chosen(ledgerColumns, settings.fields, format);
  const opened = await shop();
  const rows = newestAndOn(opened, filterOf(asked, settings.givenActor), asked.limit ?? terminalRows);
  if (format === 'ids') return writeIds(io.stdout, ledgerColumns, rows);
  if (format === 'table') return writeGrowingTable(io.stdout, columns, namedAsTheyCome(opened, rows), { paint, now: io.now, note });
  // A JSON array would need its last row to be closed.
  return writeRows(io.stdout, format === 'json' ? 'ndjson' : format, columns, rows);
}

const list = listCommand({
  words: 'log',
  summary: 'show the ledger, oldest first; --actor picks one person',
  examples: [
    'petstore log',
    'petstore log --pet 7',
    'petstore log --order 12 --json',
    'petstore log --since 2026-11-20 --kind sale',
    'petstore log --actor ana',
  ],
  does: listLedger,
  columns: ledgerColumns,
  flags,
  input: (asked, _, { givenActor }) => filterOf(asked, givenActor),
  tail: (asked) => ({ ...asked, sort: '-id' }),
  named: withNames,
});

/** The command of the ledger. */
export const logCommands: readonly Command[] = [
  {
    ...list,
    flags: { ...list.flags, follow: toggle('--follow', 'go on with what is written, until Ctrl-C') },
    run: async (context, words, { follow: goesOn, ...asked }) => (goesOn === true ? follow(context, asked as Asked) : list.run(context, words, asked)),
  },
];
