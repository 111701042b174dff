import { type Nullable, selection, columnsIn, withoutNulls, cellsOf, insertInto } from './columns.js';
import type { Column } from '../migrations/migrations.js';
import { type Value, sql, type Sql } from '../sql.js';
import { keptErrors, type RowError } from '../../domain/imports/row-error.js';
import { batchState, type Batch } from '../../domain/imports/batch.js';
import type { BatchWriter } from '../../domain/imports/batch-table.js';
import { senderId, type SenderKey } from '../../domain/sender.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { Queries } from '../queries.js';
import type { Stamp } from './ledger-table.js';
import { closingEntries } from './count-closing.js';
import { insertReturningId, nextId, highest } from './ids.js';
import { countRows, sliceOf } from './slices.js';

/** A batch as the database returns it; `at` is in ms since 1970. */
type Stored = Nullable<Omit<Batch, 'at'>> & { readonly at: number };

/** The sender of a batch of a count; no sender of a request has this name. */
const countSender = 'count';

const batchColumns = {
  id: 'id',
  kind: 'kind',
  state: 'state',
  key: 'key',
  sha256: 'sha256',
  actor: 'actor',
  at: 'at',
  mode: 'mode',
  countId: 'count_id',
  note: 'note',
  fileName: 'file_name',
  total: 'total',
  applied: 'applied',
  unchanged: 'unchanged',
  rejected: 'rejected',
} as const satisfies Record<keyof Batch, Column<'batches'>>;

const errorColumns = { line: 'line', petId: 'pet_id', column: 'column', value: 'value', code: 'code', message: 'message' } as const satisfies Record<
  keyof RowError,
  Column<'batch_errors'>
>;

const select = sql`SELECT ${selection(columnsIn('batches', batchColumns))} FROM batches`;

function toBatch(row: Stored): Batch {
  return withoutNulls<Batch>({ ...row, kind: row.countId === null ? row.kind : 'count', at: formatDateTime(row.at) });
}

/** The condition for the imports of a sender under a key. */
export function isKeyedBatch({ key, sender }: SenderKey): Sql {
  return sql`key = ${key} AND state <> 'refused' AND sender = ${senderId(sender)}`;
}

const errorsTogether = 100;

function errorRow(batchId: number, place: number, error: RowError): Record<Column<'batch_errors'>, Value> {
  return { batch_id: batchId, place, ...cellsOf(errorColumns, error) };
}

/** A batch to store, by a sender and with its entries, of which so many follow the newest one. */
interface NewBatch extends Omit<Batch, 'id' | 'actor' | 'at'> {
  readonly sender: string;
  readonly source: string;
  readonly refusedRows: string;
  readonly entries: number | Sql;
}

/** Stores a batch and returns its id. */
async function insertBatch(queries: Queries, { actor, at, note: noteOfAll }: Stamp, { sender, source, refusedRows, entries, note, ...batch }: NewBatch) {
  return insertReturningId(queries, 'batches', {
    ...cellsOf(batchColumns, { ...batch, note: note ?? noteOfAll, actor, at }),
    id: nextId('batches'),
    sender,
    source,
    refused_rows: refusedRows,
    first_entry: nextId('ledger'),
    last_entry: sql`${highest('ledger')} + ${entries}`,
  });
}

/** The bulk imports of one transaction. */
export function batchTable(queries: Queries, stamp: Stamp): BatchWriter {
  return {
    get: async (id) => {
      const found = await queries.get<Stored>(sql`${select} WHERE id = ${id}`);
      if (found === undefined) return undefined;
      const errors = await queries.all<Nullable<RowError>>(
        sql`SELECT ${selection(columnsIn('batch_errors', errorColumns))} FROM batch_errors WHERE batch_id = ${id} ORDER BY line, place`,
      );
      return { ...toBatch(found), errors: errors.map((error) => withoutNulls<RowError>(error)) };
    },
    list: async (slice) => (await queries.all<Stored>(sliceOf(select, [], slice, sql`id`))).map(toBatch),
    count: () => countRows(queries, sql`batches`),
    applied: async ({ kind, key, sender }) => {
      const where = sender ? isKeyedBatch({ key, sender }) : sql`key = ${key} AND kind = ${kind} AND state <> 'refused' AND sender = ''`;
      const found = await queries.get<Stored>(sql`${select} WHERE ${where} ORDER BY id DESC LIMIT 1`);
      return found && toBatch(found);
    },
    refusedRows: async (id) => {
      const found = await queries.get<{ readonly refused_rows: string }>(sql`SELECT refused_rows FROM batches WHERE id = ${id}`);
      return found?.refused_rows ?? '';
    },
    insert: async ({ sender, entries, ...draft }, errors, refusedRows) => {
      const origin = { sender: sender ? senderId(sender) : '', source: 'import', refusedRows: draft.state === 'refused' ? '' : refusedRows };
      const id = await insertBatch(queries, stamp, { ...draft, ...origin, entries });
      const kept = errors.slice(0, keptErrors);
      for (let place = 0; place < kept.length; place += errorsTogether) {
        const rows = kept.slice(place, place + errorsTogether).map((error, index) => errorRow(id, place + index, error));
        await queries.run(insertInto('batch_errors', rows));
      }
      return id;
    },
    insertCount: ({ countId, mode, note, changed, unchanged, rejected }) => {
      const figures = { total: changed + unchanged + rejected, applied: changed, unchanged, rejected, state: batchState(changed + unchanged, rejected) };
      const origin = { kind: 'stock', key: `count ${countId}`, sha256: '', sender: countSender, source: stamp.source, refusedRows: '' } as const;
      return insertBatch(queries, stamp, {
        ...figures,
        ...origin,
        mode,
        countId,
        note,
        entries: sql`(SELECT count(*) FROM (${closingEntries(countId)}) AS e)`,
      });
    },
    markUndone: (id) => queries.run(sql`UPDATE batches SET state = 'undone' WHERE id = ${id}`),
  };
}
