import { maximumSessions, sessionMs } from '../domain/sessions/session.js';
import { StoreError } from '../domain/errors.js';
import {
  sessionIdLength,
  type ListedSession,
  type OpenSession,
  type SessionHolder,
  type SessionKeeper,
  type Transport,
} from '../domain/sessions/session-keeper.js';
import type { Token } from '../domain/tokens/token.js';
import { formatDateTime, parseDateTime } from '../domain/values/time.js';
import type { Caller } from '../domain/caller.js';
import type { Engine } from './engine.js';
import type { Queries, Work } from './queries.js';
import {
  allSessions,
  deleteExpiredSessions,
  deleteOldestSessions,
  deleteSession,
  findSession,
  insertSession,
  type StoredSession,
} from './tables/session-table.js';
import { findToken } from './tables/token-table.js';
import { newSecret, sha256 } from './secrets.js';
import { checkStillValid } from './token-keeper.js';

const textPattern = /^[\w-]{43}$/;

/** The digest of a session, which is another one for each transport: a secret in a cookie of the other transport is unknown. */
function sessionDigest(text: string, transport: Transport): string {
  return sha256(`${transport} ${text}`);
}

function expiryOf({ expiresAt }: Token): number {
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : (parseDateTime(expiresAt) ?? 0);
}

/** The token of a session, unless it was revoked or has expired. */
async function liveToken(queries: Queries, id: number, now: number): Promise<Token | undefined> {
  const found = await findToken(queries, id);
  return found !== undefined && expiryOf(found.token) > now ? found.token : undefined;
}

async function openSession(queries: Queries, { tokenId, owner, expiresAt }: StoredSession, now: number): Promise<OpenSession | undefined> {
  if (expiresAt <= now) return undefined;
  if (tokenId === null) return { name: owner ?? '', scopes: ['admin'], expiresAt: formatDateTime(expiresAt) };
  const token = await liveToken(queries, tokenId, now);
  return token && { name: token.name, scopes: token.scopes, token, expiresAt: formatDateTime(expiresAt) };
}

/** The valid sessions with their digests, oldest first. */
async function openSessions(queries: Queries, now: number): Promise<readonly { readonly digest: string; readonly listed: ListedSession }[]> {
  const found = [];
  for (const stored of await allSessions(queries)) {
    const { digest, tokenId, createdAt } = stored;
    const open = await openSession(queries, stored, now);
    if (open === undefined) continue;
    const { name, expiresAt } = open;
    const holder: ListedSession['holder'] = tokenId === null ? 'owner' : 'token';
    found.push({ digest, listed: { id: digest.slice(0, sessionIdLength), name, holder, createdAt: formatDateTime(createdAt), expiresAt } });
  }
  return found;
}

function storedSession(holder: SessionHolder, digest: string, now: number): StoredSession {
  const latest = now + sessionMs('owner' in holder ? ['admin'] : holder.token.scopes);
  const times = { digest, createdAt: now };
  if ('owner' in holder) return { ...times, tokenId: null, owner: holder.owner, expiresAt: latest };
  return { ...times, tokenId: holder.token.id, owner: null, expiresAt: Math.min(latest, expiryOf(holder.token)) };
}

/**
 * The sessions stored in an engine. Only the SHA-256 of a secret is stored. A session is looked up by that digest: how long an
 * index takes to compare digests tells nothing about a secret of 256 random bits.
 */
export function sessionKeeper(engine: Engine, { clock }: Pick<Caller, 'clock'>): SessionKeeper {
  return {
    start: async (holder, transport = 'http') => {
      const text = newSecret();
      const now = clock();
      const stored = storedSession(holder, sessionDigest(text, transport), now);
      const session = await engine.write(async (queries) => {
        if ('token' in holder) await checkStillValid(queries, { tokenId: holder.token.id, clock });
        await deleteExpiredSessions(queries, now);
        await deleteOldestSessions(queries, stored.tokenId, maximumSessions - 1);
        await insertSession(queries, stored);
        return openSession(queries, stored, now);
      });
      if (session === undefined) throw new Error('A new session was not open.');
      return { session, text, transport };
    },
    find: async (text, transport = 'http') => {
      if (!textPattern.test(text)) return undefined;
      const now = clock();
      const work: Work<OpenSession | undefined> = async (queries) => {
        const stored = await findSession(queries, sessionDigest(text, transport));
        return stored && openSession(queries, stored, now);
      };
      return engine.read(work);
    },
    list: async () => (await engine.read((queries) => openSessions(queries, clock()))).map(({ listed }) => listed),
    endEach: (choice, { dryRun } = {}) => {
      const isChosen = ({ id, holder }: ListedSession): boolean => choice === 'all' || (choice === 'owner' ? holder === 'owner' : id === choice.id);
      const work: Work<readonly ListedSession[]> = async (queries) => {
        const chosen = (await openSessions(queries, clock())).filter(({ listed }) => isChosen(listed));
        if (typeof choice === 'object' && chosen.length === 0) throw new StoreError('session_not_found', `There is no session ${choice.id}.`);
        for (const { digest } of chosen) await deleteSession(queries, digest);
        return chosen.map(({ listed }) => listed);
      };
      return engine.write(work, { dryRun });
    },
    end: async (text, transport = 'http') => {
      if (textPattern.test(text)) await engine.write((queries) => deleteSession(queries, sessionDigest(text, transport)));
    },
  };
}
