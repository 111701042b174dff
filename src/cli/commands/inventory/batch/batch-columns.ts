import type { Batch } from '../../../../domain/imports/batch.js';
import { listTime } from '../../../output/time-text.js';
import type { Columns } from '../../../output/view.js';

/** The columns of bulk imports. */
export const batchColumns: Columns<Batch> = {
  all: [
    { name: 'id', heading: 'ID', value: ({ id }) => id, numeric: true },
    { name: 'at', heading: 'When', leaveOut: 4, value: ({ at }) => at, text: ({ at }, now, zone) => listTime(at, now, zone) },
    { name: 'actor', heading: 'By', least: 8, leaveOut: 2, value: ({ actor }) => actor },
    { name: 'kind', heading: 'Kind', value: ({ kind }) => kind },
    { name: 'state', heading: 'State', value: ({ state }) => state },
    { name: 'countId', heading: 'Count', leaveOut: 5, onlyFilled: true, value: ({ countId }) => countId, numeric: true },
    { name: 'mode', heading: 'Mode', value: ({ mode }) => mode },
    { name: 'total', heading: 'Rows', leaveOut: 3, value: ({ total }) => total, numeric: true },
    { name: 'applied', heading: 'Applied', value: ({ applied }) => applied, numeric: true },
    { name: 'unchanged', heading: 'Unchanged', leaveOut: 1, value: ({ unchanged }) => unchanged, numeric: true },
    { name: 'rejected', heading: 'Rejected', value: ({ rejected }) => rejected, numeric: true },
    { name: 'note', heading: 'Note', least: 12, value: ({ note }) => note },
    { name: 'fileName', heading: 'File', least: 10, value: ({ fileName }) => fileName },
    { name: 'key', heading: 'Key', least: 8, value: ({ key }) => key },
    { name: 'sha256', heading: 'SHA-256', least: 8, value: ({ sha256 }) => sha256 },
  ],
  shown: ['id', 'at', 'actor', 'state', 'total', 'applied', 'unchanged', 'rejected', 'fileName'],
  table: ['id', 'at', 'actor', 'state', 'total', 'applied', 'unchanged', 'rejected', 'countId', 'fileName'],
  json: ['id', 'kind', 'state', 'key', 'sha256', 'actor', 'at', 'mode', 'countId', 'note', 'fileName', 'total', 'applied', 'unchanged', 'rejected'],
  id: 'id',
};
