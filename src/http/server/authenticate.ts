import { StoreError } from '../../domain/errors.js';
import { nameProblem, normalizeText } from '../../domain/values/text.js';
import { allows, type Scope, type Token } from '../../domain/tokens/token.js';
import type { OpenSession } from '../../domain/sessions/session-keeper.js';
import type { TokenKeeper } from '../../domain/tokens/token-keeper.js';
import { failureEntry } from './errors.js';
import { isLoopback } from '../contract/addresses.js';
import { checkSentByOwnPage, sessionText, transportOf, type SessionRequest } from './sessions/session-cookie.js';
import type { ServerDependencies, ServeOptions } from './server-options.js';
import { headerNames } from '../contract/headers.js';
import { headerValue } from './call-options.js';

/** Who sent a request: the owner of a token or a session, or the name in the actor header where no token is required. */
export interface Identity {
  readonly actor: string;
  /** The token of the request, or the one that its session was started with. */
  readonly token?: Token;
  readonly session?: OpenSession;
}

/**
 * Finds out who sent a request. Refuses a missing token and a session that has ended with `unauthenticated`, an unknown, expired
 * or revoked token with `invalid_token`, a session that no page of this server sent with `origin_not_allowed`, and an invalid
 * actor header with `invalid_parameter`.
 */
export type Authenticate = (request: SessionRequest) => Promise<Identity>;

/** Refuses an identity whose token lacks a scope with `insufficient_scope`; without a token everything is allowed. */
export function authorize({ token }: Identity, scope: Scope | undefined): void {
  if (token === undefined || scope === undefined || allows(token.scopes, scope)) return;
  throw new StoreError('insufficient_scope', `The token "${token.name}" has the scopes ${token.scopes.join(', ')}; this requires ${scope}.`);
}

/** Refuses with `usage` to serve other machines without requiring a token. */
export async function checkExposure({ host, socket, auth, insecureNoAuth }: ServeOptions, { tokens }: ServerDependencies): Promise<void> {
  if (socket !== undefined || isLoopback(host) || insecureNoAuth) return;
  if (auth !== 'off' && (await tokens.everCreated())) return;
  throw new StoreError(
    'usage',
    `${host} can be reached from other machines, and ${auth === 'off' ? 'no token would be required' : 'there is no token yet'}.`,
    auth === 'off' ? { advice: 'Leave out --auth off, or add --insecure-no-auth.' } : { details: { reason: 'no_token' } },
  );
}

function actorIn(request: SessionRequest): string | undefined {
  const text = headerValue(request, headerNames.actor);
  if (text === undefined) return undefined;
  const name = normalizeText(text);
  if (nameProblem(name) === undefined) return name;
  throw new StoreError('invalid_parameter', `${headerNames.actor}: must be a percent-encoded name of 1 to 100 characters.`);
}

function missingToken(): StoreError {
  return new StoreError('unauthenticated', 'This shop requires a token: send Authorization: Bearer <token>.');
}

async function tokenIn(header: string, tokens: TokenKeeper): Promise<Token> {
  const text = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (text === undefined) throw missingToken();
  return tokens.check(text);
}

/** Whether a token was ever created. Concurrent requests share one look-up, and the answer yes is kept. */
function everCreated({ tokens }: Pick<ServerDependencies, 'tokens'>): () => Promise<boolean> {
  let shared: Promise<boolean> | undefined;
  return () => {
    if (shared) return shared;
    const forget = (): void => void setImmediate(() => (shared = undefined));
    shared = tokens.everCreated();
    shared.then((ever) => (ever ? undefined : forget()), forget);
    return shared;
  };
}

/** Whether a request must bring a token or a session. */
export type IsTokenRequired = () => Promise<boolean>;

/** When a server requires tokens: with `--auth auto` from other machines, and from this one once a token was created. */
export function tokenRequirement({ tokens }: Pick<ServerDependencies, 'tokens'>, { host, socket, auth, insecureNoAuth }: ServeOptions): IsTokenRequired {
  const hasTokens = everCreated({ tokens });
  const isTrusted = insecureNoAuth || socket !== undefined || isLoopback(host);
  if (auth === 'auto' && isTrusted) return hasTokens;
  return async () => auth !== 'off';
}

/** The authentication of a server: by the Authorization header, otherwise by the cookie of a session. */
export function authenticator({ tokens, sessions, actor, log }: ServerDependencies, basePath: string, isTokenRequired: IsTokenRequired): Authenticate {
  // Fire and forget: updates lastUsedAt, and skips the update when the shop is busy.
  const noteUse = ({ id }: Token): void => void tokens.used(id).catch((error: unknown) => log.error(failureEntry(error)));
  const bySession = async (request: SessionRequest, text: string): Promise<Identity | undefined> => {
    checkSentByOwnPage(request);
    const session = await sessions.find(text, transportOf(request));
    if (session?.token) noteUse(session.token);
    return session && { actor: session.name, ...(session.token && { token: session.token }), session };
  };
  return async (request) => {
    const { authorization } = request.headers;
    // A token that is sent is checked even where none is required: its owner should learn that it is invalid.
    if (authorization !== undefined) {
      const token = await tokenIn(authorization, tokens);
      noteUse(token);
      return { actor: token.name, token };
    }
    const session = sessionText(request, basePath);
    const identity = session === undefined ? undefined : await bySession(request, session);
    if (identity !== undefined) return identity;
    if (await isTokenRequired()) throw session === undefined ? missingToken() : new StoreError('unauthenticated', 'The session has ended; sign in again.');
    return { actor: actorIn(request) ?? actor };
  };
}
