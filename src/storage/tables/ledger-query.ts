import { batchFactKinds, batchMovementKinds, batchUndoKinds, ledgerKinds, type LedgerKind } from '../../domain/ledger/ledger-entry.js';
import type { LedgerFilter } from '../../domain/ledger/ledger-table.js';
import type { Slice } from '../../domain/values/pages.js';
import type { Queries } from '../queries.js';
import { all, any, join, list, nothing, sql, unindexed, type OptionalCondition, type Sql } from '../sql.js';
import { countRows, firstOf, orderBy } from './slices.js';

/** The part of a filter that entries are found by; `low` and `high` are the first and the last id of the rest of it. */
export interface EntrySearch extends Pick<LedgerFilter, 'batchId' | 'kind' | 'actor'> {
  readonly withoutBatches: boolean;
  readonly low: number;
  readonly high: number;
}

/** The entries that the transaction of an import wrote, which follow each other. */
interface Run {
  readonly start: number;
  readonly end: number;
  /** The rows of the file that it applied, of which each has an entry. */
  readonly applied: number;
}

const isIndexedByKind = sql`(l.actor IS NOT NULL OR l.delta IS NULL)`;

function kindsAmong(kind: readonly LedgerKind[] | undefined, kinds: readonly LedgerKind[]): readonly LedgerKind[] {
  return kind === undefined ? kinds : kinds.filter((one) => kind.includes(one));
}

/** The conditions of entries that are found by an index: those with an actor of their own, and those of imports that move no units. */
function indexed({ batchId, kind, actor, withoutBatches }: EntrySearch): readonly Sql[] {
  if (batchId !== undefined) {
    const ofKinds = kind && unindexed(sql`l.kind IN ${list(kind)}`);
    const byActor = actor !== undefined && unindexed(sql`l.actor = ${actor}`);
    return [...new Set(batchId)].map((batch) => all([sql`l.batch_id = ${batch} AND l.batch_id IS NOT NULL AND l.actor IS NOT NULL`, ofKinds, byActor]));
  }
  const kinds = kindsAmong(kind, ledgerKinds);
  if (actor === undefined) return kinds.map((one) => sql`l.kind = ${one} AND ${isIndexedByKind}`);
  // Only for kinds that need it: without it the index alone has what the search reads.
  const outside = (one: LedgerKind): OptionalCondition => withoutBatches && batchUndoKinds.includes(one) && unindexed(sql`l.batch_id IS NULL`);
  return kinds.map((one) => all([sql`l.actor = ${actor} AND l.actor IS NOT NULL AND l.kind = ${one}`, outside(one)]));
}

/** The condition of imports `b` for a search. */
function importsOf({ batchId, actor }: EntrySearch): readonly OptionalCondition[] {
  return [batchId && sql`b.id IN ${list(batchId)}`, actor !== undefined && sql`b.actor = ${actor}`];
}

/** The conditions of entries of imports that move no units, where a search for other things than their kind left them out. */
function facts(search: EntrySearch): readonly Sql[] {
  const { kind, batchId, actor, withoutBatches } = search;
  if (kind === undefined || withoutBatches || (batchId === undefined && actor === undefined)) return [];
  const inImports = unindexed(sql`l.actor IS NULL AND l.batch_id IN (SELECT b.id FROM batches b WHERE ${all(importsOf(search))})`);
  return kindsAmong(kind, batchFactKinds).map((one) => sql`l.kind = ${one} AND ${isIndexedByKind} AND ${inImports}`);
}

/** The conditions of the imports that wrote entries of a search; undefined when none can have. */
function writers(search: EntrySearch): Sql | undefined {
  const { kind, withoutBatches, low, high } = search;
  const kinds = kindsAmong(kind, batchMovementKinds);
  if (withoutBatches || kinds.length === 0) return undefined;
  // A file of stock figures has entries of one kind, that of the first one.
  const first = sql`(SELECT f.kind FROM ledger f WHERE f.id = b.first_entry)`;
  const written = any([kinds.includes('opening') && sql`b.kind = 'pets'`, sql`(b.kind = 'stock' AND ${first} IN ${list(kinds)})`]);
  const bounds = sql`b.applied > 0 AND b.first_entry <= ${high} AND b.first_entry + 3 * b.applied >= ${low}`;
  return all([bounds, ...importsOf(search), kind && written]);
}

/** Whether an entry is of the transaction of import `s`. */
function isOwn(id: Sql): Sql {
  return sql`EXISTS (SELECT 1 FROM ledger l WHERE l.id = ${id} AND l.batch_id = s.id AND l.actor IS NULL)`;
}

/**
 * The runs (start, "end", applied) of imports: a binary search for the last entry of each. A row of a file has one to three
 * entries: its movement, a crossing of the low level or a hold, and a new category.
 */
function runsOf(imports: Sql): Sql {
  const middle = sql`(s.low + s.high) / 2`;
  const isExact = sql`${isOwn(sql`s.first_entry + s.applied - 1`)} AND NOT ${isOwn(sql`s.first_entry + s.applied`)}`;
  return sql`WITH RECURSIVE search (id, start, applied, low, high) AS (
    SELECT s.id, s.first_entry, s.applied, CASE WHEN ${isExact} THEN s.first_entry + s.applied ELSE s.first_entry END,
      CASE WHEN ${isExact} THEN s.first_entry + s.applied ELSE s.first_entry + 3 * s.applied END FROM (${imports}) AS s
    UNION ALL SELECT s.id, s.start, s.applied, CASE WHEN ${isOwn(middle)} THEN ${middle} + 1 ELSE s.low END, CASE WHEN ${isOwn(middle)} THEN s.high ELSE ${middle} END
      FROM search s WHERE s.low < s.high)
    SELECT start, low - 1 AS "end", applied FROM search WHERE low >= high AND low > start`;
}

const importsAtOnce = 50;

/** The runs that the first `limit` entries of imports are in. */
async function firstRuns(queries: Queries, search: EntrySearch, descending: boolean, limit: number): Promise<readonly Run[]> {
  const imports = writers(search);
  const found: Run[] = [];
  let [seen, isLast] = [0, imports === undefined];
  let beyond: Sql = nothing;
  while (!isLast && seen < limit) {
    const query = sql`SELECT b.id, b.first_entry, b.applied FROM batches b WHERE ${imports ?? nothing} ${beyond} ${orderBy(sql`b.id`, sql`b.id`, descending)} LIMIT ${importsAtOnce}`;
    const unsorted = await queries.all<Run>(runsOf(query));
    const runs = unsorted.toSorted((one, other) => (descending ? other.start - one.start : one.start - other.start));
    for (const run of runs) {
      const [start, end] = [Math.max(run.start, search.low), Math.min(run.end, search.high)];
      if (start > end) continue;
      found.push({ ...run, start, end });
      // A part of a run may have only entries of other kinds.
      if (start === run.start && end === run.end) seen += run.applied;
      if (seen >= limit) break;
    }
    isLast = runs.length < importsAtOnce;
    const last = runs.at(-1)?.start ?? 0;
    beyond = descending ? sql`AND b.first_entry < ${last}` : sql`AND b.first_entry > ${last}`;
  }
  return found;
}

/** A run of more entries is read in order, up to a limit; those of shorter runs are sorted. */
const shortRun = 1000;

function isShort({ start, end }: Run): boolean {
  return end - start < shortRun;
}

/** The condition of the movements of imports that a search is about; undefined for all of their entries. */
function movementsOf({ kind }: EntrySearch): Sql | undefined {
  return kind && unindexed(sql`l.delta IS NOT NULL AND l.kind IN ${list(kind)}`);
}

const position = sql`SELECT l.id AS id, l.id AS key`;

/** The first entries of a search that imports wrote. */
async function ofImports(queries: Queries, search: EntrySearch, { descending, limit }: Pick<Slice<'id'>, 'descending' | 'limit'>): Promise<readonly Sql[]> {
  const matching = movementsOf(search);
  const end = sql`${orderBy(sql`l.id`, sql`l.id`, descending)} LIMIT ${limit}`;
  const runs = await firstRuns(queries, search, descending, limit);
  const short = runs.filter(isShort).map((run) => sql`(CAST(${run.start} AS BIGINT), CAST(${run.end} AS BIGINT))`);
  const long = runs.filter((run) => !isShort(run)).map((run) => all([sql`l.id BETWEEN ${run.start} AND ${run.end}`, matching]));
  const within = all([sql`l.id BETWEEN r.column1 AND r.column2`, matching]);
  return [
    ...(short.length === 0 ? [] : [sql`${position} FROM (VALUES ${join(short, ', ')}) AS r CROSS JOIN ledger l WHERE ${within} ${end}`]),
    ...long.map((where) => sql`${position} FROM ledger l WHERE ${where} ${end}`),
  ];
}

/** The first entries (id, key) of a search by import, kind or actor; undefined when there are none. */
export async function searchEntries(queries: Queries, search: EntrySearch, slice: Pick<Slice<'id'>, 'descending' | 'limit'>): Promise<Sql | undefined> {
  const { descending, limit } = slice;
  const found = [...indexed(search), ...facts(search)].map(
    (where) =>
      sql`${position} FROM ledger l WHERE ${where} AND l.id BETWEEN ${search.low} AND ${search.high} ${orderBy(sql`l.id`, sql`l.id`, descending)} LIMIT ${limit}`,
  );
  const parts = [...found, ...(await ofImports(queries, search, slice))];
  return parts.length === 0 ? undefined : firstOf(parts, slice);
}

/** Counts the entries of a search. */
export async function countEntries(queries: Queries, search: EntrySearch): Promise<number> {
  const { low, high } = search;
  let count = 0;
  for (const where of [...indexed(search), ...facts(search)])
    count += await countRows(queries, sql`ledger l`, sql`${where} AND l.id BETWEEN ${low} AND ${high}`, undefined);
  const imports = writers(search);
  if (imports === undefined) return count;
  const runs = runsOf(sql`SELECT b.id, b.first_entry, b.applied FROM batches b WHERE ${imports}`);
  const where = all([sql`l.id BETWEEN r.start AND r."end" AND l.id BETWEEN ${low} AND ${high}`, movementsOf(search)]);
  return count + (await countRows(queries, sql`(${runs}) AS r CROSS JOIN ledger l`, where, undefined));
}
