import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../../domain/tokens/token.js';
import { asksRows } from './answers.js';
import { checkAllowed, type Door, type Visitor } from './authenticate.js';
import { commonHeaders } from './fastify-instance.js';
import { rateLimiter } from './rate-limit.js';
import { letPagesIn } from './cors.js';
import type { ServeOptions } from './server-options.js';
import { checkAccepted } from './request-head.js';

/** Lets in who may come in, before any route is asked; refuses everything that a route should not see. */
export async function guardRequests(app: FastifyInstance, { check, whoIs }: Door, options: ServeOptions): Promise<void> {
  app.decorateRequest('visitor');
  const limit = await rateLimiter(app, options);
  const admit = async (request: FastifyRequest, reply: FastifyReply, scope: Scope | 'any'): Promise<Visitor> => {
    try {
      const visitor = await whoIs(request);
      if (scope !== 'any') checkAllowed(visitor, scope);
      return visitor;
    } catch (error) {
      await limit(request, reply);
      throw error;
    }
  };
  app.addHook('onRequest', (request, reply, done) => {
    commonHeaders(request, reply);
    check(request);
    done();
  });
  // Before anything else refuses, so that a page can read why.
  if (options.corsOrigins.length > 0) await letPagesIn(app, options.corsOrigins);
  app.addHook('onRequest', async (request, reply) => {
    const { scope, answers, isProbe } = request.routeOptions.config;
    if (answers !== undefined && !asksRows(request)) checkAccepted(request.headers.accept, answers);
    if (scope !== undefined) request.visitor = await admit(request, reply, scope);
    if (isProbe !== true) await limit(request, reply);
  });
}
