import { keptDeliveries } from '../../domain/hooks/hook.js';
import type { HookProgress } from '../../domain/hooks/hook-queue.js';
import { parseDateTime } from '../../domain/values/time.js';
import type { Queries } from '../queries.js';
import { join, list, sql, type Sql } from '../sql.js';
import { insertInto, partsOf } from './columns.js';
import { highestId } from './ids.js';

/** Takes active hooks that no other sender holds; answers the ids of those. */
export async function takeHooks(queries: Queries, ids: readonly number[], holder: string, now: number, until: number): Promise<readonly number[]> {
  const isFree = sql`(holder IS NULL OR holder = ${holder} OR held_until <= ${now})`;
  const taken = await queries.all<{ readonly id: number }>(
    sql`UPDATE hooks SET holder = ${holder}, held_until = ${until} WHERE id IN ${list(ids)} AND state = 'active' AND ${isFree} RETURNING id`,
  );
  return taken.map(({ id }) => id);
}

const big = (value: number | undefined): Sql => sql`CAST(${value ?? null} AS BIGINT)`;
const text = (value: string | undefined): Sql => sql`CAST(${value ?? null} AS TEXT)`;

/** The most hooks that one statement changes. */
const hooksPerStatement = 64;

/** Stores what a sender found out about hooks that it holds; answers the ids of those that it still held, from the same position. */
export async function storeProgress(queries: Queries, progress: readonly HookProgress[], holder: string): Promise<readonly number[]> {
  const stored: number[] = [];
  for (const part of partsOf(progress, hooksPerStatement)) {
    const rows = part.map(
      ({ id, from, position, attempts, nextAttemptAt, error, pauses, lastSentAt, heldUntil }) =>
        sql`(${big(id)}, ${big(from.id)}, ${big(position.id)}, ${text(position.mark)}, ${big(attempts)}, ${big(nextAttemptAt)}, ${text(error)}, ${big(pauses ? 1 : 0)}, ${big(lastSentAt)}, ${big(heldUntil)})`,
    );
    const found = await queries.all<{ readonly id: number }>(sql`UPDATE hooks SET position = p.column3, mark = p.column4, attempts = p.column5,
      next_attempt_at = p.column6, last_error = CASE p.column5 WHEN 0 THEN NULL ELSE coalesce(p.column7, last_error) END,
      state = CASE p.column8 WHEN 1 THEN 'paused' ELSE state END, last_sent_at = coalesce(p.column9, last_sent_at), held_until = p.column10,
      holder = CASE p.column10 WHEN 0 THEN NULL ELSE holder END
      FROM (VALUES ${join(rows)}) AS p WHERE hooks.id = p.column1 AND hooks.position = p.column2 AND hooks.holder = ${holder} RETURNING hooks.id AS id`);
    stored.push(...found.map(({ id }) => id));
  }
  return stored;
}

/** Stores the positions of hooks that had nothing to send. */
export async function skipEntries(queries: Queries, moves: readonly Pick<HookProgress, 'id' | 'from' | 'position'>[], now: number): Promise<void> {
  for (const part of partsOf(moves, hooksPerStatement)) {
    const rows = part.map(({ id, from, position }) => sql`(${big(id)}, ${big(from.id)}, ${big(position.id)}, ${text(position.mark)})`);
    await queries.run(sql`UPDATE hooks SET position = p.column3, mark = p.column4 FROM (VALUES ${join(rows)}) AS p
      WHERE hooks.id = p.column1 AND hooks.position = p.column2 AND (hooks.holder IS NULL OR hooks.held_until <= ${now})`);
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
