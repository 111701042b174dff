import plugin from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { isLoopback } from '../contract/addresses.js';
import { clientKey } from './client-key.js';
import type { ServeOptions } from './server-options.js';

const defaultRequestsPerMinute = 600;
const signInsPerMinute = 20;

/** Counts one request of a client; refuses with `rate_limited` above the limit. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The rate limits of a server. */
export interface RateLimits {
  /** Every request of a client (`clientKey`); undefined for no limit, see `rateLimit` in `ServeOptions` for the default. */
  readonly countRequest: CountRequest | undefined;
  /** Every attempt to sign in from an address. */
  readonly countSignIn: CountRequest;
}

/** The rate limits of one server, which has counted nothing. */
export async function rateLimits(app: FastifyInstance, { host, socket, rateLimit }: ServeOptions): Promise<RateLimits> {
  await app.register(plugin, { global: false });
  const limit = (max: number, noun: string, keyGenerator: (request: FastifyRequest) => string): CountRequest => {
    const count = app.createRateLimit({ max, timeWindow: '1 minute', keyGenerator });
    return async (request, reply) => {
      const found = await count(request);
      if (found.isAllowed) return;
      reply.headers({ 'ratelimit-limit': String(found.max), 'ratelimit-remaining': String(found.remaining), 'ratelimit-reset': String(found.ttlInSeconds) });
      if (!found.isExceeded) return;
      reply.header('retry-after', String(found.ttlInSeconds));
      throw new StoreError('rate_limited', `More than ${max} ${noun} a minute; try again in ${found.ttlInSeconds} s.`);
    };
  };
  const max = rateLimit ?? (socket !== undefined || isLoopback(host) ? 0 : defaultRequestsPerMinute);
  return {
    countRequest: max === 0 ? undefined : limit(max, 'requests', clientKey),
    countSignIn: limit(signInsPerMinute, 'attempts to sign in', ({ ip }) => clientKey({ ip })),
  };
}
