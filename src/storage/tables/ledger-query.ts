import { maximumCategories } from '../../domain/imports/pet-row.js';
import { batchKindsWithoutUnits, batchMovementKinds, batchUndoKinds, ledgerKinds, type LedgerKind } from '../../domain/ledger/ledger-entry.js';
import type { LedgerFilter } from '../../domain/ledger/ledger-table.js';
import type { Slice } from '../../domain/values/pages.js';
import type { Queries } from '../queries.js';
import { all, any, list, sql, unindexed, type OptionalCondition, type Sql } from '../sql.js';
import { countRows, sliceOf } from './slices.js';

/** The part of a filter that entries are found by; `low` and `high` are the first and the last id of the rest of it. */
export interface EntrySearch extends Pick<LedgerFilter, 'batchId' | 'kind' | 'actor'> {
  readonly withoutBatches: boolean;
  readonly low: number;
  readonly high: number;
}

const isIndexedByKind = sql`(l.actor IS NOT NULL OR l.delta IS NULL)`;

function kindsAmong(kind: readonly LedgerKind[] | undefined, kinds: readonly LedgerKind[]): readonly LedgerKind[] {
  return kind === undefined ? kinds : kinds.filter((one) => kind.includes(one));
}

/** The entries with an actor of their own, one condition for each look-up in an index. A search by kind alone also finds there the entries of imports that move no units. */
function byOwnActor({ batchId, kind, actor, withoutBatches }: EntrySearch): readonly Sql[] {
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

/** The conditions of imports `b` for a search. */
function importsOf({ batchId, actor }: EntrySearch): readonly OptionalCondition[] {
  // A range, not a single id: with that PostgreSQL would read the ledger from its end until it comes to the import.
  const between = batchId && sql`b.id BETWEEN ${Math.min(...batchId, Number.MAX_SAFE_INTEGER)} AND ${Math.max(...batchId, 0)}`;
  return [between, batchId && unindexed(sql`b.id IN ${list(batchId)}`), actor !== undefined && sql`b.actor = ${actor}`];
}

/** The entries of imports that move no units, for a search by batch or actor; `byOwnActor` finds them for a search by kind alone. */
function importEntriesWithoutUnits(search: EntrySearch): readonly Sql[] {
  const { kind, batchId, actor, withoutBatches } = search;
  if (kind === undefined || withoutBatches || (batchId === undefined && actor === undefined)) return [];
  const inImports = unindexed(sql`l.actor IS NULL AND l.batch_id IN (SELECT b.id FROM batches b WHERE ${all(importsOf(search))})`);
  return kindsAmong(kind, batchKindsWithoutUnits).map((one) => sql`l.kind = ${one} AND ${isIndexedByKind} AND ${inImports}`);
}

/** The conditions of the entries that are found by an index. */
function indexed(search: EntrySearch): readonly Sql[] {
  const between = sql`l.id BETWEEN ${search.low} AND ${search.high}`;
  return [...byOwnActor(search), ...importEntriesWithoutUnits(search)].map((where) => all([where, between]));
}

/** The ranges (id, first_id, last_id) of the entries of imports that a search is about; undefined when there are none. */
function rangesOf(search: EntrySearch): Sql | undefined {
  const { kind, withoutBatches, low, high } = search;
  const kinds = kindsAmong(kind, batchMovementKinds);
  if (withoutBatches || kinds.length === 0) return undefined;
  // A stock file has entries of one kind, that of the first one.
  const first = sql`(SELECT f.kind FROM ledger f WHERE f.id = b.first_entry)`;
  const ofKinds = any([kinds.includes('opening') && sql`b.kind = 'pets'`, sql`(b.kind = 'stock' AND ${first} IN ${list(kinds)})`]);
  const where = all([sql`b.first_entry <= b.last_entry AND b.first_entry <= ${high} AND b.last_entry >= ${low}`, ...importsOf(search), kind && ofKinds]);
  return sql`SELECT b.id, CASE WHEN b.first_entry > ${low} THEN b.first_entry ELSE ${low} END AS first_id,
    CASE WHEN b.last_entry < ${high} THEN b.last_entry ELSE ${high} END AS last_id FROM batches b WHERE ${where}`;
}

/** The condition of the entries `l` in the ranges `r`: with kinds only the movements, because an index has the others. */
function inRange({ kind }: EntrySearch, from: Sql, to: Sql): Sql {
  return all([sql`l.id BETWEEN ${from} AND ${to}`, kind && unindexed(sql`l.delta IS NOT NULL AND l.kind IN ${list(kind)}`)]);
}

/**
 * The first entries of a search that imports wrote. One import after the other is read, in the order of their entries, each up to
 * where the limit is reached at the latest: PostgreSQL sorts what it reads of one. A row of a file has one entry besides its
 * movement at most, a crossing of the low level or a hold, and new categories come first.
 */
function ofImports(search: EntrySearch, { descending, limit }: Pick<Slice<'id'>, 'descending' | 'limit'>): readonly Sql[] {
  const ranges = rangesOf(search);
  if (ranges === undefined) return [];
  const longest = 2 * limit + (descending ? 0 : maximumCategories);
  const isLong = sql`r.last_id - r.first_id > ${longest}`;
  const within = descending
    ? inRange(search, sql`CASE WHEN ${isLong} THEN r.last_id - ${longest} ELSE r.first_id END`, sql`r.last_id`)
    : inRange(search, sql`r.first_id`, sql`CASE WHEN ${isLong} THEN r.first_id + ${longest} ELSE r.last_id END`);
  return [
    sliceOf(
      sql`SELECT l.id AS id, l.id AS key FROM (${ranges}) AS r CROSS JOIN ledger l`,
      [within],
      { descending, limit, from: undefined },
      sql`l.id`,
      sql`r.id`,
    ),
  ];
}

/** Queries for the first entries (id, key) of a search by import, kind or actor. */
export function entryQueries(search: EntrySearch, { descending, limit }: Pick<Slice<'id'>, 'descending' | 'limit'>): readonly Sql[] {
  const slice = { descending, limit, from: undefined };
  const found = indexed(search).map((where) => sliceOf(sql`SELECT l.id AS id, l.id AS key FROM ledger l`, [where], slice, sql`l.id`));
  return [...found, ...ofImports(search, slice)];
}

/** Counts the entries of a search. */
export async function countEntries(queries: Queries, search: EntrySearch): Promise<number> {
  let count = 0;
  for (const where of indexed(search)) count += await countRows(queries, sql`ledger l`, where);
  const ranges = rangesOf(search);
  if (ranges === undefined) return count;
  return count + (await countRows(queries, sql`(${ranges}) AS r CROSS JOIN ledger l`, inRange(search, sql`r.first_id`, sql`r.last_id`)));
}
