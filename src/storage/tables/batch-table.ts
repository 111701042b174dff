import { keptErrors, type RowError } from '../../domain/imports/row-error.js';
import type { Batch } from '../../domain/imports/batch.js';
import type { BatchWriter } from '../../domain/imports/batch-table.js';
import { senderId, type SenderKey } from '../../domain/keys.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { Queries } from '../engine.js';
import { all, join, sql, type Sql } from '../sql.js';
import type { Stamp } from './ledger-table.js';
import { afterPosition, countRows, nextId, orderBy } from './slices.js';

type Stored = Omit<Batch, 'at' | 'note'> & { readonly at: number; readonly note: string | null };

interface StoredError {
  readonly line: number;
  readonly petId: number | null;
  readonly column: string | null;
  readonly value: string | null;
  readonly code: RowError['code'];
  readonly message: string;
}

const selection = sql`SELECT id, kind, state, key, sha256, actor, at, mode, note, total, applied, unchanged, rejected FROM batches`;

function toBatch({ at, note, ...row }: Stored): Batch {
  return { ...row, at: formatDateTime(at), ...(note !== null && { note }) };
}

function toError({ line, petId, column, value, code, message }: StoredError): RowError {
  return { line, ...(petId !== null && { petId }), ...(column !== null && { column }), ...(value !== null && { value }), code, message };
}

/** The condition for imports of a sender under a key; those from before schema 5 have no sender and match by actor. */
export function ownBatch({ key, sender }: SenderKey): Sql {
  return sql`key = ${key} AND state <> 'refused' AND (sender = ${senderId(sender)} OR (sender = '' AND actor = ${sender.actor}))`;
}

const errorsTogether = 100;

function errorRow(batchId: number, place: number, { line, petId, column, value, code, message }: RowError): Sql {
  return sql`(${batchId}, ${place}, ${line}, ${petId ?? null}, ${column ?? null}, ${value ?? null}, ${code}, ${message})`;
}

/** The bulk imports of one transaction. */
export function batchTable(queries: Queries, stamp: Stamp): BatchWriter {
  return {
    get: async (id) => {
      const found = await queries.get<Stored>(sql`${selection} WHERE id = ${id}`);
      if (found === undefined) return undefined;
      const errors = await queries.all<StoredError>(
        sql`SELECT line, pet_id AS "petId", "column", value, code, message FROM batch_errors WHERE batch_id = ${id} ORDER BY line, place`,
      );
      return { ...toBatch(found), errors: errors.map(toError) };
    },
    list: async ({ descending, from, limit }) => {
      const id = sql`id`;
      const rows = await queries.all<Stored>(
        sql`${selection} WHERE ${all(afterPosition(from, id, id, descending))} ${orderBy(id, id, descending)} LIMIT ${limit}`,
      );
      return rows.map(toBatch);
    },
    count: (bound) => countRows(queries, sql`batches`, all([]), bound),
    applied: async ({ kind, key, sender }) => {
      const where = sender ? ownBatch({ key, sender }) : sql`key = ${key} AND kind = ${kind} AND state <> 'refused' AND sender = ''`;
      const found = await queries.get<Stored>(sql`${selection} WHERE ${where} ORDER BY id DESC LIMIT 1`);
      return found && toBatch(found);
    },
    refusedRows: async (id) => {
      const found = await queries.get<{ readonly places: string }>(sql`SELECT refused_rows AS places FROM batches WHERE id = ${id}`);
      return found?.places ?? '';
    },
    insert: async ({ kind, state, key, sender, sha256, mode, total, applied, unchanged, rejected }, errors, refusedRows) => {
      const inserted = await queries.get<{ readonly id: number }>(sql`INSERT INTO batches
        (id, kind, state, key, sender, sha256, actor, source, at, mode, note, total, applied, unchanged, rejected, refused_rows, first_entry)
        VALUES (${nextId('batches')}, ${kind}, ${state}, ${key}, ${sender ? senderId(sender) : ''}, ${sha256}, ${stamp.actor}, ${'import'}, ${stamp.at}, ${mode}, ${stamp.note ?? null}, ${total}, ${applied},
        ${unchanged}, ${rejected}, ${state === 'refused' ? '' : refusedRows},
        (SELECT coalesce(max(id), 0) + 1 FROM ledger)) RETURNING id`);
      const id = inserted?.id ?? 0;
      const kept = errors.slice(0, keptErrors);
      for (let place = 0; place < kept.length; place += errorsTogether) {
        const rows = kept.slice(place, place + errorsTogether).map((error, index) => errorRow(id, place + index, error));
        await queries.run(sql`INSERT INTO batch_errors (batch_id, place, line, pet_id, "column", value, code, message) VALUES ${join(rows, ', ')}`);
      }
      return id;
    },
    markUndone: async (id) => {
      await queries.run(sql`UPDATE batches SET state = 'undone' WHERE id = ${id}`);
    },
  };
}
