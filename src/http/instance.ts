import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { StoreError } from '../domain/errors.js';
import type { Scope } from '../domain/tokens.js';
import { asksRows } from './answers.js';
import { bringsBody, closeGently } from './body.js';
import type { Visitor } from './door.js';
import { answerRaw, errorHeaders, errorRecord, errorRow, writeRaw } from './failures.js';
import type { ServeOptions } from './premises.js';
import { maximumAddress, maximumHeaders, type NextId } from './requests.js';
import { apiVersion, json } from './wire.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once the door knows. */
    visitor?: Visitor;
  }
  interface FastifyContextConfig {
    /** What a token must allow, or any token that is valid; without a scope anybody may ask. */
    readonly scope?: Scope | 'any';
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
  const shown = asksRows(request) ? errorRow(refusal) : errorRecord(refusal);
  // Otherwise the connection would be kept to read the rest of a body that nobody wants, however slowly it comes.
  if (bringsBody(request.raw) && !request.raw.complete) {
    reply.header('connection', 'close');
    closeGently(request.raw);
  }
  void reply.code(refusal.status).headers(errorHeaders(refusal)).type(json).send(JSON.stringify(shown));
}

/** Fastify without routes: it takes any body as it comes, and whatever fails is answered as the contract says. */
export function instance({ patience }: ServeOptions, nextId: NextId, refusalFor: (error: unknown, request: FastifyRequest) => StoreError): FastifyInstance {
  const app: FastifyInstance = fastify({
    logger: false,
    // Bodies have limits and deadlines of their own (body.ts); an import may be larger and slower than a record.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestTimeout: 0,
    keepAliveTimeout: patience.keepAlive,
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: ({ headers }) => nextId(headers['x-request-id']),
    // The query is read against the operation, which alone knows its parameters (wire.ts).
    routerOptions: { maxParamLength: maximumAddress, querystringParser: () => ({}) },
    http: { headersTimeout: patience.headers, connectionsCheckingInterval: 500, requireHostHeader: false, maxHeaderSize: maximumHeaders },
    clientErrorHandler: (error, socket) => answerRaw(error, nextId(undefined), socket),
    frameworkErrors: (_, request, reply) => {
      commonHeaders(request, reply);
      refuse(new StoreError('invalid_request', 'The address is not a valid path.'), request, reply);
    },
  });
  app.removeAllContentTypeParsers();
  // The routes read their bodies themselves.
  app.addContentTypeParser('*', (_, payload, done) => done(null, payload));
  app.setErrorHandler((error, request, reply) => refuse(refusalFor(error, request), request, reply));
  // CONNECT asks for a tunnel; Node hands over the bare connection.
  app.server.on('connect', (_, socket: Socket) => writeRaw(new StoreError('method_not_allowed', 'This server opens no tunnels.'), nextId(undefined), socket));
  // Without this Node would answer 417 itself; whoever expects what nobody knows is served all the same (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
}
