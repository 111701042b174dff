import type { Queries } from '../engine.js';
import { sql } from '../sql.js';

/** The answer kept for a keyed request, with the digest of what was asked. */
export interface Replay {
  readonly digest: string;
  readonly answer: string;
}

const keptFor = 24 * 60 * 60 * 1000;

/** The answer to an earlier request under a key of the last 24 hours. */
export async function findReplay(queries: Queries, key: string, now: number): Promise<Replay | undefined> {
  return queries.get<Replay>(sql`SELECT digest, answer FROM replays WHERE key = ${key} AND at > ${now - keptFor}`);
}

/** Keeps an answer under its key and forgets those older than a day. */
export async function keepReplay(queries: Queries, key: string, { digest, answer }: Replay, now: number): Promise<void> {
  await queries.run(sql`DELETE FROM replays WHERE at <= ${now - keptFor}`);
  await queries.run(sql`INSERT INTO replays (key, digest, answer, at) VALUES (${key}, ${digest}, ${answer}, ${now})`);
}
