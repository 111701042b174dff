import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { isLoopback } from '../contract/addresses.js';
import type { ServeOptions } from './server-options.js';

const defaultRequestsPerMinute = 600;

/** Identifies a client: by its token, otherwise by its address. */
export function clientKey({ identity, ip }: Pick<FastifyRequest, 'identity' | 'ip'>): string {
  return identity?.token === undefined ? `address ${ip}` : `token ${identity.token.id}`;
}

/** Counts one request of a client (`clientKey`); refuses with `rate_limited` above the limit. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The rate limit of a server; see `rateLimit` in `ServeOptions` for the default. */
export async function rateLimiter(app: FastifyInstance, { host, socket, rateLimit }: ServeOptions): Promise<CountRequest> {
  const max = rateLimit ?? (socket !== undefined || isLoopback(host) ? 0 : defaultRequestsPerMinute);
  if (max === 0) return async () => undefined;
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
