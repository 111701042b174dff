import type { Column } from '../migrations/migrations.js';
import { type Nullable, type Columns, columnsIn, selection, withoutNulls, insertInto, cellsOf } from './columns.js';
import { entryTime, entryActor, entrySource, ledgerWithBatches } from './fragments.js';
import {
  movementKinds,
  subjectFields,
  type LedgerDraft,
  type LedgerEntry,
  type CurrentValues,
  type PreviousValues,
  type SubjectField,
} from '../../domain/ledger/ledger-entry.js';
import type { LedgerFilter, LedgerReader, LedgerWriter } from '../../domain/ledger/ledger-table.js';
import { StoreError } from '../../domain/errors.js';
import { formatDateTime, parseDateTime } from '../../domain/values/time.js';
import type { Position } from '../../domain/values/pages.js';
import type { Queries } from '../queries.js';
import { all, list, sql, type Sql } from '../sql.js';
import { countEntries, entryQueries, type EntrySearch } from './ledger-query.js';
import { insertNext, highest, nextId } from './ids.js';
import { countRows, mergedSlices, sliceOf } from './slices.js';

/** Who changes the shop, when, and through which interface. */
export interface Stamp {
  readonly at: number;
  readonly actor: string;
  readonly source: LedgerEntry['source'];
  readonly note: string | undefined;
}

/** The columns of an entry, except time, actor, source and note, which may come from its batch, `previous` and `current`, which are JSON, and `undoneBy`, which is in another row. */
const entryColumns = {
  kind: 'kind',
  petId: 'pet_id',
  orderId: 'order_id',
  categoryId: 'category_id',
  delta: 'delta',
  quantityAfter: 'quantity_after',
  batchId: 'batch_id',
  countId: 'count_id',
  line: 'line',
  reverses: 'reverses',
} as const satisfies Record<keyof Omit<LedgerEntry, 'id' | 'at' | 'actor' | 'source' | 'undoneBy' | 'previous' | 'current' | 'note'>, Column<'ledger'>>;

/** An entry as the database returns it; `at` is in ms since 1970. */
type Stored = Nullable<Omit<LedgerEntry, 'at' | 'previous' | 'current'>> & {
  readonly at: number;
  readonly previous: string | null;
  readonly current: string | null;
};

const columns: Columns<Stored> = {
  id: sql`l.id`,
  at: entryTime,
  actor: entryActor,
  source: entrySource,
  ...columnsIn('l', entryColumns),
  undoneBy: sql`(SELECT u.id FROM ledger u WHERE u.reverses = l.id)`,
  previous: sql`l.previous`,
  current: sql`l.current`,
  note: sql`coalesce(l.note, b.note)`,
};

const select = sql`SELECT ${selection(columns)} FROM ${ledgerWithBatches}`;

/** The former or the new values of an entry. Refuses a damaged text with `store_unreadable`. */
function valuesIn<Values>(id: number, text: string | null): Values | null {
  if (text === null) return null;
  try {
    return JSON.parse(text) as Values;
  } catch {
    throw new StoreError('store_unreadable', `Ledger entry ${id} is damaged: its values cannot be read.`, { advice: 'Restore the latest backup.' });
  }
}

function toEntry(row: Stored): LedgerEntry {
  const [previous, current] = [valuesIn<PreviousValues>(row.id, row.previous), valuesIn<CurrentValues>(row.id, row.current)];
  return withoutNulls<LedgerEntry>({ ...row, at: formatDateTime(row.at), previous, current });
}

/** The condition that a column has one of some values. A single value uses `=`, because the index then returns rows in id order. */
function among(column: Sql, values: readonly number[]): Sql {
  return values.length === 1 ? sql`${column} = ${values[0] ?? 0}` : sql`${column} IN ${list(values)}`;
}

/** The first id at or after an instant (binary search: time never decreases along the ids). */
async function firstFrom(queries: Queries, instant: number): Promise<number> {
  const middle = sql`(s.low + s.high) / 2`;
  const isEarlier = sql`(SELECT ${entryTime} FROM ${ledgerWithBatches} WHERE l.id >= ${middle} ORDER BY l.id LIMIT 1) < CAST(${instant} AS BIGINT)`;
  const found = await queries.get<{ readonly id: number }>(sql`WITH RECURSIVE search (low, high) AS (
    SELECT CAST(1 AS BIGINT), ${nextId('ledger')}
    UNION ALL SELECT CASE WHEN ${isEarlier} THEN ${middle} + 1 ELSE s.low END, CASE WHEN ${isEarlier} THEN s.high ELSE ${middle} END FROM search s WHERE s.low < s.high)
    SELECT low AS id FROM search WHERE low >= high`);
  return found?.id ?? 1;
}

/** The first id at or after a date-time. */
export function firstSince(queries: Queries, time: string): Promise<number> {
  return firstFrom(queries, parseDateTime(time) ?? 0);
}

/** The first id after a date-time. */
export function firstAfter(queries: Queries, time: string): Promise<number> {
  return firstFrom(queries, (parseDateTime(time) ?? 0) + 1);
}

async function matching(queries: Queries, filter: LedgerFilter): Promise<Sql> {
  const { batchId, kind, actor: name, since, until, after, withoutBatches } = filter;
  return all([
    ...subjectFields.map((field) => filter[field] && among(columns[field], filter[field])),
    batchId && sql`l.batch_id IN ${list(batchId)}`,
    kind && sql`l.kind IN ${list(kind)}`,
    name !== undefined && sql`${entryActor} = ${name}`,
    after !== undefined && sql`l.id > ${after}`,
    withoutBatches === true && sql`l.batch_id IS NULL`,
    since !== undefined && sql`l.id >= ${await firstSince(queries, since)}`,
    until !== undefined && sql`l.id < ${await firstAfter(queries, until)}`,
  ]);
}

/** The search for a filter by import, kind or actor alone; undefined for a filter by a record, whose entries are few, or by nothing but times. */
async function searchOf(queries: Queries, filter: LedgerFilter, from: Position | undefined, descending: boolean): Promise<EntrySearch | undefined> {
  const { batchId, kind, actor, withoutBatches, since, until, after } = filter;
  if (subjectFields.some((field) => filter[field] !== undefined)) return undefined;
  if (batchId === undefined && kind === undefined && actor === undefined) return undefined;
  const low = [
    1,
    (after ?? 0) + 1,
    ...(from === undefined || descending ? [] : [from.id + 1]),
    ...(since === undefined ? [] : [await firstSince(queries, since)]),
  ];
  const high = [
    Number.MAX_SAFE_INTEGER,
    ...(from === undefined || !descending ? [] : [from.id - 1]),
    ...(until === undefined ? [] : [(await firstAfter(queries, until)) - 1]),
  ];
  return { batchId, kind, actor, withoutBatches: withoutBatches === true, low: Math.max(...low), high: Math.min(...high) };
}

/** The pets that become low, or are no longer low, when the default level changes; pets with their own level are not affected. */
function crossings(before: number | null, after: number | null): Sql {
  const rises = after !== null && (before === null || after > before);
  const [higher, lower] = rises ? [after, before] : [before, after];
  const left = sql`s.quantity - s.reserved`;
  const between = all([sql`s.low_own = 0`, sql`${left} <= ${higher}`, lower !== null && sql`${left} > ${lower}`]);
  return sql`SELECT s.pet_id, CAST(${rises ? 'inventory.low' : 'inventory.restocked'} AS TEXT) AS kind
    FROM stock s WHERE ${between}`;
}

/** An entry outside batches that the present transaction has written. */
interface AppendedEntry {
  readonly id: number;
  readonly draft: LedgerDraft;
}

/** The reading members of the ledger of one transaction. */
function ledgerReader(queries: Queries, appended: readonly AppendedEntry[]): LedgerReader {
  return {
    list: async (filter, slice) => {
      const search = await searchOf(queries, filter, slice.from, slice.descending);
      const parts = search && entryQueries(search, slice);
      if (parts?.length === 0) return [];
      const listed = { columns: selection(columns), tables: ledgerWithBatches, where: [sql`l.id = listed.id`] };
      const query = parts ? mergedSlices(parts, listed, slice) : sliceOf(select, [await matching(queries, filter)], slice, sql`l.id`);
      return (await queries.all<Stored>(query)).map(toEntry);
    },
    count: async (filter) => {
      const search = await searchOf(queries, filter, undefined, false);
      return search === undefined ? countRows(queries, ledgerWithBatches, await matching(queries, filter)) : countEntries(queries, search);
    },
    version: async (subject: Readonly<Partial<Record<SubjectField, number>>>) => {
      const written = appended.findLast(({ draft }) => subjectFields.every((field) => subject[field] === undefined || draft[field] === subject[field]));
      if (written !== undefined) return written.id;
      const isAbout = subjectFields.map((field) => subject[field] !== undefined && sql`${columns[field]} = ${subject[field]}`);
      const newest = sql`SELECT l.id FROM ledger l WHERE ${all(isAbout)} ORDER BY l.id DESC LIMIT 1`;
      const last = await queries.get<{ readonly id: number }>(newest);
      return last?.id ?? 0;
    },
    get: async (id) => {
      const found = await queries.get<Stored>(sql`${select} WHERE l.id = ${id}`);
      return found && toEntry(found);
    },
    undoneBy: async (id) => (await queries.get<{ readonly id: number }>(sql`SELECT id FROM ledger WHERE reverses = ${id}`))?.id,
    undoneAmong: async (ids) => {
      const rows = await queries.all<{ readonly id: number }>(sql`SELECT reverses AS id FROM ledger WHERE reverses IN ${list(ids)}`);
      return rows.map(({ id }) => id);
    },
    changesOf: async (ids) => {
      const rows = await queries.all<{ readonly id: number; readonly changeId: number }>(
        sql`SELECT id, change_id AS "changeId" FROM ledger WHERE id IN ${list(ids)} AND change_id IS NOT NULL`,
      );
      return new Map(rows.map((row) => [row.id, row.changeId]));
    },
    lastMovement: async (petId) => {
      const last = sql`${select} WHERE l.pet_id = ${petId} AND l.kind IN ${list(movementKinds)} ORDER BY l.id DESC LIMIT 1`;
      const found = await queries.get<Stored>(last);
      return found && toEntry(found);
    },
    lastSales: async (orderId, limit) => {
      const sales = sql`SELECT ${entryTime} AS at FROM ${ledgerWithBatches} WHERE l.order_id = ${orderId} AND l.kind = 'sale' ORDER BY l.id DESC LIMIT ${limit}`;
      const rows = await queries.all<{ readonly at: number }>(sales);
      return rows.map(({ at }) => formatDateTime(at));
    },
  };
}

/** The ledger of one transaction. All its entries outside batches belong to the change that the first of them begins. */
export function ledgerTable(queries: Queries, stamp: Stamp): LedgerWriter {
  const appended: AppendedEntry[] = [];
  return {
    appendCrossings: async (before, after) => {
      await queries.run(sql`INSERT INTO ledger (id, change_id, kind, pet_id, at, actor, source, note)
        SELECT m.id + row_number() OVER (ORDER BY c.pet_id), CAST(${appended[0]?.id ?? null} AS BIGINT), c.kind, c.pet_id, CAST(${stamp.at} AS BIGINT),
        CAST(${stamp.actor} AS TEXT), CAST(${stamp.source} AS TEXT), CAST(${stamp.note ?? null} AS TEXT)
        FROM (SELECT ${highest('ledger')} AS id) AS m CROSS JOIN (${crossings(before, after)}) AS c`);
    },
    append: async (draft) => {
      const { shortage, previous, current, note, ...others } = draft;
      const ofBatch = draft.batchId !== undefined;
      const insert = (next: number | Sql): Sql =>
        insertInto('ledger', [
          {
            id: next,
            change_id: ofBatch ? null : (appended[0]?.id ?? next),
            ...cellsOf(entryColumns, others),
            at: ofBatch ? null : stamp.at,
            actor: ofBatch ? null : stamp.actor,
            source: ofBatch ? null : stamp.source,
            shortage: shortage === true ? 1 : null,
            previous: previous === undefined ? null : JSON.stringify(previous),
            current: current === undefined ? null : JSON.stringify(current),
            note: note ?? (ofBatch ? undefined : stamp.note) ?? null,
          },
        ]);
      const id = await insertNext(queries, 'ledger', insert);
      if (!ofBatch) appended.push({ id, draft });
    },
    ...ledgerReader(queries, appended),
  };
}
