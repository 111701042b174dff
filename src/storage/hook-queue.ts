import type { Caller } from '../domain/caller.js';
import type { HookFilter } from '../domain/hooks/hook.js';
import { dueEvents, type BatchEntries, type DueEvents, type LedgerPage } from '../domain/hooks/hook-event.js';
import type { HookQueue } from '../domain/hooks/hook-queue.js';
import { batch as batchRecord, type Batch } from '../domain/imports/batch.js';
import { pickFields } from '../domain/values/fields.js';
import type { LedgerEntry } from '../domain/ledger/ledger-entry.js';
import { withNames } from '../domain/ledger/names-of-entries.js';
import { isInLedger, positionAfter, type LedgerPosition } from '../domain/ledger/ledger-position.js';
import { newestRows, oldestRows } from '../domain/values/pages.js';
import type { ReadTransaction } from '../domain/transaction.js';
import type { Engine } from './engine.js';
import type { Queries } from './queries.js';
import { insertDeliveries, skipEntries, storeProgress, takeHooks } from './tables/hook-progress.js';
import { categoriesOf, entriesOfBatches, findSendingHook, freeHooks, shopIdOf } from './tables/hook-table.js';
import { readTransaction } from './transactions.js';

/** The entries of one page. */
const entriesPerRead = 200;

/** Which page of the ledger to read. */
interface PageQuery extends Pick<HookFilter, 'kinds' | 'petId'> {
  readonly after: number;
}

async function readPage(tx: ReadTransaction, queries: Queries, newest: LedgerPosition, { kinds, petId, after }: PageQuery): Promise<LedgerPage> {
  const entries = await tx.ledger.list({ kind: kinds, petId, after }, oldestRows(entriesPerRead));
  const ids = (id: (entry: LedgerEntry) => number | undefined): readonly number[] => [...new Set(entries.flatMap((entry) => id(entry) ?? []))];
  const batchIds = ids(({ batchId }) => batchId);
  const closedCounts = ids(({ kind, countId }) => (kind === 'count.closed' ? countId : undefined));
  const batches = new Map<number, BatchEntries>();
  for (const { id, ...range } of await entriesOfBatches(queries, batchIds, closedCounts)) {
    const details = await tx.batches.get(id);
    // Without the errors of its rows.
    if (details !== undefined) batches.set(id, { batch: pickFields(batchRecord.entries, details) as Batch, ...range });
  }
  const pets = ids((entry) => entry.petId);
  return {
    entries: await withNames(tx, entries),
    end: entries.length === entriesPerRead ? positionAfter(entries.at(-1)) : newest,
    batches,
    categories: await categoriesOf(queries, pets),
  };
}

/** Reads each thing once, however many hooks ask for it. */
function shared<Query, Found>(read: (query: Query) => Promise<Found>): (query: Query) => Promise<Found> {
  const found = new Map<string, Promise<Found>>();
  return (query) => {
    const key = JSON.stringify(query);
    const answer = found.get(key) ?? read(query);
    found.set(key, answer);
    return answer;
  };
}

/** What hooks have to send after their positions, most of which are the same. */
async function dueOf(queries: Queries, hooks: Parameters<HookQueue['due']>[0], clock: () => number): Promise<readonly (DueEvents | undefined)[]> {
  const tx = readTransaction(queries, { actor: '', scopes: undefined, clock });
  const [last] = await tx.ledger.list({}, newestRows(1));
  const newest = positionAfter(last);
  const isKnown = shared(async (position: LedgerPosition) =>
    isInLedger(position, position.id === newest.id ? last : await tx.ledger.get(position.id), newest.id),
  );
  const page = shared((query: PageQuery) => readPage(tx, queries, newest, query));
  const due: (DueEvents | undefined)[] = [];
  for (const hook of hooks) {
    const { position, kinds, petId } = hook;
    if (!(await isKnown(position))) due.push(undefined);
    else if (position.id >= newest.id) due.push({ events: [], end: position });
    else {
      const all = await page({ after: position.id });
      // A hook that is further behind reads only what it may send.
      due.push(dueEvents(hook, all.end.id >= newest.id ? all : await page({ after: position.id, kinds, petId })));
    }
  }
  return due;
}

/** The webhooks of an engine, for their sender. */
export function hookQueue(engine: Engine, { clock }: Pick<Caller, 'clock'>): HookQueue {
  return {
    free: () => engine.read((queries) => freeHooks(queries, clock())),
    get: (id) => engine.read((queries) => findSendingHook(queries, id, clock())),
    shopId: async () => (await engine.read(shopIdOf)) ?? '',
    due: (hooks) => engine.read((queries) => dueOf(queries, hooks, clock)),
    take: (ids, holder, until) => engine.write((queries) => takeHooks(queries, ids, holder, clock(), until)),
    store: (progress, holder) =>
      engine.write(async (queries) => {
        const stored = await storeProgress(queries, progress, holder);
        await insertDeliveries(
          queries,
          progress.filter(({ id }) => stored.includes(id)),
        );
        return stored;
      }),
    skip: (moves) => engine.write((queries) => skipEntries(queries, moves, clock())),
  };
}
