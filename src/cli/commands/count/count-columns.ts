import { hidesExpected, type Count, type CountState } from '../../../domain/counts/count.js';
import type { AddedLine } from '../../../domain/counts/count-line.js';
import type { CountChange } from '../../../domain/counts/count-change.js';
import type { CountPet } from '../../../domain/counts/count-pet.js';
import type { Paint } from '../../output/colours.js';
import { signed } from '../../output/numbers.js';
import { listTime } from '../../output/time-text.js';
import { columnList, yesNoText, type Columns, type ColumnsByName } from '../../output/view.js';

const stateColours: Record<CountState, keyof Paint> = { open: 'green', closed: 'dim', cancelled: 'dim' };

const count: ColumnsByName<Count, keyof Count> = {
  id: { heading: 'ID', value: ({ id }) => id, numeric: true },
  state: { heading: 'State', dot: true, value: ({ state }) => state, colour: ({ state }) => stateColours[state] },
  startedAt: { heading: 'Started', leaveOut: 4, value: ({ startedAt }) => startedAt, text: ({ startedAt }, now, zone) => listTime(startedAt, now, zone) },
  startedBy: { heading: 'By', least: 8, leaveOut: 3, value: ({ startedBy }) => startedBy },
  pets: { heading: 'Pets', value: ({ pets }) => pets, numeric: true },
  counted: { heading: 'Counted', value: ({ counted }) => counted, numeric: true },
  agreeing: { heading: 'Agree', leaveOut: 2, value: ({ agreeing }) => agreeing, text: (row) => (hidesExpected(row) ? '' : `${row.agreeing}`), numeric: true },
  differing: {
    heading: 'Differ',
    value: ({ differing }) => differing,
    text: (row) => (hidesExpected(row) ? '' : `${row.differing}`),
    colour: ({ differing }) => (differing > 0 ? 'yellow' : undefined),
    numeric: true,
  },
  note: { heading: 'Note', least: 8, leaveOut: 1, onlyFilled: true, value: ({ note }) => note },
  blind: { heading: 'Blind', value: ({ blind }) => blind, text: ({ blind }) => yesNoText(blind) },
  endedAt: {
    heading: 'Ended',
    value: ({ endedAt }) => endedAt,
    text: ({ endedAt }, now, zone) => (endedAt === undefined ? '' : listTime(endedAt, now, zone)),
  },
  endedBy: { heading: 'Ended by', value: ({ endedBy }) => endedBy },
  batchId: { heading: 'Batch', value: ({ batchId }) => batchId, numeric: true },
};

/** The columns of counts. */
export const countColumns: Columns<Count> = {
  all: columnList(count),
  shown: ['id', 'state', 'startedAt', 'startedBy', 'pets', 'counted', 'agreeing', 'differing', 'note'],
  json: Object.keys(count),
  id: 'id',
};

const differs = (difference: number | undefined): keyof Paint | undefined => (difference === undefined || difference === 0 ? undefined : 'yellow');

const pet: ColumnsByName<CountPet, keyof CountPet> = {
  petId: { heading: 'ID', value: ({ petId }) => petId, numeric: true },
  name: { heading: 'Name', least: 8, value: ({ name }) => name },
  category: { heading: 'Category', least: 8, leaveOut: 2, value: ({ category }) => category },
  state: { heading: 'State', value: ({ state }) => state },
  counted: { heading: 'Counted', value: ({ counted }) => counted, numeric: true },
  expected: { heading: 'Expected', value: ({ expected }) => expected, numeric: true },
  difference: {
    heading: 'Difference',
    leaveOut: 3,
    value: ({ difference }) => difference,
    text: ({ difference }) => signed(difference),
    colour: ({ difference }) => differs(difference),
    numeric: true,
  },
  onHand: { heading: 'On hand', value: ({ onHand }) => onHand, numeric: true },
  countedBy: { heading: 'By', least: 6, leaveOut: 1, value: ({ countedBy }) => countedBy },
  countedAt: {
    heading: 'When',
    leaveOut: 4,
    value: ({ countedAt }) => countedAt,
    text: ({ countedAt }, now, zone) => (countedAt === undefined ? '' : listTime(countedAt, now, zone)),
  },
  lines: { heading: 'Lines', value: ({ lines }) => lines, numeric: true },
  refused: { heading: 'Refused', value: ({ refused }) => refused },
};

/** The columns of the pets of a count. */
export const countPetColumns: Columns<CountPet> = {
  all: columnList(pet),
  shown: ['petId', 'name', 'category', 'counted', 'expected', 'difference', 'countedBy', 'countedAt'],
  json: Object.keys(pet),
  id: 'petId',
};

/** The columns of a table of the pets of an open blind count. */
export const blindPetColumns = ['petId', 'name', 'category', 'counted', 'countedBy', 'countedAt'] as const satisfies readonly (keyof CountPet)[];

const line: ColumnsByName<AddedLine, keyof AddedLine> = {
  id: { heading: 'Line', value: ({ id }) => id, numeric: true },
  petId: { heading: 'ID', value: ({ petId }) => petId, numeric: true },
  name: { heading: 'Name', least: 8, value: ({ name }) => name },
  number: { heading: 'Number', value: ({ number, adds }) => (adds ? `+${number}` : number), numeric: true },
  adds: { heading: 'Adds', value: ({ adds }) => adds, text: ({ adds }) => yesNoText(adds) },
  countedSoFar: { heading: 'Counted so far', leaveOut: 1, value: ({ countedSoFar }) => countedSoFar, numeric: true },
  stockChange: { heading: 'Stock change', value: ({ stockChange }) => stockChange, text: ({ stockChange }) => signed(stockChange), numeric: true },
  onHand: { heading: 'Expected', value: ({ onHand }) => onHand, numeric: true },
  by: { heading: 'By', value: ({ by }) => by },
  at: { heading: 'When', value: ({ at }) => at, text: ({ at }, now, zone) => listTime(at, now, zone) },
  key: { heading: 'Key', value: ({ key }) => key },
  undone: { heading: 'Undone', value: ({ undone }) => undone, text: ({ undone }) => yesNoText(undone) },
};

/** The columns of the lines of a count. */
export const countLineColumns: Columns<AddedLine> = {
  all: columnList({ ...line, number: { ...line.number, value: ({ number }) => number } }),
  shown: ['id', 'petId', 'name', 'number', 'adds', 'countedSoFar'],
  json: Object.keys(line),
  id: 'id',
};

type ChangeField = Exclude<keyof CountChange, 'problem'> | 'change' | 'code' | 'problem';

const change: ColumnsByName<CountChange, ChangeField> = {
  petId: { heading: 'ID', value: ({ petId }) => petId, numeric: true },
  name: { heading: 'Name', least: 8, value: ({ name }) => name },
  counted: { heading: 'Counted', leaveOut: 2, value: ({ counted }) => counted, numeric: true },
  expected: { heading: 'Expected', leaveOut: 1, value: ({ expected }) => expected, numeric: true },
  difference: { heading: 'Difference', value: ({ difference }) => difference, text: ({ difference }) => signed(difference), numeric: true },
  before: { heading: 'Before', value: ({ before }) => before, numeric: true },
  after: { heading: 'After', value: ({ after }) => after, numeric: true, colour: ({ after }) => (after === 0 ? 'red' : undefined) },
  change: {
    heading: 'Change',
    leaveOut: 3,
    value: ({ before, after }) => (before === undefined || after === undefined ? undefined : after - before),
    text: ({ before, after }) => (before === undefined || after === undefined ? '' : signed(after - before)),
    numeric: true,
  },
  code: { heading: 'Code', onlyFilled: true, value: ({ problem }) => problem?.code },
  problem: { heading: 'Problem', least: 12, leaveOut: 4, onlyFilled: true, wraps: true, value: ({ problem }) => problem?.message, colour: () => 'red' },
};

/** The columns of what closing a count would change. */
export const countChangeColumns: Columns<CountChange> = {
  all: columnList(change),
  shown: ['petId', 'name', 'counted', 'expected', 'before', 'after', 'change', 'code', 'problem'],
  table: ['petId', 'name', 'counted', 'expected', 'before', 'after', 'change', 'problem'],
  json: ['petId', 'name', 'counted', 'expected', 'difference', 'before', 'after', 'change', 'code', 'problem'],
  id: 'petId',
};
