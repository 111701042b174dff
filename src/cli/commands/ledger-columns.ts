import type { NamedEntry } from '../../domain/ledger/named-entry.js';
import { signed } from '../output/numbers.js';
import { followedTime } from '../output/time-text.js';
import { columnsOf, type Columns } from '../output/view.js';

/** A line of the log: an entry, or all entries of an import. */
export type NamedLine = Omit<NamedEntry, 'kind'> & { readonly kind: string };

const idText = (id: number | undefined): string => (id === undefined ? '' : String(id));

const columns = columnsOf<NamedLine>(
  {
    id: { heading: 'ID', leaveOut: 5, usual: '99999', numeric: true },
    at: { heading: 'When', usual: 'today 22:17', time: true },
    actor: { heading: 'By', least: 6 },
    source: { heading: 'Via' },
    kind: { heading: 'Kind', least: 12, usual: 'order.cancelled' },
    pet: {
      heading: 'Pet',
      least: 10,
      usual: 'Guppy (13)',
      value: ({ petId }) => petId,
      text: ({ petName, petId }) => petName ?? idText(petId),
      idAfter: ({ petName, petId }) => (petName === undefined ? undefined : petId),
    },
    order: { heading: 'Order', leaveOut: 2, onlyFilled: true, usual: '999', value: ({ orderId }) => orderId, numeric: true },
    category: {
      heading: 'Category',
      least: 8,
      leaveOut: 1,
      onlyFilled: true,
      value: ({ categoryId }) => categoryId,
      text: ({ categoryName, categoryId }) => categoryName ?? idText(categoryId),
    },
    petId: { heading: 'Pet ID', numeric: true },
    petName: { heading: 'Pet name' },
    orderId: { heading: 'Order ID', numeric: true },
    categoryId: { heading: 'Category ID', numeric: true },
    categoryName: { heading: 'Category name' },
    delta: {
      heading: 'Change',
      leaveOut: 6,
      usual: '-99',
      text: ({ delta }) => signed(delta),
      numeric: true,
      colour: ({ delta = 0 }) => (delta < 0 ? 'red' : delta > 0 ? 'green' : undefined),
    },
    quantityAfter: { heading: 'On hand', leaveOut: 3, numeric: true },
    batchId: { heading: 'Batch', numeric: true },
    countId: { heading: 'Count', leaveOut: 1, onlyFilled: true, usual: '99', numeric: true },
    line: { heading: 'Line', numeric: true },
    reverses: { heading: 'Reverses', numeric: true },
    undoneBy: { heading: 'Undone by', numeric: true },
    previous: { heading: 'Previous' },
    current: { heading: 'Current' },
    note: { heading: 'Note', least: 12, leaveOut: 4, onlyFilled: true, usual: 'a word or two about it' },
  },
  {
    shown: ['id', 'at', 'actor', 'kind', 'pet', 'order', 'delta', 'quantityAfter', 'note'],
    table: ['id', 'at', 'actor', 'kind', 'pet', 'category', 'order', 'countId', 'delta', 'quantityAfter', 'note'],
  },
);

/** The columns of the ledger. JSON has ids, not what a table shows for them. */
export const ledgerColumns: Columns<NamedLine> = { ...columns, json: columns.json.filter((name) => !['pet', 'order', 'category'].includes(name)) };

/** The columns of a ledger that is followed: with seconds, and without "today", which would stay on the screen. */
export const followedColumns: Columns<NamedLine> = {
  ...ledgerColumns,
  all: ledgerColumns.all.map((column) =>
    column.name === 'at' ? { ...column, usual: '22:17:05', text: ({ at }: NamedLine, now, zone) => followedTime(at, now, zone) } : column,
  ),
};
