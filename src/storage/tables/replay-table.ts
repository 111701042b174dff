import { senderId, type SenderKey } from '../../domain/sender.js';
import type { Queries } from '../queries.js';
import { sql } from '../sql.js';
import { isKeyedBatch } from './batch-table.js';

/** A request under an idempotency key. */
export interface KeyedRequest extends SenderKey {
  /** Tells it from another request under the same key. */
  readonly digest: string;
  /** The present instant, in ms since 1970. */
  readonly now: number;
}

/** How a sender used a key: the digest of the request and its stored answer, or null for an import. */
export interface KeyUse {
  readonly digest: string | null;
  readonly answer: string | null;
}

const keptForMs = 24 * 60 * 60 * 1000;

/** How a sender used a key: for a request of the last 24 hours, or for an import at any time; undefined when unused. */
export async function findKeyUse(queries: Queries, request: Omit<KeyedRequest, 'digest'>): Promise<KeyUse | undefined> {
  const { key, sender, now } = request;
  const replays = sql`SELECT digest, answer FROM replays WHERE key = ${key} AND sender = ${senderId(sender)} AND at > ${now - keptForMs}`;
  const [use] = await queries.all<KeyUse>(sql`${replays} UNION ALL SELECT NULL, NULL FROM batches WHERE ${isKeyedBatch(request)}`);
  return use;
}

/** One of so many answers, by its time, also deletes old ones: a DELETE on every write costs too much. */
const writesPerDelete = 256;

/** Stores the answer of a request under its key, in place of one older than 24 hours. */
export async function keepReplay(queries: Queries, { key, sender, digest, now }: KeyedRequest, answer: string): Promise<void> {
  if (now % writesPerDelete === writesPerDelete - 1) await queries.run(sql`DELETE FROM replays WHERE at <= ${now - keptForMs}`);
  const insert = sql`INSERT INTO replays (key, sender, digest, answer, at) VALUES (${key}, ${senderId(sender)}, ${digest}, ${answer}, ${now})
    ON CONFLICT (key, sender) DO UPDATE SET digest = excluded.digest, answer = excluded.answer, at = excluded.at`;
  await queries.run(insert);
}
