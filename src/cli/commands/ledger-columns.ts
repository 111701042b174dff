import type { NamedLine } from '../output/ledger-names.js';
import { signed } from '../output/numbers.js';
import { followedTime, listTime } from '../output/time-text.js';
import type { Columns } from '../output/view.js';

const idText = (id: number | undefined): string => (id === undefined ? '' : String(id));

/** The columns of the ledger. */
export const ledgerColumns: Columns<NamedLine> = {
  all: [
    { name: 'id', heading: 'ID', leaveOut: 5, usual: '99999', value: ({ id }) => id, numeric: true },
    { name: 'at', heading: 'When', usual: 'today 22:17', value: ({ at }) => at, text: ({ at }, now, zone) => listTime(at, now, zone) },
    { name: 'actor', heading: 'By', least: 6, value: ({ actor }) => actor },
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
      leaveOut: 6,
      usual: '-99',
      value: ({ delta }) => delta,
      text: ({ delta }) => signed(delta),
      numeric: true,
      colour: ({ delta = 0 }) => (delta < 0 ? 'red' : delta > 0 ? 'green' : undefined),
    },
    { name: 'quantityAfter', heading: 'On hand', leaveOut: 3, value: ({ quantityAfter }) => quantityAfter, numeric: true },
    { name: 'batchId', heading: 'Batch', value: ({ batchId }) => batchId, numeric: true },
    { name: 'countId', heading: 'Count', leaveOut: 1, onlyFilled: true, usual: '99', value: ({ countId }) => countId, numeric: true },
    { name: 'line', heading: 'Line', value: ({ line }) => line, numeric: true },
    { name: 'reverses', heading: 'Reverses', value: ({ reverses }) => reverses, numeric: true },
    { name: 'undoneBy', heading: 'Undone by', value: ({ undoneBy }) => undoneBy, numeric: true },
    {
      name: 'previous',
      heading: 'Previous',
      value: ({ previous }) => previous,
      text: ({ previous }) => (previous === undefined ? '' : JSON.stringify(previous)),
    },
    {
      name: 'current',
      heading: 'Current',
      value: ({ current }) => current,
      text: ({ current }) => (current === undefined ? '' : JSON.stringify(current)),
    },
    { name: 'note', heading: 'Note', least: 12, leaveOut: 4, onlyFilled: true, usual: 'a word or two about it', value: ({ note }) => note },
  ],
  shown: ['id', 'at', 'actor', 'kind', 'pet', 'order', 'delta', 'quantityAfter', 'note'],
  table: ['id', 'at', 'actor', 'kind', 'pet', 'category', 'order', 'countId', 'delta', 'quantityAfter', 'note'],
  json: [
    'id',
    'at',
    'actor',
    'source',
    'kind',
    'petId',
    'orderId',
    'categoryId',
    'delta',
    'quantityAfter',
    'batchId',
    'countId',
    'line',
    'reverses',
    'undoneBy',
    'previous',
    'current',
    'note',
  ],
  id: 'id',
};

/** The columns of a ledger that is followed: with seconds, and without "today", which would stay on the screen. */
export const followedColumns: Columns<NamedLine> = {
  ...ledgerColumns,
  all: ledgerColumns.all.map((column) =>
    column.name === 'at' ? { ...column, usual: '22:17:05', text: ({ at }: NamedLine, now, zone) => followedTime(at, now, zone) } : column,
  ),
};
