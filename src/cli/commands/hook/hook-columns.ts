import { hook as hookRecord, hookDelivery, type Hook, type HookDelivery } from '../../../domain/hooks/hook.js';
import { listTime } from '../../output/time-text.js';
import { columnList, yesNoText, type Column, type Columns, type ColumnsByName } from '../../output/view.js';

type TimeField = 'nextAttemptAt' | 'lastSentAt' | 'createdAt';

function timeColumn(name: TimeField, heading: string): Omit<Column<Hook>, 'name'> {
  return { heading, leaveOut: 2, value: (row) => row[name], text: ({ [name]: at }, now, zone) => (at === undefined ? '' : listTime(at, now, zone)) };
}

function stateText({ state, attempts }: Hook): string {
  return attempts === 0 ? state : `${state}, failing`;
}

const columns: ColumnsByName<Hook, keyof Hook> = {
  id: { heading: 'ID', value: ({ id }) => id, numeric: true },
  url: { heading: 'Address', least: 16, value: ({ url }) => url },
  kinds: { heading: 'Kinds', value: ({ kinds }) => kinds, text: ({ kinds }) => kinds?.join(', ') ?? 'all' },
  petId: { heading: 'Pets', value: ({ petId }) => petId, text: ({ petId }) => petId?.join(', ') ?? 'all' },
  categoryId: { heading: 'Category', value: ({ categoryId }) => categoryId, numeric: true },
  rows: { heading: 'Rows', value: ({ rows }) => rows, text: ({ rows }) => yesNoText(rows) },
  batch: { heading: 'Batch', value: ({ batch }) => batch, numeric: true },
  allowPrivate: { heading: 'Private addresses', value: ({ allowPrivate }) => allowPrivate, text: ({ allowPrivate }) => yesNoText(allowPrivate) },
  state: {
    heading: 'State',
    dot: true,
    value: ({ state }) => state,
    text: stateText,
    colour: ({ state, attempts }) => (attempts > 0 ? 'red' : state === 'paused' ? 'yellow' : 'green'),
  },
  position: { heading: 'Position', leaveOut: 1, value: ({ position }) => position, numeric: true },
  waiting: { heading: 'Waiting', value: ({ waiting }) => waiting, numeric: true },
  attempts: { heading: 'Failed', value: ({ attempts }) => attempts, numeric: true },
  nextAttemptAt: timeColumn('nextAttemptAt', 'Next attempt'),
  lastError: { heading: 'Last error', least: 12, wraps: true, value: ({ lastError }) => lastError },
  lastSentAt: timeColumn('lastSentAt', 'Last sent'),
  createdAt: timeColumn('createdAt', 'Created'),
};

const fields = Object.keys(hookRecord.entries);

/** The columns of hooks. */
export const hookColumns: Columns<Hook> = {
  all: columnList(columns),
  shown: ['id', 'url', 'state', 'position', 'waiting', 'attempts', 'nextAttemptAt', 'lastError'],
  json: fields,
  id: 'id',
};

/** The columns of one hook. */
export const hookView = { columns: { ...hookColumns, shown: fields, table: fields } } as const;

/** A hook; `secret` is known only when it is new. */
export interface HookRow extends Hook {
  readonly secret?: string;
}

/** The columns of a hook with a new secret; without --fields only the secret is shown. */
export const newSecretColumns: Columns<HookRow> = {
  ...hookColumns,
  all: [...hookColumns.all, { name: 'secret', heading: 'Secret', value: ({ secret }) => secret }],
  shown: ['secret'],
  json: [...fields, 'secret'],
};

const delivery: ColumnsByName<HookDelivery, keyof HookDelivery> = {
  id: { heading: 'ID', value: ({ id }) => id, numeric: true },
  at: { heading: 'Ended', value: ({ at }) => at, text: ({ at }, now, zone) => listTime(at, now, zone) },
  event: { heading: 'Event', least: 12, value: ({ event }) => event },
  type: { heading: 'Type', value: ({ type }) => type },
  attempt: { heading: 'Attempt', value: ({ attempt }) => attempt, numeric: true },
  milliseconds: { heading: 'ms', leaveOut: 1, value: ({ milliseconds }) => milliseconds, numeric: true },
  status: { heading: 'Status', value: ({ status }) => status, numeric: true, colour: ({ error }) => (error === undefined ? 'green' : 'red') },
  error: { heading: 'Error', least: 12, wraps: true, value: ({ error }) => error },
};

/** The columns of deliveries. */
export const deliveryColumns: Columns<HookDelivery> = {
  all: columnList(delivery),
  shown: ['at', 'event', 'type', 'attempt', 'milliseconds', 'status', 'error'],
  json: Object.keys(hookDelivery.entries),
  id: 'id',
};
