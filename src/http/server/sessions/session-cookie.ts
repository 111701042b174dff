import type { FastifyRequest } from 'fastify';
import { StoreError } from '../../../domain/errors.js';
import type { Transport } from '../../../domain/sessions/session-keeper.js';
import { isLoopbackHost } from '../../contract/addresses.js';
import { hostParts, requestHost } from '../origins.js';

/** The parts of a request that its session depends on. */
export type SessionRequest = Pick<FastifyRequest, 'headers' | 'originalUrl' | 'method'>;

/** How the browser reaches the server, according to the proxy. The header is trusted from every sender: a client that forges it changes only its own cookie. */
export function transportOf({ headers }: Pick<SessionRequest, 'headers'>): Transport {
  return /^\s*https\s*(,|$)/i.test(String(headers['x-forwarded-proto'] ?? '')) ? 'https' : 'http';
}

/**
 * The cookie of a session. Over HTTPS the prefix `__Host-` keeps other hosts of the domain from setting it (RFC 6265bis,
 * 4.1.3.2); that requires the path `/`, so the base path is in the name. Otherwise the name has the port, because cookies are
 * shared by all ports of a host (RFC 6265, 8.5).
 */
function cookieOf(request: SessionRequest, basePath: string): { readonly name: string; readonly attributes: string } {
  if (transportOf(request) === 'https') {
    return { name: `__Host-petstore_session${basePath.replaceAll('/', '+')}`, attributes: 'Path=/; Secure; HttpOnly; SameSite=Strict' };
  }
  const { port = '80' } = hostParts(requestHost(request)) ?? {};
  return { name: `petstore_session_${port}`, attributes: `Path=${basePath || '/'}; HttpOnly; SameSite=Strict` };
}

/** Refuses with `origin_not_allowed` to sign in over plain HTTP, unless the browser runs on the same machine. */
export function checkEncryption(request: SessionRequest): void {
  const { name = '' } = hostParts(requestHost(request)) ?? {};
  if (transportOf(request) === 'https' || isLoopbackHost(name)) return;
  throw new StoreError(
    'origin_not_allowed',
    'Signing in over plain HTTP is only possible at localhost; use an https:// address, whose proxy sends X-Forwarded-Proto: https.',
  );
}

/** The text of the session in the cookie of a request, if it has one. */
export function sessionText(request: SessionRequest, basePath: string): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const start = `${cookieOf(request, basePath).name}=`;
  const found = cookie.split(';').find((pair) => pair.trimStart().startsWith(start));
  return found?.trim().slice(start.length);
}

/** The Set-Cookie header that starts a session with this text for a time, or removes it. */
export function setCookie(request: SessionRequest, basePath: string, text: string | undefined, maxAgeMs = 0): string {
  const { name, attributes } = cookieOf(request, basePath);
  return `${name}=${text ?? ''}; ${attributes}; Max-Age=${maxAgeMs / 1000}`;
}

/**
 * Refuses with `origin_not_allowed` a request with the cookie unless a page of this server sent it. Browsers send Sec-Fetch-Site;
 * `none` is a page that the user opens directly (Fetch Metadata, 2.3), but also a request of an extension, whose mode is not `navigate`.
 */
export function checkSentByOwnPage({ method, headers }: SessionRequest): void {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  const isPage = (method === 'GET' || method === 'HEAD') && (mode === undefined || mode === 'navigate');
  if (site === 'same-origin' || (site === 'none' && isPage)) return;
  throw new StoreError('origin_not_allowed', 'A session is only for the pages of this server (Sec-Fetch-Site: same-origin); programs send a token.');
}
