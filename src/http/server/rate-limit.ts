import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { isLoopback } from '../contract/addresses.js';
import type { ServeOptions } from './server-options.js';

/** Requests a minute for each token or address that is not on this machine. */
const usualLimit = 600;

/** What tells one client from another: its token, or else its address. */
export function clientKey({ visitor, ip }: Pick<FastifyRequest, 'visitor' | 'ip'>): string {
  return visitor?.token === undefined ? `address ${ip}` : `token ${visitor.token.id}`;
}

/** Counts one request for whoever asks: the token, once the door knows it, or else the address. Refuses with `rate_limited` beyond the limit. */
export type Limiter = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The limit on requests; none for a server that only this machine reaches, unless one was asked for. */
export async function rateLimiter(app: FastifyInstance, { host, socket, rateLimit }: ServeOptions): Promise<Limiter> {
  const max = rateLimit ?? (socket !== undefined || isLoopback(host) ? 0 : usualLimit);
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
    throw new StoreError('rate_limited', `${max} requests a minute are the limit; ask again in ${found.ttlInSeconds} s.`);
  };
}
