import type { Column } from '../migrations/migrations.js';
import { columnsIn, selection } from './columns.js';
import type { Scope, Token, TokenDraft } from '../../domain/tokens/token.js';
import { formatDateTime, parseDateTime } from '../../domain/values/time.js';
import type { Queries } from '../queries.js';
import { sql, type Sql } from '../sql.js';
import { insertReturningId, nextId } from './ids.js';

interface Stored {
  readonly id: number;
  readonly name: string;
  readonly digest: string;
  readonly scopes: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
}

/** A token with the SHA-256 of its secret, in hexadecimal digits. */
export interface StoredToken {
  readonly token: Token;
  readonly digest: string;
}

const columns = {
  id: 'id',
  name: 'name',
  digest: 'digest',
  scopes: 'scopes',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
  expiresAt: 'expires_at',
} as const satisfies Record<keyof Stored, Column<'tokens'>>;

// Revoked tokens stay in the table but are never found.
const live = sql`SELECT ${selection(columnsIn('tokens', columns))} FROM tokens WHERE revoked_at IS NULL`;

function toToken({ id, name, scopes, createdAt, lastUsedAt, expiresAt }: Stored): Token {
  return {
    id,
    name,
    scopes: scopes.split(' ') as Scope[],
    createdAt: formatDateTime(createdAt),
    ...(lastUsedAt !== null && { lastUsedAt: formatDateTime(lastUsedAt) }),
    ...(expiresAt !== null && { expiresAt: formatDateTime(expiresAt) }),
  };
}

async function findLive(queries: Queries, condition: Sql): Promise<StoredToken | undefined> {
  const found = await queries.get<Stored>(sql`${live} AND ${condition}`);
  return found && { token: toToken(found), digest: found.digest };
}

/** A live token by its id; undefined when unknown or revoked. */
export async function findToken(queries: Queries, id: number): Promise<StoredToken | undefined> {
  return findLive(queries, sql`id = ${id}`);
}

/** A live token by its name; undefined when unknown or revoked. */
export async function findTokenNamed(queries: Queries, name: string): Promise<Token | undefined> {
  return (await findLive(queries, sql`name = ${name}`))?.token;
}

/** The live tokens, oldest first. */
export async function liveTokens(queries: Queries): Promise<readonly Token[]> {
  return (await queries.all<Stored>(sql`${live} ORDER BY id`)).map(toToken);
}

/** Whether a token was ever created, revoked ones included. */
export async function anyToken(queries: Queries): Promise<boolean> {
  return (await queries.get(sql`SELECT id FROM tokens LIMIT 1`)) !== undefined;
}

/** Stores a new token and returns it with its id. */
export async function insertToken(queries: Queries, { name, scopes, expiresAt }: TokenDraft, digest: string, now: number): Promise<Token> {
  const row = {
    id: nextId('tokens'),
    name,
    digest,
    scopes: scopes.join(' '),
    created_at: now,
    last_used_at: null,
    expires_at: expiresAt === undefined ? null : (parseDateTime(expiresAt) ?? null),
    revoked_at: null,
  };
  const id = await insertReturningId(queries, 'tokens', row);
  return { id, name, scopes, createdAt: formatDateTime(now), ...(expiresAt !== undefined && { expiresAt }) };
}

/** Marks a token as revoked. */
export async function revokeToken(queries: Queries, id: number, now: number): Promise<void> {
  await queries.run(sql`UPDATE tokens SET revoked_at = ${now} WHERE id = ${id}`);
}

/** Updates `lastUsedAt`, unless it is already later than `since`. */
export async function touchToken(queries: Queries, id: number, now: number, since: number): Promise<void> {
  await queries.run(sql`UPDATE tokens SET last_used_at = ${now} WHERE id = ${id} AND coalesce(last_used_at, 0) <= ${since}`);
}
