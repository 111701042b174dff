import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { isLoopback } from '../contract/addresses.js';
import { clientKey } from './client-key.js';
import type { ServeOptions } from './server-options.js';

const defaultRequestsPerMinute = 600;

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
