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

/** A new session and its text, which contains the secret and cannot be shown again. */
export interface NewSession {
  readonly session: OpenSession;
  readonly text: string;
}

/** Who starts a session: the holder of a token, or the owner of the machine under a name. */
export type SessionHolder = { readonly token: Token } | { readonly owner: string };

/** The sessions of a shop. Every server of the shop knows them. */
export interface SessionKeeper {
  /** Starts a session and removes expired ones. Refuses with `invalid_token` a token that was revoked or has expired in the meantime. */
  readonly start: (holder: SessionHolder) => Promise<NewSession>;
  /** The session with this text; undefined when it is unknown, has ended or expired, or its token was revoked or has expired. */
  readonly find: (text: string) => Promise<OpenSession | undefined>;
  /** Ends the session with this text, if there is one. */
  readonly end: (text: string) => Promise<void>;
}
