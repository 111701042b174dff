import type { FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { headerNames } from '../contract/headers.js';

const readableHeaders = [
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
const sendableHeaders = [
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

/** Lets the pages of other origins use the shop (CORS). */
export async function letPagesIn(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  const { default: cors } = await import('@fastify/cors');
  const options = {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: sendableHeaders,
    exposedHeaders: readableHeaders,
    maxAge: 600,
  };
  // Only what a browser asks before a request is answered here; any other OPTIONS asks what an address takes.
  await app.register(cors, () => (request: FastifyRequest, answer: (error: Error | null, options: FastifyCorsOptions) => void) => {
    answer(null, { ...options, preflight: request.headers.origin !== undefined && request.headers['access-control-request-method'] !== undefined });
  });
}
