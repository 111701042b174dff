import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import type { Scope } from '../../domain/tokens/token.js';
import { asksRows } from './answers.js';
import { bringsBody, closeGently } from './request-body.js';
import type { Visitor } from './authenticate.js';
import { errorHeaders, errorRecord, errorRow } from './errors.js';
import { nodeServer, type RawAnswered } from './node-server.js';
import type { ServeOptions } from './server-options.js';
import { absoluteTarget, maximumAddress, type RequestIds } from './request-head.js';
import { apiVersion, json } from '../contract/media-types.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once the door knows. */
    visitor?: Visitor;
    /** What it was refused with. */
    refusal?: StoreError;
  }
  interface FastifyContextConfig {
    /** What a token must allow, or any token that is valid; without a scope anybody may ask. */
    readonly scope?: Scope | 'any';
    /** Whether a supervisor asks this, however often it likes. */
    readonly isProbe?: boolean;
    /** The media type of the answers. */
    readonly answers?: string;
    /** The id of an operation that will end. */
    readonly deprecated?: string;
  }
}

/** Sets the headers of every answer. */
export function commonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'x-request-id': request.id,
    'api-version': apiVersion,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  });
}

function refuse(refusal: StoreError, request: FastifyRequest, reply: FastifyReply): void {
  request.refusal = refusal;
  const shown = asksRows(request) ? errorRow(refusal) : errorRecord(refusal);
  // Otherwise the connection would be kept to read the rest of a body that nobody wants, however slowly it comes.
  if (bringsBody(request.raw) && !request.raw.complete) {
    reply.header('connection', 'close');
    closeGently(request.raw);
  }
  void reply.code(refusal.status).headers(errorHeaders(refusal)).type(json).send(JSON.stringify(shown));
}

/** What an instance needs besides its options. */
export interface InstanceParts {
  readonly ids: RequestIds;
  readonly rawAnswered: RawAnswered;
  readonly refusalFor: (error: unknown, request: FastifyRequest) => StoreError;
  /** Told of each request as it begins. */
  readonly begun: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** Fastify without routes: it takes any body as it comes, and whatever fails is answered as the contract says. */
export function instance({ patience }: ServeOptions, { ids, rawAnswered, refusalFor, begun }: InstanceParts): FastifyInstance {
  const app: FastifyInstance = fastify({
    logger: false,
    // Bodies have limits and deadlines of their own (body.ts); an import may be larger and slower than a record.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: ids.of,
    rewriteUrl: ({ url = '' }) => absoluteTarget(url)?.path ?? url,
    // The query is read against the operation, which alone knows its parameters (wire.ts).
    routerOptions: { maxParamLength: maximumAddress, querystringParser: () => ({}) },
    serverFactory: (serve) => nodeServer(serve, patience, ids, rawAnswered),
    // Every server that the factory makes answers for itself.
    clientErrorHandler: () => undefined,
    frameworkErrors: (_, request, reply) => {
      begun(request, reply);
      commonHeaders(request, reply);
      refuse(new StoreError('invalid_request', 'The address is not a valid path.'), request, reply);
    },
  });
  app.decorateRequest('refusal');
  app.addHook('onRequest', (request, reply, done) => {
    begun(request, reply);
    done();
  });
  app.removeAllContentTypeParsers();
  // The routes read their bodies themselves.
  app.addContentTypeParser('*', (_, payload, done) => done(null, payload));
  app.setErrorHandler((error, request, reply) => refuse(refusalFor(error, request), request, reply));
  return app;
}
