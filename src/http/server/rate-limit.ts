import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { isLoopback } from '../contract/addresses.js';
import type { ServeOptions } from './server-options.js';

const defaultRequestsPerMinute = 600;

/**
 * The part of an address that one client has for itself: all of an IPv4 address, the first 64 bits of an IPv6 address.
 * A host picks the other 64 bits itself (RFC 4291, 2.5.1), so that it could pass for many clients.
 */
export function addressOfClient(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('%')[0]?.split('::') ?? [];
  const [groups, rest] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? 0 : 8 - (groups?.length ?? 0) - (rest?.length ?? 0);
  const all = [...(groups ?? []), ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...(rest ?? [])];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Identifies a client: by its token, otherwise by its address. All clients of a Unix socket, which have none, count as one. */
export function clientKey({ identity, ip }: Pick<FastifyRequest, 'identity'> & { readonly ip: string | undefined }): string {
  if (identity?.token !== undefined) return `token ${identity.token.id}`;
  return ip === undefined ? 'socket' : `address ${addressOfClient(ip)}`;
}

/** Counts one request of a client (`clientKey`); refuses with `rate_limited` above the limit. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The rate limit of a server, undefined for none; see `rateLimit` in `ServeOptions` for the default. */
export async function rateLimiter(app: FastifyInstance, { host, socket, rateLimit }: ServeOptions): Promise<CountRequest | undefined> {
  const max = rateLimit ?? (socket !== undefined || isLoopback(host) ? 0 : defaultRequestsPerMinute);
  if (max === 0) return undefined;
  const { default: plugin } = await import('@fastify/rate-limit');
  await app.register(plugin, { global: false });
  const count = app.createRateLimit({ max, timeWindow: '1 minute', keyGenerator: clientKey });
  return async (request, reply) => {
    const found = await count(request);
    if (found.isAllowed) return;
    reply.headers({ 'ratelimit-limit': String(found.max), 'ratelimit-remaining': String(found.remaining), 'ratelimit-reset': String(found.ttlInSeconds) });
    if (!found.isExceeded) return;
    reply.header('retry-after', String(found.ttlInSeconds));
    throw new StoreError('rate_limited', `More than ${max} requests a minute; try again in ${found.ttlInSeconds} s.`);
  };
}
