import { StoreError } from '../../domain/errors.js';
import { ledgerKind, listLedger, type LedgerEntry } from '../../domain/ledger.js';
import { maximumPage } from '../../domain/page.js';
import type { Shop } from '../../domain/shop.js';
import type { Command, Context } from '../command.js';
import { listCommand, terminalRows } from '../list-command.js';
import { flag, idOf, instantAt, repeatedChoice, repeatedFlag, toggle, type FlagValues } from '../flags.js';
import { chosen, relativeTime, writeGrowingTable, writeIds, writeRows, type Columns } from '../view.js';

function signed(delta: number | undefined): string {
  return delta === undefined ? '' : delta > 0 ? `+${delta}` : String(delta);
}

/** The columns of the ledger. */
export const ledgerColumns: Columns<LedgerEntry> = {
  all: [
    { name: 'id', value: ({ id }) => id, numeric: true },
    { name: 'at', value: ({ at }) => at, text: ({ at }, now) => relativeTime(at, now) },
    { name: 'actor', value: ({ actor }) => actor },
    { name: 'source', value: ({ source }) => source },
    { name: 'kind', value: ({ kind }) => kind },
    { name: 'pet', value: ({ petId }) => petId, numeric: true },
    { name: 'order', value: ({ orderId }) => orderId, numeric: true },
    { name: 'category', value: ({ categoryId }) => categoryId, numeric: true },
    { name: 'petId', value: ({ petId }) => petId, numeric: true },
    { name: 'orderId', value: ({ orderId }) => orderId, numeric: true },
    { name: 'categoryId', value: ({ categoryId }) => categoryId, numeric: true },
    {
      name: 'delta',
      value: ({ delta }) => delta,
      text: ({ delta }) => signed(delta),
      numeric: true,
      colour: ({ delta = 0 }) => (delta < 0 ? 'red' : delta > 0 ? 'green' : undefined),
    },
    { name: 'quantityAfter', value: ({ quantityAfter }) => quantityAfter, numeric: true },
    { name: 'batchId', value: ({ batchId }) => batchId, numeric: true },
    { name: 'line', value: ({ line }) => line, numeric: true },
    { name: 'reverses', value: ({ reverses }) => reverses, numeric: true },
    { name: 'note', value: ({ note }) => note },
  ],
  shown: ['id', 'at', 'actor', 'kind', 'pet', 'order', 'delta', 'quantityAfter', 'note'],
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

/** What a column has room for although none of the first entries needs it. */
const usual = { id: '99999', at: 'just now', kind: 'order.cancelled', pet: '999', order: '999', delta: '-99', note: 'a word or two about it' };

async function follow({ io, settings, paint, shop }: Context, asked: Asked & { readonly limit?: number | undefined }): Promise<void> {
  const format = settings.format ?? (io.stdout.isTerminal ? 'table' : 'tsv');
  if (format === 'count') throw new StoreError('usage', '--follow goes on and on, so there is nothing to count.');
  const columns = chosen(ledgerColumns, settings.fields, format);
  const rows = newestAndOn(await shop(), filterOf(asked, settings.givenActor), asked.limit ?? terminalRows);
  if (format === 'ids') return writeIds(io.stdout, ledgerColumns, rows);
  if (format === 'table') return writeGrowingTable(io.stdout, columns, rows, { paint, now: io.now, usual });
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
});

/** The command of the ledger. */
export const logCommands: readonly Command[] = [
  {
    ...list,
    flags: { ...list.flags, follow: toggle('--follow', 'go on with what is written, until Ctrl-C') },
    run: async (context, words, { follow: goesOn, ...asked }) => (goesOn === true ? follow(context, asked as Asked) : list.run(context, words, asked)),
  },
];
