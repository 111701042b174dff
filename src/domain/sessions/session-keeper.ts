import type { CallOptions } from '../call.js';
import type { Scope, Token } from '../tokens/token.js';

/** A session that is valid now. */
export interface OpenSession {
  /** The name recorded in the ledger. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The token that it was started with; undefined for a session of the owner of the machine, who may do everything. */
  readonly token?: Token;
  /** RFC 3339 in UTC. */
  readonly expiresAt: string;
}

/** How the browser of a session reaches the server. A session that was started one way is unknown the other way. */
export type Transport = 'http' | 'https';

/** A new session and its text, which contains the secret and cannot be shown again. */
export interface NewSession {
  readonly session: OpenSession;
  readonly transport: Transport;
  readonly text: string;
}

/** How many characters of the digest of a session are its id. */
export const sessionIdLength = 12;

/** A session as a list shows it, without its secret. */
export interface ListedSession {
  /** The start of the digest of its secret, which cannot be derived from it. */
  readonly id: string;
  /** The name recorded in the ledger. */
  readonly name: string;
  readonly holder: 'token' | 'owner';
  /** RFC 3339 in UTC, as is the next one. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Which sessions to end: the one with an id, those of the owner of the machine, or all. */
export type SessionChoice = { readonly id: string } | 'owner' | 'all';

/**
 * Who starts a session: the holder of a token, or the owner of the machine under a name. A session of the owner depends on no token.
 * So all of them end when other people may have access than before: when a server of the shop starts, when its first token is
 * created, and when a token is revoked.
 */
export type SessionHolder = { readonly token: Token } | { readonly owner: string };

/** The sessions of a shop. Every server of the shop knows them. A method without a transport is for `http`. */
export interface SessionKeeper {
  /** Starts a session and removes expired ones. Refuses with `invalid_token` a token that was revoked or has expired in the meantime. */
  readonly start: (holder: SessionHolder, transport?: Transport) => Promise<NewSession>;
  /** The session with this text; undefined when it is unknown, has ended or expired, or its token was revoked or has expired. */
  readonly find: (text: string, transport?: Transport) => Promise<OpenSession | undefined>;
  /** The sessions that are valid now, oldest first. */
  readonly list: () => Promise<readonly ListedSession[]>;
  /** Ends the chosen ones of the valid sessions and returns them. Refuses with `session_not_found` an id that none has. */
  readonly endEach: (choice: SessionChoice, options?: Pick<CallOptions, 'dryRun'>) => Promise<readonly ListedSession[]>;
  /** Ends the session with this text, if there is one. */
  readonly end: (text: string, transport?: Transport) => Promise<void>;
}
