import { loopbackNames } from '../contract/addresses.js';
import type { IncomingHttpHeaders } from 'node:http';
import { StoreError } from '../../domain/errors.js';
import { type Scope, type Token, allows } from '../../domain/tokens/token.js';
import type { TokenKeeper } from '../../domain/tokens/token-keeper.js';

/** When a request must bring a token. */
export type Auth = 'auto' | 'required' | 'off';

/** The names a server answers to, without ports: those of this machine, the bound address, and what was allowed besides. */
export function hostNames(bound: string, allowed: readonly string[]): ReadonlySet<string> {
  const address = bound.includes(':') ? `[${bound}]` : bound;
  return new Set([...loopbackNames, address, ...allowed].map((name) => name.toLowerCase()));
}

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?$/i;

/** Refuses a request for a name the server does not answer to: a page elsewhere could have pointed its name here (DNS rebinding). */
export function checkHost(host: string | undefined, names: ReadonlySet<string>): void {
  if (host === undefined || host === '') throw new StoreError('invalid_request', 'The request names no host.');
  const name = hostPattern.exec(host)?.[1]?.toLowerCase();
  if (name !== undefined && names.has(name)) return;
  throw new StoreError('misdirected_request', 'This server does not answer to that host name; allow it with --allowed-host.');
}

function originHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Refuses a change that a page of another origin asks for in the name of who looks at it (CSRF). */
export function checkOrigin(method: string, { origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders, allowed: readonly string[]): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  if (origin === undefined && site === undefined) return;
  if (origin !== undefined && allowed.includes(origin)) return;
  const own = origin === undefined || originHost(origin) === host?.toLowerCase().replace(/:(80|443)$/, '');
  if (own && (site === undefined || site === 'same-origin' || site === 'none')) return;
  throw new StoreError('origin_not_allowed', 'Pages of another origin may not change this shop; allow one with --cors-origin.');
}

/** Decides whether requests must bring a token: always where others may reach the server, elsewhere once a token was ever created. */
export async function tokenNeeded(auth: Auth, trusted: boolean, everCreated: TokenKeeper['everCreated']): Promise<boolean> {
  if (auth !== 'auto') return auth === 'required';
  return !trusted || everCreated();
}

/** The token a request brings; refuses `unauthenticated` without one, and `invalid_token`. */
export async function bearer(header: string | undefined, tokens: TokenKeeper): Promise<Token> {
  const text = header === undefined ? undefined : /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (text === undefined) throw new StoreError('unauthenticated', 'This shop asks for a token: send Authorization: Bearer <token>.', 'petstore token create');
  return tokens.check(text);
}

/** Refuses a token that does not allow what is asked with `insufficient_scope`. */
export function checkScope({ name, scopes }: Pick<Token, 'name' | 'scopes'>, needed: Scope): void {
  if (allows(scopes, needed)) return;
  throw new StoreError('insufficient_scope', `The token "${name}" has the scopes ${scopes.join(', ')}; this takes ${needed}.`);
}
