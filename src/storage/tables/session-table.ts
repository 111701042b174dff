import type { Column } from '../migrations/migrations.js';
import type { Queries } from '../queries.js';
import { raw, sql, type Sql } from '../sql.js';
import { columnsIn, insertInto, selection } from './columns.js';

/** A session as it is stored; times are ms since 1970. */
export interface StoredSession {
  /** The SHA-256 of its secret, in hexadecimal digits. */
  readonly digest: string;
  /** The token it was started with; null for a session of the owner of the machine. */
  readonly tokenId: number | null;
  /** The name of the owner; null for a session of a token. */
  readonly owner: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

const columns = {
  digest: 'digest',
  tokenId: 'token_id',
  owner: 'owner',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
} as const satisfies Record<keyof StoredSession, Column<'sessions'>>;

const all = sql`SELECT ${selection(columnsIn('sessions', columns))} FROM sessions`;

/** A session by the digest of its secret, also an expired one. */
export async function findSession(queries: Queries, digest: string): Promise<StoredSession | undefined> {
  return queries.get<StoredSession>(sql`${all} WHERE digest = ${digest}`);
}

/** All sessions, also expired ones, oldest first. */
export async function allSessions(queries: Queries): Promise<readonly StoredSession[]> {
  return queries.all<StoredSession>(sql`${all} ORDER BY created_at, digest`);
}

/** Stores a new session. */
export async function insertSession(queries: Queries, { digest, tokenId, owner, createdAt, expiresAt }: StoredSession): Promise<void> {
  await queries.run(insertInto('sessions', [{ digest, token_id: tokenId, owner, created_at: createdAt, expires_at: expiresAt }]));
}

/** Removes a session, if there is one. */
export async function deleteSession(queries: Queries, digest: string): Promise<void> {
  await queries.run(sql`DELETE FROM sessions WHERE digest = ${digest}`);
}

/** Removes the sessions of the owner of the machine. */
export async function deleteOwnerSessions(queries: Queries): Promise<void> {
  await queries.run(sql`DELETE FROM sessions WHERE token_id IS NULL`);
}

/** Removes the sessions that have expired. */
export async function deleteExpiredSessions(queries: Queries, now: number): Promise<void> {
  await queries.run(sql`DELETE FROM sessions WHERE expires_at <= ${now}`);
}

/** Removes the oldest sessions of a token, or of owners, so that `kept` remain. */
export async function deleteOldestSessions(queries: Queries, tokenId: number | null, kept: number): Promise<void> {
  const ofHolder: Sql = tokenId === null ? raw('token_id IS NULL') : sql`token_id = ${tokenId}`;
  await queries.run(sql`DELETE FROM sessions WHERE ${ofHolder} AND digest NOT IN
    (SELECT digest FROM sessions WHERE ${ofHolder} ORDER BY created_at DESC, digest LIMIT ${kept})`);
}
