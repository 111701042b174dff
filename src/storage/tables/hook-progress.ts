import { keptDeliveries } from '../../domain/hooks/hook.js';
import type { HookProgress } from '../../domain/hooks/hook-queue.js';
import { parseDateTime } from '../../domain/values/time.js';
import type { Queries } from '../queries.js';
import { list, sql } from '../sql.js';
import { columnsOf } from '../migrations/migrations.js';
import { insertInto, partsOf, valuesTable } from './columns.js';
import { highestId } from './ids.js';

/** Takes active hooks that no other sender holds; answers the ids of those. */
export async function takeHooks(queries: Queries, ids: readonly number[], holder: string, now: number, until: number): Promise<readonly number[]> {
  const isFree = sql`(holder IS NULL OR holder = ${holder} OR held_until <= ${now})`;
  const taken = await queries.all<{ readonly id: number }>(
    sql`UPDATE hooks SET holder = ${holder}, held_until = ${until} WHERE id IN ${list(ids)} AND state = 'active' AND ${isFree} RETURNING id`,
  );
  return taken.map(({ id }) => id);
}

/** The most hooks that one statement changes. */
const hooksPerStatement = 64;

const types = { ...columnsOf('hooks'), start: 'number' } as const;

/** The values of a hook that moves in the ledger; `start` is the position that it must still have. */
function moveOf({ id, from, position }: Pick<HookProgress, 'id' | 'from' | 'position'>) {
  return { id, start: from.id, position: position.id, mark: position.mark };
}

const isAtStart = sql`hooks.id = p.id AND hooks.position = p.start`;

/** Stores what a sender found out about hooks that it holds; answers the ids of those that it still held, from the same position. */
export async function storeProgress(queries: Queries, progress: readonly HookProgress[], holder: string): Promise<readonly number[]> {
  const stored: number[] = [];
  for (const part of partsOf(progress, hooksPerStatement)) {
    const rows = part.map(({ id, from, position, attempts, nextAttemptAt, error, pauses, lastSentAt, heldUntil }) => ({
      ...moveOf({ id, from, position }),
      attempts,
      next_attempt_at: nextAttemptAt,
      last_error: error,
      state: pauses ? 'paused' : undefined,
      last_sent_at: lastSentAt,
      held_until: heldUntil,
    }));
    const found = await queries.all<{ readonly id: number }>(sql`WITH ${valuesTable('p', rows, types)}
      UPDATE hooks SET position = p.position, mark = p.mark, attempts = p.attempts, next_attempt_at = p.next_attempt_at,
      last_error = CASE p.attempts WHEN 0 THEN NULL ELSE coalesce(p.last_error, hooks.last_error) END, state = coalesce(p.state, hooks.state),
      last_sent_at = coalesce(p.last_sent_at, hooks.last_sent_at), held_until = p.held_until, holder = CASE p.held_until WHEN 0 THEN NULL ELSE hooks.holder END
      FROM p WHERE ${isAtStart} AND hooks.holder = ${holder} RETURNING hooks.id AS id`);
    stored.push(...found.map(({ id }) => id));
  }
  return stored;
}

/** Stores the positions of hooks that had nothing to send. */
export async function skipEntries(queries: Queries, moves: readonly Pick<HookProgress, 'id' | 'from' | 'position'>[], now: number): Promise<void> {
  for (const part of partsOf(moves, hooksPerStatement)) {
    await queries.run(sql`WITH ${valuesTable('p', part.map(moveOf), types)} UPDATE hooks SET position = p.position, mark = p.mark FROM p
      WHERE ${isAtStart} AND (hooks.holder IS NULL OR hooks.held_until <= ${now})`);
  }
}

/** Records attempts to send, and removes all but the last of each hook. */
export async function insertDeliveries(queries: Queries, progress: readonly Pick<HookProgress, 'id' | 'deliveries'>[]): Promise<void> {
  let last = await highestId(queries, 'hook_deliveries');
  const rows = progress.flatMap(({ id, deliveries }) =>
    deliveries.slice(-keptDeliveries).map(({ at, event, type, attempt, milliseconds, status, error }) => ({
      id: (last += 1),
      hook_id: id,
      at: parseDateTime(at) ?? 0,
      event,
      type,
      attempt,
      milliseconds,
      status: status ?? null,
      error: error ?? null,
    })),
  );
  if (rows.length === 0) return;
  for (const part of partsOf(rows)) await queries.run(insertInto('hook_deliveries', part));
  const ids = progress.filter(({ deliveries }) => deliveries.length > 0).map(({ id }) => id);
  const placed = sql`SELECT id, row_number() OVER (PARTITION BY hook_id ORDER BY id DESC) AS place FROM hook_deliveries WHERE hook_id IN ${list(ids)}`;
  await queries.run(sql`DELETE FROM hook_deliveries WHERE id IN (SELECT id FROM (${placed}) AS d WHERE place > ${keptDeliveries})`);
}
