import { hook as hookRecord, hookDelivery, type Hook, type HookDelivery } from '../../../domain/hooks/hook.js';
import { columnsOf, type Columns } from '../../output/view.js';

const fields = Object.keys(hookRecord.entries);

/** The columns of hooks. */
export const hookColumns = columnsOf<Hook, keyof Hook>(
  {
    id: { heading: 'ID', numeric: true },
    url: { heading: 'Address', least: 16 },
    kinds: { heading: 'Kinds', text: ({ kinds }) => kinds?.join(', ') ?? 'all' },
    petId: { heading: 'Pets', text: ({ petId }) => petId?.join(', ') ?? 'all' },
    categoryId: { heading: 'Category', numeric: true },
    rows: { heading: 'Rows' },
    batch: { heading: 'Batch', numeric: true },
    allowPrivate: { heading: 'Private addresses' },
    state: {
      heading: 'State',
      dot: true,
      text: ({ state, attempts }) => (attempts === 0 ? state : `${state}, failing`),
      colour: ({ state, attempts }) => (attempts > 0 ? 'red' : state === 'paused' ? 'yellow' : 'green'),
    },
    position: { heading: 'Position', leaveOut: 1, numeric: true },
    waiting: { heading: 'Waiting', numeric: true },
    attempts: { heading: 'Failed', numeric: true },
    nextAttemptAt: { heading: 'Next attempt', leaveOut: 2, time: true },
    lastError: { heading: 'Last error', least: 12, wraps: true },
    lastSentAt: { heading: 'Last sent', leaveOut: 2, time: true },
    createdAt: { heading: 'Created', leaveOut: 2, time: true },
  },
  { shown: ['id', 'url', 'state', 'position', 'waiting', 'attempts', 'nextAttemptAt', 'lastError'], json: fields },
);

/** The columns of one hook. */
export const hookView = { columns: { ...hookColumns, shown: fields, table: fields } } as const;

/** A hook; `secret` is known only when it is new. */
interface HookRow extends Hook {
  readonly secret?: string;
}

/** The columns of a hook with a new secret; without --fields only the secret is shown. */
export const newSecretColumns: Columns<HookRow> = {
  ...hookColumns,
  all: [...hookColumns.all, { name: 'secret', heading: 'Secret', value: ({ secret }) => secret }],
  shown: ['secret'],
  json: [...fields, 'secret'],
};

/** The columns of deliveries. */
export const deliveryColumns = columnsOf<HookDelivery, keyof HookDelivery>(
  {
    id: { heading: 'ID', numeric: true },
    at: { heading: 'Ended', time: true },
    event: { heading: 'Event', least: 12 },
    type: { heading: 'Type' },
    attempt: { heading: 'Attempt', numeric: true },
    milliseconds: { heading: 'ms', leaveOut: 1, numeric: true },
    status: { heading: 'Status', numeric: true, colour: ({ error }) => (error === undefined ? 'green' : 'red') },
    error: { heading: 'Error', least: 12, wraps: true },
  },
  { shown: ['at', 'event', 'type', 'attempt', 'milliseconds', 'status', 'error'], json: Object.keys(hookDelivery.entries) },
);
