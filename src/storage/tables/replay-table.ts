import { senderText, type OwnKey } from '../../domain/keys.js';
import type { Queries } from '../engine.js';
import { sql } from '../sql.js';
import { ownBatch } from './batch-table.js';

/** The answer kept for a keyed request, with the digest of what was asked. */
export interface Replay {
  readonly digest: string;
  readonly answer: string;
}

/** What a sender used a key for: a request whose answer is kept, or an import, by the id of its latest batch. */
export type KeyUse = Replay | { readonly batchId: number };

interface Found extends Replay {
  readonly batchId: number | null;
}

const keptForMs = 24 * 60 * 60 * 1000;

/**
 * What a sender used a key for: a request of the last 24 hours, or an import of any time. Requests from before schema 5
 * do not tell their sender; one of them is found by the digest of the same request.
 */
export async function findKeyUse(queries: Queries, own: OwnKey, digest: string, now: number): Promise<KeyUse | undefined> {
  const { key, sender } = own;
  const found = await queries.all<Found>(sql`SELECT * FROM (SELECT digest, answer, CAST(NULL AS BIGINT) AS "batchId" FROM replays
      WHERE key = ${key} AND (sender = ${senderText(sender)} OR (sender = '' AND digest = ${digest})) AND at > ${now - keptForMs}
      ORDER BY sender DESC LIMIT 1) AS r
    UNION ALL SELECT * FROM (SELECT '' AS digest, '' AS answer, id AS "batchId" FROM batches WHERE ${ownBatch(own)} ORDER BY id DESC LIMIT 1) AS b`);
  const use = found.find(({ batchId }) => batchId === null) ?? found[0];
  if (use === undefined) return undefined;
  return use.batchId === null ? { digest: use.digest, answer: use.answer } : { batchId: use.batchId };
}

/** Keeps an answer under the key of its sender and forgets those older than a day. */
export async function keepReplay(queries: Queries, { key, sender }: OwnKey, { digest, answer }: Replay, now: number): Promise<void> {
  await queries.run(sql`DELETE FROM replays WHERE at <= ${now - keptForMs}`);
  await queries.run(sql`INSERT INTO replays (key, sender, digest, answer, at) VALUES (${key}, ${senderText(sender)}, ${digest}, ${answer}, ${now})`);
}
