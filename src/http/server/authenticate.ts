import type { FastifyRequest } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { nameProblem, normalizeText } from '../../domain/values/text.js';
import { allows, type Scope, type Token } from '../../domain/tokens/token.js';
import type { TokenKeeper } from '../../domain/tokens/token-keeper.js';
import { failureEntry } from './errors.js';
import { isLoopback } from '../contract/addresses.js';
import type { ServerDependencies, ServeOptions } from './server-options.js';
import { headerNames, headerText } from '../contract/headers.js';

/** Who sent a request: the owner of a token, or the name in the actor header where no token is required. */
export interface Identity {
  readonly actor: string;
  readonly token?: Token;
}

/**
 * Finds out who sent a request. Refuses a missing token with `unauthenticated`, an unknown, expired or revoked one with
 * `invalid_token`, and an invalid actor header with `invalid_parameter`.
 */
export type Authenticate = (request: Pick<FastifyRequest, 'headers'>) => Promise<Identity>;

/** Refuses an identity whose token lacks a scope with `insufficient_scope`; without a token everything is allowed. */
export function authorize({ token }: Identity, scope: Scope): void {
  if (token === undefined || allows(token.scopes, scope)) return;
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

function actorIn(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  let name: string | undefined;
  try {
    name = normalizeText(headerText.read(String(header)));
  } catch {
    name = undefined;
  }
  if (name !== undefined && nameProblem(name) === undefined) return name;
  throw new StoreError('invalid_parameter', `${headerNames.actor}: must be a percent-encoded name of 1 to 100 characters.`);
}

async function tokenIn(header: string | undefined, tokens: TokenKeeper): Promise<Token> {
  const text = header === undefined ? undefined : /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (text === undefined) {
    throw new StoreError('unauthenticated', 'This shop requires a token: send Authorization: Bearer <token>.');
  }
  return tokens.check(text);
}

/** Whether a token was ever created. Concurrent requests share one look-up, and the answer yes is kept. */
function everCreated({ tokens }: Pick<ServerDependencies, 'tokens'>): () => Promise<boolean> {
  let shared: Promise<boolean> | undefined;
  return () => {
    if (shared) return shared;
    const lookUp = tokens.everCreated();
    shared = lookUp;
    const forget = (): void => void setImmediate(() => (shared = undefined));
    lookUp.then((ever) => (ever ? undefined : forget()), forget);
    return lookUp;
  };
}

/** The authentication of a server. `--auth auto` requires tokens from other machines, and from this one once a token was created. */
export function authenticator({ tokens, actor, log }: ServerDependencies, { host, socket, auth, insecureNoAuth }: ServeOptions): Authenticate {
  const hasTokens = everCreated({ tokens });
  const isTrusted = insecureNoAuth || socket !== undefined || isLoopback(host);
  const isTokenRequired = async (): Promise<boolean> => (auth === 'auto' ? !isTrusted || hasTokens() : auth === 'required');
  return async ({ headers }) => {
    const { authorization } = headers;
    // A token that is sent is checked even where none is required: its owner should learn that it is invalid.
    if (authorization === undefined && !(await isTokenRequired())) return { actor: actorIn(headers[headerNames.actor]) ?? actor };
    const token = await tokenIn(authorization, tokens);
    // Fire and forget: updates lastUsedAt, and skips the update when the shop is busy.
    tokens.used(token.id).catch((error: unknown) => log.error(failureEntry(error)));
    return { actor: token.name, token };
  };
}
