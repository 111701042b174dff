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

/** The stored answer of a keyed request, with the digest of the request. */
export interface Replay {
  readonly digest: string;
  readonly answer: string;
}

/** How a sender used a key: for a request with its stored answer, or for an import with the id of its latest batch. */
export type KeyUse = Replay | { readonly batchId: number };

interface Found extends Replay {
  readonly batchId: number | null;
}

const keptForMs = 24 * 60 * 60 * 1000;

/** How a sender used a key: for a request of the last 24 hours, or for an import at any time; undefined when unused. */
export async function findKeyUse(queries: Queries, request: KeyedRequest): Promise<KeyUse | undefined> {
  const { key, sender, now } = request;
  const select = sql`SELECT * FROM (SELECT digest, answer, CAST(NULL AS BIGINT) AS "batchId" FROM replays
      WHERE key = ${key} AND sender = ${senderId(sender)} AND at > ${now - keptForMs}) AS r
    UNION ALL SELECT * FROM (SELECT '' AS digest, '' AS answer, id AS "batchId" FROM batches WHERE ${isKeyedBatch(request)} ORDER BY id DESC LIMIT 1) AS b`;
  const found = await queries.all<Found>(select);
  const use = found.find(({ batchId }) => batchId === null) ?? found[0];
  if (use === undefined) return undefined;
  return use.batchId === null ? { digest: use.digest, answer: use.answer } : { batchId: use.batchId };
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
