import type { FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { headerNames } from '../contract/headers.js';

const exposedHeaders = [
  'etag',
  'link',
  'location',
  'x-total-count',
  'x-request-id',
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'accept-patch',
  'deprecation',
  'sunset',
  headerNames.stability,
  headerNames.replayed,
];
const allowedHeaders = [
  'authorization',
  'content-type',
  'if-match',
  'if-none-match',
  headerNames.key,
  headerNames.lastEventId,
  headerNames.note,
  headerNames.dryRun,
  headerNames.actor,
  'x-request-id',
];

/** Allows pages of other origins to use the shop (CORS). */
export async function enableCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  const { default: cors } = await import('@fastify/cors');
  const options = {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: allowedHeaders,
    exposedHeaders: exposedHeaders,
    maxAge: 600,
  };
  // Only preflights are answered here; any other OPTIONS lists the methods of a path.
  await app.register(cors, () => (request: FastifyRequest, answer: (error: Error | null, options: FastifyCorsOptions) => void) => {
    answer(null, { ...options, preflight: request.headers.origin !== undefined && request.headers['access-control-request-method'] !== undefined });
  });
}
