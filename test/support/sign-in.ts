import { expect } from 'vitest';
import type { Scope } from '../../src/domain/tokens/token.js';
import type { Answer, ServedShop } from './server.js';

export type Headers = Readonly<Record<string, string>>;

/** What a browser sends with a request of a page of this server. */
export const ownPage: Headers = { 'sec-fetch-site': 'same-origin' };
/** The headers of a page of this server at localhost. */
export const localPage = { host: 'localhost:8080', ...ownPage };
export const allScopes = ['pets:read', 'pets:write', 'store:read', 'store:write', 'admin'];

/** Creates a token and returns its secret text. */
export async function newToken(
  { dependencies }: Pick<ServedShop, 'dependencies'>,
  scopes: readonly Scope[] = ['admin'],
  name = 'till',
  expiresAt?: string,
): Promise<string> {
  return (await dependencies.tokens.create({ name, scopes, expiresAt })).text;
}

/** Sends a token or a code to sign in. */
export function signIn({ http }: Pick<ServedShop, 'http'>, body: unknown, headers: Headers = localPage): Promise<Answer> {
  return http('POST', '/session', { headers, body });
}

/** The cookie of an answer, as a browser sends it back. */
export function cookieOf({ headers }: Answer): string {
  return (headers['set-cookie'] ?? expect.fail('The answer sets no cookie.')).split(';')[0] ?? '';
}

/** The headers of a page that has signed in with a new token of these scopes. */
export async function signedIn(
  served: ServedShop,
  scopes: readonly Scope[] = ['admin'],
  name = 'till',
): Promise<{ readonly headers: Headers; readonly secret: string }> {
  const answer = await signIn(served, { token: await newToken(served, scopes, name) });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const cookie = cookieOf(answer);
  return { headers: { ...localPage, cookie }, secret: cookie.slice(cookie.indexOf('=') + 1) };
}
