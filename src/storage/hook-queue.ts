import type { Caller } from '../domain/caller.js';
import type { HookFilter } from '../domain/hooks/hook.js';
import { dueEvents, type BatchEntries, type DueEvents } from '../domain/hooks/hook-event.js';
import type { HookQueue, SendingHook } from '../domain/hooks/hook-queue.js';
import { batch as batchRecord, type Batch } from '../domain/imports/batch.js';
import { pickFields } from '../domain/values/fields.js';
import type { LedgerEntry } from '../domain/ledger/ledger-entry.js';
import { isInLedger, positionAfter, type LedgerPosition } from '../domain/ledger/ledger-position.js';
import { newestRows } from '../domain/values/pages.js';
import type { ReadTransaction } from '../domain/transaction.js';
import type { Engine } from './engine.js';
import type { Queries } from './queries.js';
import { insertDeliveries, skipEntries, storeProgress, takeHooks } from './tables/hook-progress.js';
import { activeHooks, batchesOfCounts, categoriesOf, entriesOfBatches, findSendingHook, shopIdOf } from './tables/hook-table.js';
import { readTransaction } from './transactions.js';

/** The entries that one read looks at for one hook. */
const entriesPerRead = 200;

function idsIn(entries: readonly LedgerEntry[], id: (entry: LedgerEntry) => number | undefined): readonly number[] {
  return [...new Set(entries.flatMap((entry) => id(entry) ?? []))];
}

/** The batches with these ids, without the errors of their rows. */
async function batchesById(tx: ReadTransaction, ids: readonly number[]): Promise<ReadonlyMap<number, Batch>> {
  const found = new Map<number, Batch>();
  for (const id of ids) {
    const details = await tx.batches.get(id);
    if (details === undefined) continue;
    found.set(id, pickFields(batchRecord.entries, details) as Batch);
  }
  return found;
}

async function batchEntries(tx: ReadTransaction, queries: Queries, ids: readonly number[]): Promise<ReadonlyMap<number, BatchEntries>> {
  if (ids.length === 0) return new Map();
  const batches = await batchesById(tx, ids);
  const ranges = await entriesOfBatches(queries, ids);
  return new Map(
    ranges.flatMap(({ id, ...range }) => {
      const batch = batches.get(id);
      return batch === undefined ? [] : [[id, { batch, ...range }] as const];
    }),
  );
}

async function countBatches(tx: ReadTransaction, queries: Queries, countIds: readonly number[]): Promise<ReadonlyMap<number, Batch>> {
  if (countIds.length === 0) return new Map();
  const found = await batchesOfCounts(queries, countIds);
  const batches = await batchesById(
    tx,
    found.map(({ id }) => id),
  );
  return new Map(found.flatMap(({ id, countId }) => (batches.has(id) ? [[countId, batches.get(id) as Batch] as const] : [])));
}

async function petCategories(queries: Queries, { categoryId }: HookFilter, entries: readonly LedgerEntry[]): Promise<ReadonlyMap<number, number>> {
  const ids = categoryId === undefined ? [] : idsIn(entries, ({ petId }) => petId);
  if (ids.length === 0) return new Map();
  return new Map((await categoriesOf(queries, ids)).map(({ petId, categoryId: category }) => [petId, category]));
}

/** What a hook has to send after its position. */
async function dueOf(
  tx: ReadTransaction,
  queries: Queries,
  hook: HookFilter & Pick<SendingHook, 'position'>,
  newest: LedgerPosition,
): Promise<DueEvents | undefined> {
  const { position, kinds, petId, rows } = hook;
  const seen = position.id === 0 ? undefined : await tx.ledger.get(position.id);
  if (!isInLedger(position, seen, newest.id)) return undefined;
  if (position.id >= newest.id) return { events: [], end: position };
  const filter = { kind: kinds, petId, after: position.id };
  const entries = await tx.ledger.list(filter, { sort: 'id', descending: false, from: undefined, limit: entriesPerRead });
  const last = entries.at(-1);
  const end = last !== undefined && entries.length === entriesPerRead ? positionAfter(last) : newest;
  return dueEvents(hook, {
    entries,
    end,
    batches: rows
      ? new Map()
      : await batchEntries(
          tx,
          queries,
          idsIn(entries, ({ batchId }) => batchId),
        ),
    countBatches: await countBatches(
      tx,
      queries,
      idsIn(entries, ({ kind, countId }) => (kind === 'count.closed' ? countId : undefined)),
    ),
    categories: await petCategories(queries, hook, entries),
  });
}

/** The webhooks of an engine, for their sender. */
export function hookQueue(engine: Engine, { clock }: Pick<Caller, 'clock'>): HookQueue {
  const again = { isRepeatable: true };
  return {
    active: () => engine.read((queries) => activeHooks(queries, clock()), again),
    get: (id) => engine.read((queries) => findSendingHook(queries, id, clock()), again),
    shopId: async () => (await engine.read(shopIdOf, again)) ?? '',
    due: (hooks) =>
      engine.read(async (queries) => {
        const tx = readTransaction(queries, { actor: '', scopes: undefined, clock });
        const newest = positionAfter((await tx.ledger.list({}, newestRows(1)))[0]);
        const due: (DueEvents | undefined)[] = [];
        for (const hook of hooks) due.push(await dueOf(tx, queries, hook, newest));
        return due;
      }, again),
    take: (ids, holder, until) => engine.write((queries) => takeHooks(queries, ids, holder, clock(), until)),
    store: (progress, holder) =>
      engine.write(async (queries) => {
        const stored = await storeProgress(queries, progress, holder);
        await insertDeliveries(queries, progress);
        return stored;
      }),
    skip: (moves) => engine.write((queries) => skipEntries(queries, moves, clock())),
  };
}
