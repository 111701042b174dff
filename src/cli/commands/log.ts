import { ledgerKind, listLedger, type LedgerEntry } from '../../domain/ledger.js';
import { type Command } from '../command.js';
import { listCommand } from '../list-command.js';
import { choice, flag, idOf, instantAt } from '../flags.js';
import { relativeTime, type Columns } from '../view.js';

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

/** The command of the ledger. */
export const logCommands: readonly Command[] = [
  listCommand({
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
    flags: {
      pet: flag('--pet <id>', 'only entries of this pet', idOf('pet')),
      order: flag('--order <id>', 'only entries of this order', idOf('order')),
      batch: flag('--batch <id>', 'only entries of this bulk import', idOf('batch')),
      kind: choice('--kind <kind>', 'only entries of this kind', ledgerKind.options),
      since: flag('--since <time>', 'only entries from this day or time on', instantAt('start')),
      until: flag('--until <time>', 'only entries up to this day or time', instantAt('end')),
    },
    input: ({ pet, order, batch, kind, since, until }, _, { givenActor }) => ({
      petId: pet,
      orderId: order,
      batchId: batch,
      actor: givenActor,
      kind: kind && [kind],
      since,
      until,
    }),
    tail: (asked) => ({ ...asked, sort: '-id' }),
  }),
];
