import type { Hook, HookDelivery } from '../../domain/hooks/hook.js';
import type { HookChange, HookDraft } from '../../domain/hooks/hook-keeper.js';
import type { SendingHook } from '../../domain/hooks/hook-queue.js';
import type { HookListFilter, HookWriter } from '../../domain/hooks/hook-table.js';
import { rotationMs } from '../../domain/hooks/hook.js';
import type { LedgerKind } from '../../domain/ledger/ledger-entry.js';
import type { LedgerPosition } from '../../domain/ledger/ledger-position.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { Column } from '../migrations/migrations.js';
import type { Queries } from '../queries.js';
import { all, list, sql, type Sql, type Value, raw } from '../sql.js';
import { assignments, columnsIn, selection, withoutNulls, type Nullable, updateRow } from './columns.js';
import { insertReturningId, nextId, highest } from './ids.js';
import { countRows, sliceOf } from './slices.js';

/** A hook as the database returns it: filters, flags and times have another form than in its record. */
interface StoredHook extends Nullable<Pick<Hook, 'id' | 'url' | 'categoryId' | 'batch' | 'state' | 'position' | 'attempts' | 'lastError'>> {
  readonly kinds: string | null;
  readonly petIds: string | null;
  readonly rowEvents: 0 | 1;
  readonly allowPrivate: 0 | 1;
  readonly nextAttemptAt: number;
  readonly lastSentAt: number | null;
  readonly createdAt: number;
}

const hookColumns = {
  id: 'id',
  url: 'url',
  categoryId: 'category_id',
  batch: 'batch',
  state: 'state',
  position: 'position',
  attempts: 'attempts',
  lastError: 'last_error',
  kinds: 'kinds',
  petIds: 'pet_ids',
  rowEvents: 'row_events',
  allowPrivate: 'allow_private',
  nextAttemptAt: 'next_attempt_at',
  lastSentAt: 'last_sent_at',
  createdAt: 'created_at',
} as const satisfies Record<keyof StoredHook, Column<'hooks'>>;

const secretColumns = { secret: 'secret', oldSecret: 'old_secret', oldUntil: 'old_until', mark: 'mark' } as const;

type Stored = StoredHook & { readonly newest: number };

type StoredSending = Stored & {
  readonly secret: string;
  readonly oldSecret: string | null;
  readonly oldUntil: number | null;
  readonly mark: string | null;
};

const newest = highest('ledger');
const shown = { ...columnsIn('hooks', hookColumns), newest };
const select = sql`SELECT ${selection(shown)} FROM hooks`;
const selectSending = sql`SELECT ${selection({ ...shown, ...columnsIn('hooks', secretColumns) })} FROM hooks`;

function filterOf({ kinds, petIds, rowEvents, categoryId }: Stored) {
  return {
    rows: rowEvents === 1,
    ...(kinds !== null && { kinds: kinds.split(' ') as LedgerKind[] }),
    ...(petIds !== null && { petId: petIds.split(' ').map(Number) }),
    ...(categoryId !== null && { categoryId }),
  };
}

function toHook(row: Stored): Hook {
  const { id, url, batch, state, position, attempts, lastError, allowPrivate, nextAttemptAt, lastSentAt, createdAt } = row;
  return {
    id,
    url,
    batch,
    state,
    position,
    attempts,
    ...filterOf(row),
    ...(lastError !== null && { lastError }),
    allowPrivate: allowPrivate === 1,
    waiting: Math.max(row.newest - position, 0),
    ...(nextAttemptAt > 0 && state === 'active' && { nextAttemptAt: formatDateTime(nextAttemptAt) }),
    ...(lastSentAt !== null && { lastSentAt: formatDateTime(lastSentAt) }),
    createdAt: formatDateTime(createdAt),
  };
}

function toSendingHook(row: StoredSending, now: number): SendingHook {
  const { id, url, batch, allowPrivate, position, mark, attempts, nextAttemptAt, secret, oldSecret, oldUntil } = row;
  return {
    ...filterOf(row),
    id,
    url,
    batch,
    allowPrivate: allowPrivate === 1,
    secrets: oldSecret !== null && (oldUntil ?? 0) > now ? [secret, oldSecret] : [secret],
    position: mark === null ? { id: position } : { id: position, mark },
    attempts,
    nextAttemptAt,
  };
}

function matching({ state, failing, unhealthy }: HookListFilter): Sql {
  return all([state && sql`state = ${state}`, failing === true && sql`attempts > 0`, unhealthy === true && sql`(state = 'paused' OR attempts > 0)`]);
}

const deliveryColumns = {
  id: 'id',
  at: 'at',
  event: 'event',
  type: 'type',
  attempt: 'attempt',
  milliseconds: 'milliseconds',
  status: 'status',
  error: 'error',
} as const satisfies Record<keyof HookDelivery, Column<'hook_deliveries'>>;

const selectDeliveries = sql`SELECT ${selection(columnsIn('hook_deliveries', deliveryColumns))} FROM hook_deliveries`;

type StoredDelivery = Nullable<Omit<HookDelivery, 'at'>> & { readonly at: number };

/** What takes a hook from the sender that holds it. */
const released = { holder: null, held_until: 0 } as const;

/** What resuming or moving a hook resets: it is sent to at once, and no sender holds it. */
const fresh = { attempts: 0, next_attempt_at: 0, last_error: null, ...released } as const;

/** The webhooks of one transaction, without their secrets. */
export function hookTable(queries: Queries): HookWriter {
  return {
    get: async (id) => {
      const found = await queries.get<Stored>(sql`${select} WHERE id = ${id}`);
      return found && toHook(found);
    },
    list: async (filter, slice) => (await queries.all<Stored>(sliceOf(select, [matching(filter)], slice, sql`id`))).map(toHook),
    count: (filter) => countRows(queries, sql`hooks`, matching(filter)),
    deliveries: async (id, slice) => {
      const rows = await queries.all<StoredDelivery>(sliceOf(selectDeliveries, [sql`hook_id = ${id}`], slice, sql`id`));
      return rows.map((row) => withoutNulls<HookDelivery>({ ...row, at: formatDateTime(row.at) }));
    },
    countDeliveries: (id) => countRows(queries, sql`hook_deliveries`, sql`hook_id = ${id}`),
    setState: async (id, state) => {
      const change = state === 'active' ? { state, ...fresh } : { state, ...released };
      // An active hook that waits for its next attempt is resumed too.
      await queries.run(sql`UPDATE hooks SET ${assignments<'hooks'>(change)} WHERE id = ${id} AND (state <> ${state} OR next_attempt_at > 0)`);
    },
  };
}

/** The active hooks, with their secrets, that no sender holds, that may be tried now, and whose position is not the end of the ledger. */
export async function freeHooks(queries: Queries, now: number): Promise<readonly SendingHook[]> {
  const isFree = sql`state = 'active' AND next_attempt_at <= ${now} AND (holder IS NULL OR held_until <= ${now}) AND position <> ${newest}`;
  return (await queries.all<StoredSending>(sql`${selectSending} WHERE ${isFree} ORDER BY id`)).map((row) => toSendingHook(row, now));
}

/** One hook with its secrets; undefined when unknown. */
export async function findSendingHook(queries: Queries, id: number, now: number): Promise<SendingHook | undefined> {
  const found = await queries.get<StoredSending>(sql`${selectSending} WHERE id = ${id}`);
  return found && toSendingHook(found, now);
}

const idList = (ids: readonly number[] | null | undefined): string | null => ids?.join(' ') ?? null;

/** Stores a new hook, which begins after the newest ledger entry, and returns its id. */
export async function insertHook(queries: Queries, draft: HookDraft, secret: string, now: number): Promise<number> {
  const { url, kinds, petId, categoryId, rows, batch, allowPrivate } = draft;
  return insertReturningId(queries, 'hooks', {
    id: nextId('hooks'),
    url,
    kinds: kinds?.join(' ') ?? null,
    pet_ids: idList(petId),
    category_id: categoryId ?? null,
    row_events: rows ? 1 : 0,
    batch,
    allow_private: allowPrivate ? 1 : 0,
    secret,
    old_secret: null,
    old_until: null,
    state: 'active',
    position: newest,
    mark: null,
    created_at: now,
    last_sent_at: null,
    ...fresh,
  });
}

/** Changes the fields of a hook that are given. */
export async function updateHook(queries: Queries, id: number, { url, kinds, petId, categoryId, rows, batch }: HookChange): Promise<void> {
  const change: Partial<Record<Column<'hooks'>, Value>> = {
    ...(url !== undefined && { url }),
    ...(kinds !== undefined && { kinds: kinds?.join(' ') ?? null }),
    ...(petId !== undefined && { pet_ids: idList(petId) }),
    ...(categoryId !== undefined && { category_id: categoryId }),
    ...(rows !== undefined && { row_events: rows ? 1 : 0 }),
    ...(batch !== undefined && { batch }),
    ...released,
  };
  await queries.run(updateRow('hooks', id, change));
}

/** Removes a hook and its deliveries. */
export async function deleteHook(queries: Queries, id: number): Promise<void> {
  await queries.run(sql`DELETE FROM hook_deliveries WHERE hook_id = ${id}`);
  await queries.run(sql`DELETE FROM hooks WHERE id = ${id}`);
}

/** Gives a hook another secret; the former one signs for a while too. */
export async function rotateSecret(queries: Queries, id: number, secret: string, now: number): Promise<void> {
  await queries.run(updateRow('hooks', id, { old_secret: raw('secret'), old_until: now + rotationMs, secret, ...released }));
}

/** Moves a hook to a position. */
export async function moveHook(queries: Queries, id: number, position: LedgerPosition): Promise<void> {
  await queries.run(updateRow('hooks', id, { position: position.id, mark: position.mark ?? null, ...fresh }));
}

/** Pauses every hook of a copied or restored shop, which must not send what the original sends. */
export async function pauseAllHooks(queries: Queries, reason: string): Promise<void> {
  await queries.run(sql`UPDATE hooks SET ${assignments<'hooks'>({ state: 'paused', last_error: reason, ...released })} WHERE state = 'active'`);
}

/** The name of the setting with the id that begins the event ids of the shop. */
const shopIdName = 'shop-id';

/** The id that begins the event ids of the shop; undefined before the first hook. */
export async function shopIdOf(queries: Queries): Promise<string | undefined> {
  return (await queries.get<{ readonly value: string }>(sql`SELECT value FROM settings WHERE name = ${shopIdName}`))?.value;
}

/** Gives the shop an id unless it has one. */
export async function ensureShopId(queries: Queries, id: string): Promise<void> {
  await queries.run(sql`INSERT INTO settings (name, value) VALUES (${shopIdName}, ${id}) ON CONFLICT (name) DO NOTHING`);
}

/** Where the entries of batches, and of the batches of closed counts, are in the ledger. Entries with an actor of their own are those of an undo, or of the codes of new pets. */
export async function entriesOfBatches(
  queries: Queries,
  ids: readonly number[],
  countIds: readonly number[],
): Promise<readonly { readonly id: number; readonly lastApplied: number; readonly lastUndone: number }[]> {
  const later = sql`coalesce((SELECT max(l.id) FROM ledger l WHERE l.batch_id = b.id AND l.actor IS NOT NULL), 0)`;
  return queries.all(sql`SELECT b.id AS id, CASE WHEN b.kind = 'pets' AND ${later} > b.last_entry THEN ${later} ELSE b.last_entry END AS "lastApplied",
    CASE WHEN b.kind = 'pets' THEN 0 ELSE ${later} END AS "lastUndone" FROM batches b WHERE b.id IN ${list(ids)} OR b.count_id IN ${list(countIds)}`);
}

/** The present categories of pets, by their ids. */
export async function categoriesOf(queries: Queries, petIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await queries.all<{ readonly id: number; readonly category: number }>(
    sql`SELECT id, category_id AS category FROM pets WHERE id IN ${list(petIds)}`,
  );
  return new Map(rows.map(({ id, category }) => [id, category]));
}
