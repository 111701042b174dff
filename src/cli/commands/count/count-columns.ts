import { hidesExpected, type Count, type CountState } from '../../../domain/counts/count.js';
import type { AddedLine } from '../../../domain/counts/count-line.js';
import type { CountChange } from '../../../domain/counts/count-change.js';
import type { CountPet } from '../../../domain/counts/count-pet.js';
import type { Paint } from '../../output/colours.js';
import { signed } from '../../output/numbers.js';
import { columnsOf } from '../../output/view.js';

const stateColours: Record<CountState, keyof Paint> = { open: 'green', closed: 'dim', cancelled: 'dim' };

/** The columns of counts. */
export const countColumns = columnsOf<Count, keyof Count>(
  {
    id: { heading: 'ID', numeric: true },
    state: { heading: 'State', dot: true, colour: ({ state }) => stateColours[state] },
    startedAt: { heading: 'Started', leaveOut: 4, time: true },
    startedBy: { heading: 'By', least: 8, leaveOut: 3 },
    pets: { heading: 'Pets', numeric: true },
    counted: { heading: 'Counted', numeric: true },
    agreeing: { heading: 'Agree', leaveOut: 2, text: (row) => (hidesExpected(row) ? '' : `${row.agreeing}`), numeric: true },
    differing: {
      heading: 'Differ',
      text: (row) => (hidesExpected(row) ? '' : `${row.differing}`),
      colour: ({ differing }) => (differing > 0 ? 'yellow' : undefined),
      numeric: true,
    },
    note: { heading: 'Note', least: 8, leaveOut: 1, onlyFilled: true },
    blind: { heading: 'Blind' },
    endedAt: { heading: 'Ended', time: true },
    endedBy: { heading: 'Ended by' },
    batchId: { heading: 'Batch', numeric: true },
  },
  { shown: ['id', 'state', 'startedAt', 'startedBy', 'pets', 'counted', 'agreeing', 'differing', 'note'] },
);

/** The columns of the pets of a count. */
export const countPetColumns = columnsOf<CountPet, keyof CountPet>(
  {
    petId: { heading: 'ID', numeric: true },
    name: { heading: 'Name', least: 8 },
    category: { heading: 'Category', least: 8, leaveOut: 2 },
    state: { heading: 'State' },
    counted: { heading: 'Counted', numeric: true },
    expected: { heading: 'Expected', numeric: true },
    difference: {
      heading: 'Difference',
      leaveOut: 3,
      text: ({ difference }) => signed(difference),
      colour: ({ difference = 0 }) => (difference === 0 ? undefined : 'yellow'),
      numeric: true,
    },
    onHand: { heading: 'On hand', numeric: true },
    countedBy: { heading: 'By', least: 6, leaveOut: 1 },
    countedAt: { heading: 'When', leaveOut: 4, time: true },
    lines: { heading: 'Lines', numeric: true },
    refused: { heading: 'Refused' },
  },
  { shown: ['petId', 'name', 'category', 'counted', 'expected', 'difference', 'countedBy', 'countedAt'] },
);

/** The columns of a table of the pets of an open blind count. */
export const blindPetColumns = ['petId', 'name', 'category', 'counted', 'countedBy', 'countedAt'] as const satisfies readonly (keyof CountPet)[];

/** The columns of the lines of a count. */
export const countLineColumns = columnsOf<AddedLine, keyof AddedLine>(
  {
    id: { heading: 'Line', numeric: true },
    petId: { heading: 'ID', numeric: true },
    name: { heading: 'Name', least: 8 },
    number: { heading: 'Number', numeric: true },
    adds: { heading: 'Adds' },
    countedSoFar: { heading: 'Counted so far', leaveOut: 1, numeric: true },
    stockChange: { heading: 'Stock change', text: ({ stockChange }) => signed(stockChange), numeric: true },
    onHand: { heading: 'Expected', numeric: true },
    by: { heading: 'By' },
    at: { heading: 'When', time: true },
    key: { heading: 'Key' },
    undone: { heading: 'Undone' },
    unchanged: { heading: 'Recorded before' },
  },
  { shown: ['id', 'petId', 'name', 'number', 'adds', 'countedSoFar'] },
);

type ChangeField = keyof CountChange | 'change' | 'code';

const unitsChanged = ({ before, after }: CountChange): number | undefined => (before === undefined || after === undefined ? undefined : after - before);

/** The columns of what closing a count would change. */
export const countChangeColumns = columnsOf<CountChange, ChangeField>(
  {
    petId: { heading: 'ID', numeric: true },
    name: { heading: 'Name', least: 8 },
    counted: { heading: 'Counted', leaveOut: 2, numeric: true },
    expected: { heading: 'Expected', leaveOut: 1, numeric: true },
    difference: { heading: 'Difference', text: ({ difference }) => signed(difference), numeric: true },
    before: { heading: 'Before', numeric: true },
    after: { heading: 'After', numeric: true, colour: ({ after }) => (after === 0 ? 'red' : undefined) },
    change: { heading: 'Change', leaveOut: 3, value: unitsChanged, text: (row) => signed(unitsChanged(row)), numeric: true },
    code: { heading: 'Code', onlyFilled: true, value: ({ problem }) => problem?.code },
    problem: { heading: 'Problem', least: 12, leaveOut: 4, onlyFilled: true, wraps: true, value: ({ problem }) => problem?.message, colour: () => 'red' },
  },
  {
    shown: ['petId', 'name', 'counted', 'expected', 'before', 'after', 'change', 'code', 'problem'],
    table: ['petId', 'name', 'counted', 'expected', 'before', 'after', 'change', 'problem'],
  },
);
