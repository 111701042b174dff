import type { Queries } from '../engine.js';

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

// In memory for now: sessions end with the server.
const stored = new Map<string, StoredSession>();

/** A session by the digest of its secret, also an expired one. */
export async function findSession(_: Queries, digest: string): Promise<StoredSession | undefined> {
  return stored.get(digest);
}

/** Stores a new session. */
export async function insertSession(_: Queries, session: StoredSession): Promise<void> {
  stored.set(session.digest, session);
}

/** Removes a session, if there is one. */
export async function deleteSession(_: Queries, digest: string): Promise<void> {
  stored.delete(digest);
}

/** Removes the sessions that have expired. */
export async function deleteExpiredSessions(_: Queries, now: number): Promise<void> {
  for (const { digest, expiresAt } of stored.values()) if (expiresAt <= now) stored.delete(digest);
}

/** Removes the oldest sessions of a token, or of owners, so that `kept` remain. */
export async function deleteOldestSessions(_: Queries, tokenId: number | null, kept: number): Promise<void> {
  const own = [...stored.values()]
    .toReversed()
    .filter((one) => one.tokenId === tokenId)
    .toSorted((one, other) => other.createdAt - one.createdAt);
  for (const { digest } of own.slice(kept)) stored.delete(digest);
}
