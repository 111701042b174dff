import type { FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { wantsComplete } from './answers.js';
import { authorize, type Authenticate } from './authenticate.js';
import { commonHeaders } from './fastify-instance.js';
import type { RateLimits } from './rate-limit.js';
import { checkHost, checkOrigin, hostNames, isSafe, requestHost } from './origins.js';
import type { ServeOptions } from './server-options.js';
import { addVary, checkAccepted } from './content-negotiation.js';
import { checkHead, checkTarget } from './request-head.js';

/** Allows pages of other origins to use the shop (CORS), with any header: their requests have no cookie. */
async function enableCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  const { default: cors } = await import('@fastify/cors');
  const options = { origin: [...origins], methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], exposedHeaders: '*', maxAge: 600 };
  // Only preflights are answered here; any other OPTIONS lists the methods of a path.
  await app.register(cors, () => (request: FastifyRequest, answer: (error: Error | null, options: FastifyCorsOptions) => void) => {
    answer(null, { ...options, preflight: request.headers.origin !== undefined && request.headers['access-control-request-method'] !== undefined });
  });
}

/**
 * Checks every request before its route runs, in this order: head, host, target, origin, CORS preflight, Accept, token,
 * scope, rate limit. Each check names its refusals.
 */
export async function guardRequests(
  app: FastifyInstance,
  authenticate: Authenticate,
  { countRequest }: Pick<RateLimits, 'countRequest'>,
  options: ServeOptions,
): Promise<void> {
  app.decorateRequest('identity');
  app.decorateRequest('waitedMs', 0);
  const allowedHosts = hostNames(options.host, options.allowedHosts);
  app.addHook('onRequest', (request, reply, done) => {
    commonHeaders(request, reply);
    const host = requestHost(request);
    checkHead(request.raw);
    checkHost(host, allowedHosts);
    checkTarget(request.method, request.url);
    done();
  });
  // Sets its headers before the checks below, so that a page can read why they refuse.
  if (options.corsOrigins.length > 0) await enableCors(app, options.corsOrigins);
  app.addHook('onRequest', async (request, reply) => {
    const { scope, answers, isProbe } = request.routeOptions.config;
    // A client that accepts complete records gets other answers, refusals included.
    if (answers !== undefined) addVary(reply, 'accept');
    // A page of another origin may link to the pages of this server, but not read the shop.
    if (scope !== undefined || !isSafe(request.method)) checkOrigin(request.method, request.headers, requestHost(request), options.corsOrigins);
    if (answers !== undefined && !wantsComplete(request)) checkAccepted(request.headers.accept, answers);
    if (scope !== undefined) {
      const started = performance.now();
      try {
        const identity = await authenticate(request);
        if (scope !== 'any') authorize(identity, scope);
        request.identity = identity;
      } catch (error) {
        // Refused requests count as well, by address: otherwise tokens could be guessed without a limit.
        await countRequest?.(request, reply);
        throw error;
      }
      request.waitedMs = performance.now() - started;
    }
    if (countRequest !== undefined && isProbe !== true) await countRequest(request, reply);
  });
}
