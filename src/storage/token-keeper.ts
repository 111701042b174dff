import { invalidField, StoreError } from '../domain/errors.js';
import { normalizeText } from '../domain/values/text.js';
import { checkedDraft, type Token } from '../domain/tokens/token.js';
import { parseToken, tokenText } from '../domain/tokens/token-text.js';
import type { TokenKeeper } from '../domain/tokens/token-keeper.js';
import type { Engine } from './engine.js';
import type { Queries, Work } from './queries.js';
import { crypto, newSecret, sha256 } from './secrets.js';
import type { Caller } from '../domain/caller.js';
import { deleteOwnerSessions } from './tables/session-table.js';
import { anyToken, findToken, findTokenNamed, insertToken, liveTokens, revokeToken, touchToken } from './tables/token-table.js';

const minuteMs = 60_000;
/** Compared when the id is unknown, so that the response time does not reveal which ids exist. */
const noDigest = '0'.repeat(64);

/** Compares digests in constant time. */
function isSame(digest: string, other: string): boolean {
  return crypto().timingSafeEqual(Buffer.from(digest, 'hex'), Buffer.from(other, 'hex'));
}

function checkExpiry({ expiresAt }: Token, now: number): void {
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now) throw new StoreError('invalid_token', `This token expired at ${expiresAt}.`);
}

/** The same message for every cause, to reveal nothing about existing tokens. */
function invalidToken(): StoreError {
  return new StoreError('invalid_token', 'This token is not valid.');
}

async function checkedToken(engine: Engine, text: string, now: number): Promise<Token> {
  const parsed = parseToken(text);
  if (parsed === undefined) throw invalidToken();
  const found = await engine.read((queries) => findToken(queries, parsed.id));
  const matches = isSame(sha256(parsed.secret), found?.digest ?? noDigest);
  if (found === undefined || !matches) throw invalidToken();
  checkExpiry(found.token, now);
  return found.token;
}

/** Refuses with `invalid_token`, inside a transaction, when the token was revoked or has expired since the request was authenticated. */
export async function checkStillValid(queries: Queries, { tokenId, clock }: Pick<Caller, 'tokenId' | 'clock'>): Promise<void> {
  if (tokenId === undefined) return;
  const found = await findToken(queries, tokenId);
  if (found === undefined) throw new StoreError('invalid_token', 'This token was revoked in the meantime; nothing was changed.');
  checkExpiry(found.token, clock());
}

/** The tokens stored in an engine. Only the SHA-256 of a secret is stored. */
export function tokenKeeper(engine: Engine, { clock }: Caller): TokenKeeper {
  /** The time of the last attempt to update `lastUsedAt`, by token id: these updates must not queue up while the shop is busy. */
  const lastAttemptMs = new Map<number, number>();
  return {
    create: async (draft, { dryRun } = {}) => {
      const checked = checkedDraft(draft);
      const secret = newSecret();
      const work: Work<Token> = async (queries) => {
        const other = await findTokenNamed(queries, checked.name);
        if (other) throw invalidField('name', `"${other.name}" is already the name of token ${other.id}`, { tokenId: other.id });
        if (!(await anyToken(queries))) await deleteOwnerSessions(queries);
        return insertToken(queries, checked, sha256(secret), clock());
      };
      const token = await engine.write(work, { dryRun });
      return { token, text: tokenText(token.id, secret) };
    },
    list: () => engine.read(liveTokens),
    revoke: (name, { dryRun } = {}) => {
      const work: Work<Token> = async (queries) => {
        const found = await findTokenNamed(queries, normalizeText(name));
        if (!found) throw new StoreError('token_not_found', `There is no token named "${name}".`);
        await revokeToken(queries, found.id, clock());
        await deleteOwnerSessions(queries);
        return found;
      };
      return engine.write(work, { dryRun });
    },
    check: (text) => checkedToken(engine, text, clock()),
    everCreated: () => engine.read(anyToken),
    used: async (id) => {
      const now = clock();
      if (now - (lastAttemptMs.get(id) ?? 0) < minuteMs) return;
      lastAttemptMs.set(id, now);
      try {
        await engine.write((queries) => touchToken(queries, id, now, now - minuteMs));
      } catch (error) {
        // A busy, full or read-only shop must not reject a valid token.
        if (!(error instanceof StoreError)) throw error;
      }
    },
  };
}
