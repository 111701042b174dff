import { BlockList, isIP, isIPv6 } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import type { Scope } from '../../domain/tokens/token.js';
import { wantsComplete } from './answers.js';
import { closeAfterAnswer } from './linger.js';
import { hasBody } from './request-body.js';
import type { Identity } from './authenticate.js';
import { errorHeaders, completeErrorRecord, errorRecord } from './errors.js';
import { nodeServer, type OnRawRefusal } from './node-server.js';
import { probeMatcher } from './probes.js';
import type { ServeOptions } from './server-options.js';
import { absoluteTarget, maximumTargetLength } from './request-head.js';
import type { RequestIds } from './request-ids.js';
import { apiVersion, completeType, jsonContentType } from '../contract/media-types.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent the request; set by the request guard. */
    identity?: Identity;
    /** How long its authentication took, in ms. */
    waitedMs: number;
    /** The refusal that answered it, for the log. */
    refusal?: StoreError;
  }
  interface FastifyContextConfig {
    /** The scope that a token must have, or `any` valid token; undefined for a public route. */
    readonly scope?: Scope | 'any';
    /** A health probe: no rate limit. */
    readonly isProbe?: boolean;
    /** The media type of the answers, checked against Accept. */
    readonly answers?: string;
    /** The id of a deprecated operation, for the metrics. */
    readonly deprecated?: string;
    /** The names of its query parameters, which are logged with their values. */
    readonly logged?: ReadonlyMap<string, unknown>;
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
  const isComplete = wantsComplete(request);
  // Otherwise Node keeps the connection open to read the rest of the body, however slowly it arrives.
  if (hasBody(request.raw) && !request.raw.complete) {
    reply.header('connection', 'close');
    closeAfterAnswer(request.raw);
  }
  void reply
    .code(refusal.status)
    .headers(errorHeaders(refusal))
    .type(isComplete ? completeType : jsonContentType);
  void reply.send(JSON.stringify(isComplete ? completeErrorRecord(refusal) : errorRecord(refusal)));
}

/** Whether the X-Forwarded-For that came from an address is trusted; a Unix socket, to which only this user can connect, has no address. */
function trustProxies(addresses: readonly string[]): false | ((from: string | undefined) => boolean) {
  if (addresses.length === 0) return false;
  const trusted = new BlockList();
  for (const address of addresses) trusted.addAddress(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  return (from) => from === undefined || (isIP(from) !== 0 && trusted.check(from, isIPv6(from) ? 'ipv6' : 'ipv4'));
}

/** Request ids, and what to call on events of a request. */
export interface FastifyHooks {
  readonly ids: RequestIds;
  readonly onRawRefusal: OnRawRefusal;
  readonly refusalFor: (error: unknown, request: FastifyRequest) => StoreError;
  /** Called when a request begins. */
  readonly onBegin: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** A Fastify instance without routes. It leaves bodies unparsed and answers every error with an Error record. */
export function createFastify({ basePath, timeouts, trustedProxies }: ServeOptions, { ids, onRawRefusal, refusalFor, onBegin }: FastifyHooks): FastifyInstance {
  const app: FastifyInstance = fastify({
    logger: false,
    trustProxy: trustProxies(trustedProxies),
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: ids.of,
    rewriteUrl: ({ url = '' }) => absoluteTarget(url)?.path ?? url,
    // Queries are parsed by the parameters of the operation (http/contract/parameters.ts).
    routerOptions: { maxParamLength: maximumTargetLength, querystringParser: () => ({}) },
    serverFactory: (serve) => nodeServer({ serve, isProbe: probeMatcher(basePath), timeouts, ids, onRawRefusal }),
    // nodeServer handles these errors itself.
    clientErrorHandler: () => undefined,
    frameworkErrors: (_, request, reply) => {
      onBegin(request, reply);
      commonHeaders(request, reply);
      refuse(new StoreError('invalid_request', 'The address is not a valid path.'), request, reply);
    },
  });
  app.decorateRequest('refusal');
  app.addHook('onRequest', (request, reply, done) => {
    onBegin(request, reply);
    done();
  });
  // Routes read their bodies with request-body.ts, which has limits and deadlines of its own.
  for (const method of app.supportedMethods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  app.setErrorHandler((error, request, reply) => refuse(refusalFor(error, request), request, reply));
  return app;
}
