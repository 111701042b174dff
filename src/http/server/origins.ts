import { loopbackNames } from '../contract/addresses.js';
import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { StoreError } from '../../domain/errors.js';
import { absoluteTarget } from './request-head.js';

/** The host names a server answers to, without ports: loopback, the bound address, and --allowed-host. */
export function hostNames(bound: string, allowed: readonly string[]): ReadonlySet<string> {
  const address = bound.includes(':') ? `[${bound}]` : bound;
  return new Set([...loopbackNames, address, ...allowed].map((name) => name.toLowerCase()));
}

/** The host of a request: the authority of an absolute target replaces the Host header, which must still be there (RFC 9112, 3.2.2). */
export function requestHost({ headers, originalUrl }: Pick<FastifyRequest, 'headers' | 'originalUrl'>): string | undefined {
  return headers.host && (absoluteTarget(originalUrl)?.authority ?? headers.host);
}

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?$/i;

/** The name and the port of a host, as in a Host header; undefined for an invalid one. */
export function hostParts(host: string | undefined): { readonly name: string; readonly port?: string } | undefined {
  const [, name, port] = hostPattern.exec(host ?? '') ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), ...(port !== undefined && { port }) };
}

/** Refuses an unknown host name with `misdirected_request`, against DNS rebinding; a missing one with `invalid_request`. */
export function checkHost(host: string | undefined, names: ReadonlySet<string>): void {
  if (host === undefined || host === '') throw new StoreError('invalid_request', 'The Host header is missing.');
  const name = hostParts(host)?.name;
  if (name !== undefined && names.has(name)) return;
  throw new StoreError('misdirected_request', 'This server does not accept that host name; allow it with --allowed-host.');
}

function originHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Whether a method changes nothing (RFC 9110, 9.2.1). */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Refuses a request of a page of another origin with `origin_not_allowed`, against CSRF. */
export function checkOrigin(
  method: string,
  { origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  host: string | undefined,
  allowed: readonly string[],
): void {
  if (origin === undefined && site === undefined) return;
  if (origin !== undefined && allowed.includes(origin)) return;
  const isSameHost = origin === undefined || originHost(origin) === host?.toLowerCase().replace(/:(80|443)$/, '');
  if (isSameHost && (site === undefined || site === 'same-origin' || site === 'none')) return;
  throw new StoreError(
    'origin_not_allowed',
    `Web pages of other origins may not ${isSafe(method) ? 'read' : 'change'} this shop; allow an origin with --cors-origin.`,
  );
}
